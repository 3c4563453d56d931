"""A provider that passes everything on to another one: what wrappers have in common."""

from datetime import datetime

from map_tools.providers.base import Capabilities, Provider, Spot, Terms
from map_tools.types import Candidate, LatLng, Matrix, NearbyPlace, Place, RankBy, Route, TravelMode


class PassingProvider:
    """Answers as the provider behind it does; a wrapper overrides what it does otherwise."""

    def __init__(self, inner: Provider) -> None:
        self._inner = inner
        self.name = inner.name
        self.map_name = inner.map_name
        self.capabilities: Capabilities = inner.capabilities.model_copy(
            update={"narrow_names": False, "timetables": False}
        )
        self.terms: Terms = inner.terms

    async def _before(self, call: str) -> None:
        """Runs before each call that is passed on, with its name."""

    async def find_place(
        self, text: str, *, near: LatLng | None = None, limit: int = 5
    ) -> tuple[Candidate, ...]:
        """Passes on."""
        await self._before("find_place")
        return await self._inner.find_place(text, near=near, limit=limit)

    async def place_details(self, place_id: str) -> Place:
        """Passes on."""
        await self._before("place_details")
        return await self._inner.place_details(place_id)

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
        """Passes on."""
        await self._before("nearby")
        return await self._inner.nearby(
            center, radius_m=radius_m, categories=categories, keyword=keyword, rank=rank, limit=limit
        )

    async def inside(
        self, area_id: str, *, categories: tuple[str, ...] = (), keyword: str | None = None
    ) -> tuple[Place, ...]:
        """Passes on."""
        await self._before("inside")
        return await self._inner.inside(area_id, categories=categories, keyword=keyword)

    async def directions(
        self,
        origin: Spot,
        destination: Spot,
        *,
        mode: TravelMode,
        waypoints: tuple[Spot, ...] = (),
        alternatives: bool = False,
        depart_at: datetime | None = None,
    ) -> tuple[Route, ...]:
        """Passes on."""
        await self._before("directions")
        return await self._inner.directions(
            origin,
            destination,
            mode=mode,
            waypoints=waypoints,
            alternatives=alternatives,
            depart_at=depart_at,
        )

    async def matrix(
        self, origins: tuple[Spot, ...], destinations: tuple[Spot, ...], *, mode: TravelMode
    ) -> Matrix:
        """Passes on."""
        await self._before("matrix")
        return await self._inner.matrix(origins, destinations, mode=mode)

    async def close(self) -> None:
        """Closes the provider behind."""
        await self._inner.close()
