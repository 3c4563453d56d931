"""The scores against the paper's definitions, written out once more without arrays, and the choice by them."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from map_tools.types import Place
from modules.recommender.retrieve import Candidate
from modules.recommender.score import Scores, Weights, pareto_front, rank, ranking, sparse_score, weights_for
from modules.recommender.setting import RERANKED
from modules.recommender.understand import Emphasis, RecommendationQuery

SMALL = st.integers(0, 4).map(float)
"""Few values, so that ties are common."""
PAIRS = st.lists(st.tuples(SMALL, SMALL), max_size=30)


def dominates(a: tuple[float, float], b: tuple[float, float]) -> bool:
    """Section 4.4.1, word for word."""
    return a[0] >= b[0] and a[1] >= b[1] and (a[0] > b[0] or a[1] > b[1])


@given(PAIRS)
def test_the_front_is_the_paper_s_definition(pairs: list[tuple[float, float]]) -> None:
    expected = [not any(dominates(other, one) for other in pairs) for one in pairs]
    spatial, semantic = (np.array([pair[i] for pair in pairs]) for i in (0, 1))
    assert pareto_front(spatial, semantic).tolist() == expected


def test_the_front_of_equal_candidates_is_all_of_them() -> None:
    assert pareto_front(np.ones(3), np.ones(3)).all()


def test_a_score_that_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="not a number"):
        pareto_front(np.array([math.nan]), np.array([1.0]))


def test_the_sparse_score_counts_kilometres() -> None:
    # Equation 5 by hand: overlap 1; 250 m: 1/1.25; 1 km: 1/2; 3 km: 1/4.
    assert sparse_score([0, 250, 1000, 3000]).tolist() == [1.0, 0.8, 0.5, 0.25]


@pytest.mark.parametrize("wrong", [-1.0, math.nan])
def test_a_wrong_distance_is_refused(wrong: float) -> None:
    with pytest.raises(ValueError, match="distance"):
        sparse_score([wrong])


def test_the_hybrid_score_generalises_both() -> None:
    scores = Scores(np.array([0.8, 0.2]), np.array([0.1, 0.9]), np.array([0.5, 0.5]))
    assert scores.spatial(Weights(0.5, 0, 0.5)).tolist() == [0.4, 0.1]  # λ_d = 0: by distance alone
    assert scores.spatial(Weights(0, 0.5, 0.5)).tolist() == [0.05, 0.45]  # λ_p = 0: by likeness alone
    assert scores.total(Weights(0.25, 0.25, 0.5)) == pytest.approx([0.2 + 0.025 + 0.25, 0.05 + 0.225 + 0.25])


@given(PAIRS.filter(bool), st.floats(0.05, 0.95))
def test_the_best_candidate_is_pareto_optimal(pairs: list[tuple[float, float]], share: float) -> None:
    weights = Weights(1 - share, 0, share)
    spatial, semantic = (np.array([pair[i] for pair in pairs]) for i in (0, 1))
    scores = Scores(spatial, np.zeros(len(pairs)), semantic)
    best = ranking(scores, weights, [str(i) for i in range(len(pairs))])[0]
    assert scores.total(weights)[best] == max(scores.total(weights))
    rivals = [pair for pair in pairs if dominates(pair, pairs[best])]
    assert all(math.isclose((1 - share) * a + share * b, scores.total(weights)[best]) for a, b in rivals)


def test_equal_totals_are_ordered_by_distance_then_name() -> None:
    scores = Scores(np.array([0.5, 0.7, 0.5]), np.zeros(3), np.array([0.7, 0.5, 0.7]))
    assert ranking(scores, Weights(0.5, 0, 0.5), ["b", "c", "a"]).tolist() == [1, 2, 0]


@pytest.mark.parametrize("parts", [(-0.5, 1.0, 0.5), (0.5, 0.5, 0.5)])
def test_weights_obey_the_constraints_of_equation_1(parts: tuple[float, float, float]) -> None:
    with pytest.raises(ValueError, match="sum to 1"):
        Weights(*parts)


def test_weights_of_shares() -> None:
    assert Weights.of_shares(1, 1, 2) == Weights(0.25, 0.25, 0.5)
    assert Weights.of_shares(0, 0, 0) == Weights(1, 0, 0)


WISH = RecommendationQuery(
    what="pub", categories=("pub",), spatial_text="by the water", semantic_text="quiet"
)


def shares(wish: RecommendationQuery, *without: str) -> tuple[float, float, float]:
    weights = weights_for(wish, frozenset(without))  # type: ignore[arg-type]
    return weights.sparse, weights.dense, weights.semantic


def test_weights_come_from_the_wording() -> None:
    assert shares(WISH) == pytest.approx((1 / 7, 2 / 7, 4 / 7))
    assert shares(WISH.model_copy(update={"emphasis": Emphasis.DISTANCE})) == (1, 0, 0)
    assert shares(WISH.model_copy(update={"emphasis": Emphasis.QUALITY})) == pytest.approx((0.04, 0.32, 0.64))


def test_a_model_s_weights_come_first() -> None:
    assert shares(WISH.model_copy(update={"shares": (5.0, 5.0)})) == shares(WISH)
    # Twice the distance, half of the rest: 2 : 1 : 2.
    assert shares(WISH.model_copy(update={"shares": (10.0, 2.5)})) == pytest.approx((0.4, 0.2, 0.4))
    assert shares(WISH.model_copy(update={"shares": (0.0, 0.0)})) == (1, 0, 0)


def test_what_nothing_speaks_to_counts_nothing() -> None:
    assert shares(WISH.model_copy(update={"spatial_text": ""})) == (0.2, 0, 0.8)
    assert shares(WISH.model_copy(update={"semantic_text": ""})) == pytest.approx((1 / 3, 2 / 3, 0))


def test_parts_can_be_left_out() -> None:
    assert shares(WISH, "sparse") == pytest.approx((0, 1 / 3, 2 / 3))
    assert shares(WISH, "dense_spatial") == (0.2, 0, 0.8)
    assert shares(WISH, "dense_semantic") == pytest.approx((1 / 3, 2 / 3, 0))


def test_the_front_comes_into_the_final_choice_whatever_its_total() -> None:
    # The near one is the best of all by distance alone, but twenty-one others have greater totals.
    count = RERANKED + 1
    candidates = [
        Candidate(Place(id=str(number), name=f"Pub {number:02}"), 100.0, "the pier", "r.1")
        for number in range(count + 1)
    ]
    sparse = np.array([0.5] * count + [0.51])
    semantic = np.array([*np.linspace(0.9, 0.8, count), 0.0])
    scores = Scores(sparse, np.zeros(count + 1), semantic)
    weights = Weights(0.5, 0.0, 0.5)
    chosen = rank(candidates, [()] * len(candidates), scores, weights)
    names = [one.candidate.place.name for one in chosen.ranked]
    assert len(names) == RERANKED
    assert names == [f"Pub {number:02}" for number in (*range(RERANKED - 1), count)]
    assert chosen.front_size == 2
    without = rank(candidates, [()] * len(candidates), scores, weights, pareto=False)
    assert [one.candidate.place.name for one in without.ranked] == [f"Pub {n:02}" for n in range(RERANKED)]
