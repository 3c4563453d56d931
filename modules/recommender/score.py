"""The scores of Spatial-RAG and the choice by them: distances, likenesses, Pareto front, weights.

The equations are those of D. Yu et al., "Spatial-RAG: Spatial Retrieval Augmented Generation for Real-World
Geospatial Reasoning Questions" (arXiv 2502.18470), sections 3 and 4. All of it is vectorised: an array has
one entry for each candidate.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from map_tools.embed.embedders import Embedder
from map_tools.embed.index import VectorIndex
from map_tools.types import Place
from modules.recommender.describe import semantic_sentences, spatial_sentences
from modules.recommender.retrieve import Candidate
from modules.recommender.setting import RERANKED, Part
from modules.recommender.understand import Emphasis, RecommendationQuery
from modules.recommender.vectors import MapVectors

type Floats = npt.NDArray[np.float64]
type Around = tuple[str, ...]
"""The keys of what lies around a place."""

M_PER_KM = 1000.0
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


async def scores_of(
    wish: RecommendationQuery,
    candidates: Sequence[Candidate],
    around: Sequence[Around],
    embedder: Embedder,
    kept: MapVectors | None = None,
) -> Scores:
    """f_s^sparse, f_s^dense and f_k of each candidate.

    Args:
        wish: What is wanted.
        candidates: The candidate set.
        around: What lies around each candidate.
        embedder: Makes the vectors of wishes, and of descriptions that are not kept.
        kept: Vectors of the map's descriptions by the same model, if there are any.
    """
    places = [candidate.place for candidate in candidates]
    where = dict(zip((place.id for place in places), around, strict=True))
    return Scores(
        sparse=sparse_score([candidate.distance_m for candidate in candidates]),
        dense=await cosines(
            embedder,
            wish.spatial_text,
            places,
            lambda place: spatial_sentences(place, where[place.id]),
            kept.spatial if kept else None,
        ),
        semantic=await cosines(
            embedder, wish.semantic_text, places, semantic_sentences, kept.semantic if kept else None
        ),
    )


async def cosines(
    embedder: Embedder,
    wanted: str,
    places: Sequence[Place],
    describe: Callable[[Place], tuple[str, ...]],
    kept: VectorIndex | None = None,
) -> Floats:
    """How alike each place's description is to what is wanted of it (equation 9); all 0 where nothing is.

    What is wanted usually stands in one sentence of many and would drown in the mean of a long text, so a
    description is as alike as its most alike sentence.

    Args:
        embedder: As for `scores_of`.
        wanted: The spatial or the semantic sentence.
        places: Any.
        describe: Makes the description's sentences, at least one.
        kept: Vectors of such descriptions; used if they hold all places.
    """
    if not wanted:
        return np.zeros(len(places), np.float64)
    if kept is not None and all(place.id in kept for place in places):
        (query,) = await embedder.embed([wanted])
        return kept.cosines(query, [place.id for place in places])
    descriptions = [describe(place) for place in places]
    once = dict.fromkeys(sentence for description in descriptions for sentence in description)
    vectors = await embedder.embed([wanted, *once])
    alike = dict(zip(once, (vectors[1:] @ vectors[0]).tolist(), strict=True))
    return np.array([max(alike[sentence] for sentence in one) for one in descriptions], np.float64)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its scores.

    Attributes:
        around: The keys of what lies around it.
        on_front: No other candidate is as good in both, where it lies and what it is, and better in one.
        said: What a language model quotes of its description for it; empty without one.
    """

    candidate: Candidate
    around: Around
    sparse: float
    dense: float
    semantic: float
    total: float
    on_front: bool
    said: str = ""


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

    def reordered(self, order: Sequence[int], said: Mapping[int, str]) -> "Ranking":
        """In a language model's order.

        Args:
            order: Positions in `ranked`, each of them once.
            said: What the model quotes for some of them, by their position.
        """
        ranked = (replace(self.ranked[position], said=said.get(position, "")) for position in order)
        return replace(self, ranked=tuple(ranked), by_model=True)


def weights_for(wish: RecommendationQuery, without: frozenset[Part] = frozenset()) -> Weights:
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
    around: Sequence[Around],
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
