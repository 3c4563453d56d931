"""Hybrid scoring, Pareto front and choice: from a candidate set to a few places (sections 4.3 and 4.4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from modules.recommender.retrieve import Candidate
from modules.recommender.score import Scores, Weights, pareto_front, ranking
from modules.recommender.setting import RERANKED, Part
from modules.recommender.wish import Emphasis, Wish

SHARES: Mapping[Emphasis, tuple[float, float, float]] = {
    Emphasis.BALANCED: (1.0, 2.0, 4.0),
    Emphasis.DISTANCE: (1.0, 0.0, 0.0),
    Emphasis.QUALITY: (0.25, 2.0, 4.0),
}
"""What sparse, dense and semantic score count by the wording. All candidates are in reach, and cosines lie
closer together than distances do, so that equal shares would leave the choice to the distance; measured in
`docs/recommender.md`. "All that matters" is taken at its word."""
NEUTRAL = 5.0
"""A language model's weight, of 0 to 10, that leaves things as they are without it."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its scores.

    Attributes:
        around: The keys of what lies around it.
        on_front: No other candidate is as good in both, where it lies and what it is, and better in one.
    """

    candidate: Candidate
    around: tuple[str, ...]
    sparse: float
    dense: float
    semantic: float
    total: float
    on_front: bool


@dataclass(frozen=True, slots=True)
class Ranking:
    """The best candidates, best first, with the weights they were judged by.

    Attributes:
        ranked: At most `RERANKED`: the Pareto front, filled up with the best of the others. In the order of
            their scores the first one is y* of equation 6; a language model may have put them in another.
        nearest, best_fit: The two ends of the Pareto front: best where it lies, best what it is.
        front_size: How many candidates of all are Pareto-optimal.
        considered: How many there were in all.
        by_model: A language model has put them in order.
    """

    ranked: tuple[Ranked, ...]
    nearest: Ranked
    best_fit: Ranked
    weights: Weights
    front_size: int
    considered: int
    by_model: bool = False

    @property
    def best(self) -> Ranked:
        """y* of equation 6: the first of the greatest scores."""
        return max(self.ranked, key=lambda one: one.total)

    def reordered(self, order: Sequence[int]) -> "Ranking":
        """In a language model's order, by positions in `ranked`, each of them once."""
        return replace(self, ranked=tuple(self.ranked[position] for position in order), by_model=True)


def weights_for(wish: Wish, without: frozenset[Part] = frozenset()) -> Weights:
    """λ from a language model or the wording. A score that nothing in the wish speaks to counts nothing."""
    sparse, dense, semantic = SHARES[wish.emphasis]
    if wish.shares is not None:
        where, what = (share / NEUTRAL for share in wish.shares)
        sparse, dense, semantic = sparse * where, dense * what, semantic * what
    return Weights.of_shares(
        0.0 if "sparse" in without else sparse,
        0.0 if "dense_spatial" in without or not wish.spatial_text else dense,
        0.0 if "dense_semantic" in without or not wish.semantic_text else semantic,
    )


def rank(
    candidates: Sequence[Candidate],
    around: Sequence[tuple[str, ...]],
    scores: Scores,
    weights: Weights,
    *,
    pareto: bool = True,
) -> Ranking:
    """Chooses among the candidates.

    Args:
        candidates: C_s ∩ C_k; at least one.
        around: What lies around each candidate.
        scores: Of each candidate.
        weights: What the scores count.
        pareto: Whether Pareto-optimal candidates come before others into the final choice.
    """
    spatial, totals = scores.spatial(weights), scores.total(weights)
    front = pareto_front(spatial, scores.semantic)
    order = ranking(scores, weights, [candidate.place.name for candidate in candidates])

    def made(index: int) -> Ranked:
        return Ranked(
            candidates[index],
            around[index],
            sparse=float(scores.sparse[index]),
            dense=float(scores.dense[index]),
            semantic=float(scores.semantic[index]),
            total=float(totals[index]),
            on_front=bool(front[index]),
        )

    optimal = [int(index) for index in order if front[index]]
    return Ranking(
        tuple(made(int(index)) for index in _shortlist(order, front if pareto else np.ones_like(front))),
        nearest=made(max(optimal, key=lambda index: spatial[index])),
        best_fit=made(max(optimal, key=lambda index: scores.semantic[index])),
        weights=weights,
        front_size=len(optimal),
        considered=len(candidates),
    )


def _shortlist(order: npt.NDArray[np.intp], front: npt.NDArray[np.bool_]) -> npt.NDArray[np.intp]:
    """The candidates of the final choice by falling score: the front, then the best of the others."""
    on_front = front[order]
    first = np.concatenate((np.flatnonzero(on_front), np.flatnonzero(~on_front)))[:RERANKED]
    return order[np.sort(first)]
