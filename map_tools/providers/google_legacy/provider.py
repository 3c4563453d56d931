"""The provider `google-legacy`: Google's older Places, Directions and Distance Matrix API.

For projects that have these services already: new projects cannot enable them since March 2025
(https://developers.google.com/maps/legacy).
"""

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar, Self

from map_tools.clock import Clock, SystemClock
from map_tools.errors import UnsupportedError
from map_tools.providers.base import Capabilities, ProviderSetting, Spot, Terms, position_of
from map_tools.providers.google_common.listing import Wanted
from map_tools.providers.google_common.opened import ENTRUSTED, google_wire, required_key
from map_tools.providers.google_common.requested import FACTS, USUAL
from map_tools.providers.google_common.terms import NO_AREAS, TERMS
from map_tools.providers.google_legacy.client import LegacyClient
from map_tools.providers.google_legacy.place_calls import PlaceCalls
from map_tools.providers.google_legacy.route_calls import RouteCalls
from map_tools.providers.google_legacy.session import judge
from map_tools.types import Candidate, LatLng, Matrix, NearbyPlace, Place, RankBy, Route, TravelMode

if TYPE_CHECKING:
    from map_tools.contract.ports import Rehearsal

CAPABILITIES = Capabilities(modes=frozenset(TravelMode), facts=FACTS)


class GoogleLegacyProvider:
    """Answers from Google's older services.

    Args:
        client: The way to Google.
        language: Language of names and instructions (BCP 47).
        region: Two-letter country code, or empty.
        clock: Tells whether a departure lies in the past.
        facts: Attributes of `Place` that details bring; None: all the usual ones.
    """

    name: str = "google-legacy"
    map_name: str | None = None
    terms: Terms = TERMS
    entrusted: ClassVar[Mapping[str, str]] = ENTRUSTED
    capabilities: Capabilities = CAPABILITIES

    def __init__(
        self,
        client: LegacyClient,
        *,
        language: str = "en",
        region: str = "",
        clock: Clock | None = None,
        facts: frozenset[str] | None = None,
    ) -> None:
        self._client = client
        self._language = language
        self._region = region
        self._clock = clock or SystemClock()
        self._details = USUAL if facts is None else facts
        self._places = PlaceCalls(client, language, region or None)
        self._ways = RouteCalls(client, language, region or None, self._clock)

    @classmethod
    def from_setting(cls, setting: ProviderSetting) -> Self:
        """Opens the provider; nothing is sent yet.

        Raises:
            ConfigError: There is no key.
        """
        key = required_key(setting)
        client = LegacyClient(google_wire(setting, judge), key, base_url=setting.base_url)
        return cls(client, language=setting.language, region=setting.region)

    @classmethod
    def rehearsal(cls, setting: ProviderSetting) -> "AbstractAsyncContextManager[Rehearsal]":
        """The provider over the emulator, to be checked without network and key."""
        from map_tools.emulate.rehearsal import google_rehearsal

        return google_rehearsal(cls, setting)

    def wanting(self, facts: frozenset[str]) -> "GoogleLegacyProvider":
        """The same provider, whose details bring these facts at the price they have."""
        return GoogleLegacyProvider(
            self._client, language=self._language, region=self._region, clock=self._clock, facts=facts
        )

    async def find_place(
        self, text: str, *, near: LatLng | None = None, limit: int = 5
    ) -> tuple[Candidate, ...]:
        """Places whose name or address can mean the text, or that have this international phone number."""
        return await self._places.named(text, near, limit)

    async def place_details(self, place_id: str) -> Place:
        """A place by its id; `PlaceNotFoundError` if Google has none."""
        return await self._places.details(place_id, self._details)

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
        """At most 60 places of a type, in pages of 20; a `CutList` where Google may know more."""
        wanted = Wanted(position_of(center), radius_m, categories, keyword, rank, limit)
        return await self._places.around(wanted)

    async def inside(
        self,
        area_id: str,  # noqa: ARG002 (Google tells no outlines)
        *,
        categories: tuple[str, ...] = (),  # noqa: ARG002
        keyword: str | None = None,  # noqa: ARG002
    ) -> tuple[Place, ...]:
        """`UnsupportedError`: Google tells no outlines."""
        raise UnsupportedError(*NO_AREAS)

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
        """Routes; with traffic only for a departure. One in the past is dropped, and a warning says so."""
        return await self._ways.routes(
            origin,
            destination,
            mode=mode,
            stops=waypoints,
            alternatives=alternatives,
            depart_at=depart_at,
        )

    async def matrix(
        self, origins: tuple[Spot, ...], destinations: tuple[Spot, ...], *, mode: TravelMode
    ) -> Matrix:
        """Travel without traffic, in as many requests as Google's limits make of it."""
        return Matrix(mode=mode, rows=await self._ways.table(origins, destinations, mode))

    async def close(self) -> None:
        """Ends the threads and closes the connections."""
        await self._client.close()
