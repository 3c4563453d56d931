"""Providers that wrap another one: one that passes everything on, and one with a memory for one question.

With the memory no name and no place is looked up twice. A list that is followed by a trip names the same places
again; over a network each look-up is a wait, and often money. What is remembered lives as long as the question: no
service's rules about keeping are touched.
"""

from datetime import datetime

from map_tools.errors import PlaceNotFoundError
from map_tools.providers.base import Capabilities, ChoosesFacts, Provider, Spot, Terms
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


def remembering(provider: Provider) -> Provider:
    """The provider with a memory; one whose look-ups cost nothing stays as it is."""
    if provider.capabilities.cheap_names:
        return provider
    return _Choosing(provider, provider) if isinstance(provider, ChoosesFacts) else _Remembering(provider)


class _Remembering(PassingProvider):
    """Keeps names that were found, and details. What fails is asked for again."""

    def __init__(self, inner: Provider) -> None:
        super().__init__(inner)
        self._found: dict[tuple[str, LatLng | None, int], tuple[Candidate, ...]] = {}
        self._details: dict[str, Place] = {}

    async def find_place(
        self, text: str, *, near: LatLng | None = None, limit: int = 5
    ) -> tuple[Candidate, ...]:
        """As found before, else asked for."""
        key = (text, near, limit)
        if key not in self._found:
            self._found[key] = await super().find_place(text, near=near, limit=limit)
        return self._found[key]

    async def place_details(self, place_id: str) -> Place:
        """As told before, else asked for; names that led to an id nobody knows any more are forgotten."""
        if place_id not in self._details:
            try:
                self._details[place_id] = await super().place_details(place_id)
            except PlaceNotFoundError:
                self._forget(place_id)
                raise
        return self._details[place_id]

    def _forget(self, place_id: str) -> None:
        self._found = {
            key: found
            for key, found in self._found.items()
            if all(candidate.place.id != place_id for candidate in found)
        }


class _Choosing(_Remembering):
    """The same for a provider whose calls bring the facts that are wanted, with a memory for each choice."""

    def __init__(self, inner: Provider, choosing: ChoosesFacts) -> None:
        super().__init__(inner)
        self._choosing = choosing
        self._chosen: dict[frozenset[str], Provider] = {}

    def wanting(self, facts: frozenset[str]) -> Provider:
        """The provider for these facts; asked for them again it remembers."""
        if facts not in self._chosen:
            self._chosen[facts] = _Remembering(self._choosing.wanting(facts))
        return self._chosen[facts]
