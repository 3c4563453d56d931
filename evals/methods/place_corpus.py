"""The places of a map as Spatial-RAG's baselines see them: all of them, each described and embedded.

Descriptions and embedding model are those of the recommender, so that what differs is how places are chosen.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from evals.ports import Desk
from map_tools.embed.port import Embedder, Vectors
from map_tools.errors import UnsupportedError
from map_tools.maps.store import MapStore
from map_tools.providers.base import HasBuild
from map_tools.types import Place
from modules.recommender.describe import semantic_description
from modules.recommender.setting import RecommenderSetting

type Floats = npt.NDArray[np.float64]


class PlaceCorpus:
    """All places of a map that have a name and a kind (use `PlaceCorpus.of`)."""

    def __init__(self, places: Sequence[Place], vectors: Vectors, embedder: Embedder) -> None:
        self.places = tuple(places)
        self._vectors = vectors
        self._embedder = embedder

    @classmethod
    async def of(cls, desk: Desk) -> "PlaceCorpus":
        """Reads the places of the desk's map and embeds their descriptions.

        Raises:
            UnsupportedError: The map does not lie on this machine.
            ProviderError: The service that computes vectors failed.
        """
        if not isinstance(desk.provider, HasBuild):
            raise UnsupportedError(
                "This method ranks all places of a map, and this map cannot be read as a whole.",
                "Use a map on this machine (--provider osm).",
            )
        store = MapStore.open(desk.provider.build)
        try:
            places = [place for place in map(store.place, store.rows()) if _counts(place)]
        finally:
            store.close()
        embedder = RecommenderSetting.of(desk.settings).embedder()
        vectors = await embedder.embed([semantic_description(place) for place in places])
        return cls(places, vectors, embedder)

    def of_kind(self, categories: Sequence[str], besides: Sequence[Place] = ()) -> list[int]:
        """The numbers of the places of some kinds (of all if there are none), but for some of them."""
        wanted, ids = frozenset(categories), {place.id for place in besides}
        return [
            number
            for number, place in enumerate(self.places)
            if (not wanted or not wanted.isdisjoint(place.categories)) and place.id not in ids
        ]

    async def cosines(self, text: str, numbers: Sequence[int]) -> Floats:
        """The likeness of a text to the description of each of some places."""
        (vector,) = await self._embedder.embed([text])
        return np.asarray(self._vectors[list(numbers)] @ vector, np.float64)

    async def close(self) -> None:
        """Frees the embedder."""
        await self._embedder.close()


def _counts(place: Place) -> bool:
    return bool(place.name and place.categories and place.location is not None)
