"""The map behind the four tools: the invented city, every call late by the same time, and counted."""

from evals.bench.latency import SlowProvider
from map_tools.providers.base import Spot
from map_tools.providers.recorded import RecordedProvider
from map_tools.providers.world import World
from map_tools.types import NearbyPlace, Place, RankBy


class ListingProvider(RecordedProvider):
    """A world whose lists tell as little as Google's legacy Nearby Search: opening hours are not in them.

    https://developers.google.com/maps/documentation/places/web-service/legacy/search-nearby
    """

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.capabilities = self.capabilities.model_copy(update={"full_candidates": False})

    async def nearby(
        self,
        center: Spot,
        *,
        radius_m: float,
        categories: tuple[str, ...] = (),
        keyword: str | None = None,
        rank: RankBy = RankBy.DISTANCE,
        limit: int | None = 20,
    ) -> tuple[NearbyPlace, ...]:
        """As recorded, without hours."""
        found = await super().nearby(
            center, radius_m=radius_m, categories=categories, keyword=keyword, rank=rank, limit=limit
        )
        return tuple(item.model_copy(update={"place": _listed(item.place)}) for item in found)


def _listed(place: Place) -> Place:
    return place.model_copy(update={"hours": None})


def slow_map(world: World, latency_s: float) -> SlowProvider:
    """The map of a run, with its own count of calls."""
    return SlowProvider(ListingProvider(world), latency_s)
