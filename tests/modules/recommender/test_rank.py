"""The final choice: the Pareto front comes first into it, and weights follow the wish."""

import numpy as np
import pytest

from map_tools.types import Place
from modules.recommender.recommendation_query import Emphasis, RecommendationQuery
from modules.recommender.retrieve import Candidate
from modules.recommender.score import Scores, Weights, rank, weights_for
from modules.recommender.setting import RERANKED

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
