"""Hybrid scoring, Pareto front and choice: from a candidate set to a few places (sections 4.3 and 4.4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from map_tools.embed.index import VectorIndex
from map_tools.embed.port import Embedder
from modules.recommender.describe import spatial_description
from modules.recommender.retrieve import Candidate
from modules.recommender.score import Scores, Weights, pareto_front, ranking, sparse_score
from modules.recommender.vectors import SemanticSpace, text_cosines
from modules.recommender.wish import Emphasis, Wish

RERANKED = 20
"""At most so many candidates reach the final choice, as in the paper's case studies (appendix G)."""

SHARES: Mapping[Emphasis, tuple[float, float, float]] = {
    Emphasis.BALANCED: (1.0, 1.0, 2.0),
    Emphasis.DISTANCE: (1.0, 0.0, 0.0),
    Emphasis.QUALITY: (1.0, 1.0, 8.0),
}
"""What sparse, dense and semantic score count by the wording: as much for where as for what, or nearly all
for one of them. "All that matters" is taken at its word."""


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
        ranked: At most `RERANKED`; the first one is y* of equation 6.
        nearest, best_fit: The two ends of the Pareto front: best where it lies, best what it is.
        front_size: How many candidates of all are Pareto-optimal.
        considered: How many there were in all.
    """

    ranked: tuple[Ranked, ...]
    nearest: Ranked
    best_fit: Ranked
    weights: Weights
    front_size: int
    considered: int


def weights_for(wish: Wish) -> Weights:
    """λ from the wording. A score that nothing in the wish speaks to counts nothing."""
    sparse, dense, semantic = SHARES[wish.emphasis]
    if not wish.spatial_text:
        sparse, dense = sparse + dense, 0.0
    return Weights.of_shares(sparse, dense, semantic if wish.semantic_text else 0.0)


async def rank(
    wish: Wish,
    candidates: Sequence[Candidate],
    around: Sequence[tuple[str, ...]],
    embedder: Embedder,
    kept: VectorIndex | None = None,
) -> Ranking:
    """Scores the candidates and chooses among them.

    Args:
        wish: What is wanted.
        candidates: C_s ∩ C_k; at least one.
        around: What lies around each candidate.
        embedder: Makes the vectors of both spaces.
        kept: Vectors of the semantic descriptions, where they are kept.
    """
    weights = weights_for(wish)
    scores = await _scores(wish, candidates, around, embedder, kept)
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
        tuple(made(int(index)) for index in order[:RERANKED]),
        nearest=made(max(optimal, key=lambda index: spatial[index])),
        best_fit=made(max(optimal, key=lambda index: scores.semantic[index])),
        weights=weights,
        front_size=len(optimal),
        considered=len(candidates),
    )


async def _scores(
    wish: Wish,
    candidates: Sequence[Candidate],
    around: Sequence[tuple[str, ...]],
    embedder: Embedder,
    kept: VectorIndex | None,
) -> Scores:
    places = [candidate.place for candidate in candidates]
    where = [spatial_description(place, keys) for place, keys in zip(places, around, strict=True)]
    return Scores(
        sparse=sparse_score([candidate.distance_m for candidate in candidates]),
        dense=await text_cosines(embedder, wish.spatial_text, where),
        semantic=await SemanticSpace(embedder, kept).cosines(wish.semantic_text, places),
    )
