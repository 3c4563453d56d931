"""The scores of Spatial-RAG: sparse and hybrid spatial relevance, the Pareto front, the weighted choice.

The equations are those of D. Yu et al., "Spatial-RAG: Spatial Retrieval Augmented Generation for Real-World
Geospatial Reasoning Questions" (arXiv 2502.18470), sections 3 and 4. All of it is vectorised: an array has
one entry for each candidate.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

type Floats = npt.NDArray[np.float64]

M_PER_KM = 1000.0


@dataclass(frozen=True, slots=True)
class Weights:
    """What each score counts. No weight is negative, and they sum to one (the constraints of equation 1).

    Attributes:
        sparse: λ_p, of the distance on the map.
        dense: λ_d, of the likeness to the spatial part of the wish.
        semantic: λ_k, of the likeness to the rest of the wish.
    """

    sparse: float
    dense: float
    semantic: float

    def __post_init__(self) -> None:
        parts = (self.sparse, self.dense, self.semantic)
        if min(parts) < 0 or abs(sum(parts) - 1) > 1e-9:
            raise ValueError(f"Weights must not be negative and must sum to 1, not {parts}.")

    @classmethod
    def of_shares(cls, sparse: float, dense: float, semantic: float) -> "Weights":
        """Weights in the ratio of some shares; the distance alone counts where all are 0."""
        total = sparse + dense + semantic
        return cls(sparse / total, dense / total, semantic / total) if total else cls(1.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of a candidate set; all arrays have the same length.

    Attributes:
        sparse: f_s^sparse of equation 5, in (0, 1].
        dense: f_s^dense, a cosine.
        semantic: f_k of equation 9, a cosine.
    """

    sparse: Floats
    dense: Floats
    semantic: Floats

    def spatial(self, weights: Weights) -> Floats:
        """f_s: the hybrid spatial relevance of each candidate (equation 4)."""
        return weights.sparse * self.sparse + weights.dense * self.dense

    def total(self, weights: Weights) -> Floats:
        """The objective of equations 1 and 6 for each candidate."""
        return self.spatial(weights) + weights.semantic * self.semantic


def sparse_score(distances_m: Sequence[float] | Floats) -> Floats:
    """f_s^sparse (equation 5): 1 / (1 + d) with d in kilometres, 1 where the two geometries overlap (d = 0).

    Args:
        distances_m: Shortest distance of each candidate from the reference geometry, in metres.

    Raises:
        ValueError: A distance is negative or not a number.
    """
    distances = np.asarray(distances_m, np.float64)
    if not (distances >= 0).all():
        raise ValueError("A distance is negative or not a number.")
    return 1.0 / (1.0 + distances / M_PER_KM)


def pareto_front(spatial: Floats, semantic: Floats) -> npt.NDArray[np.bool_]:
    """Which candidates are Pareto-optimal (section 4.4.1): no other is as good in both scores, better in one.

    Exact, in one sort. Candidates with equal scores do not dominate each other: all of them stay.

    Args:
        spatial: f_s of each candidate.
        semantic: f_k of each candidate.

    Returns:
        A mask of the same length.

    Raises:
        ValueError: A score is not a number, so that nothing can be said of what dominates it.
    """
    if np.isnan(spatial).any() or np.isnan(semantic).any():
        raise ValueError("A score is not a number.")
    if not len(spatial):
        return np.zeros(0, np.bool_)
    # Equal candidates share their fate, so each pair of scores is judged once: worst spatial score first.
    pairs, group = np.unique(np.column_stack((spatial, semantic)), axis=0, return_inverse=True)
    seconds = pairs[::-1, 1]
    best_before = np.concatenate(([-np.inf], np.maximum.accumulate(seconds)[:-1]))
    optimal = (seconds > best_before)[::-1]
    return np.asarray(optimal[group.reshape(-1)], np.bool_)


def ranking(scores: Scores, weights: Weights, names: Sequence[str]) -> npt.NDArray[np.intp]:
    """Positions of all candidates, best total first; equal totals by distance, then by name.

    The first one is y* of equation 6. With positive weights it lies on the front, since whatever dominated
    it would have a greater total.
    """
    return np.lexsort((np.asarray(names), -scores.sparse, -scores.total(weights))).astype(np.intp)
