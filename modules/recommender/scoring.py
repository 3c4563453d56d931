"""The scores of a candidate set: distances on the map, likenesses in both embedding spaces (section 4.3)."""

from collections.abc import Callable, Sequence

import numpy as np

from map_tools.embed.index import VectorIndex
from map_tools.embed.port import Embedder
from map_tools.types import Place
from modules.recommender.describe import semantic_sentences, spatial_sentences
from modules.recommender.retrieve import Candidate
from modules.recommender.score import Floats, Scores, sparse_score
from modules.recommender.vectors import MapVectors
from modules.recommender.wish import Wish

type Around = tuple[str, ...]
"""The keys of what lies around a place."""


async def scores_of(
    wish: Wish,
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
