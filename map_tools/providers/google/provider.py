"""The provider `google`: Google's Places API (New) and Routes API.

Each request asks for no more fields than the facts wanted need, because the dearest field sets the price
(`docs/google.md`).
"""

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar, Self

from map_tools.clock import Clock, SystemClock
from map_tools.errors import UnsupportedError
from map_tools.providers.base import Capabilities, ProviderSetting, Spot, Terms, position_of
from map_tools.providers.google.place_calls import PlaceCalls
from map_tools.providers.google.route_calls import RouteCalls
from map_tools.providers.google.service import GoogleService
from map_tools.providers.google.travel import Trip
from map_tools.providers.google_common.listing import Wanted
from map_tools.providers.google_common.opened import ENTRUSTED, google_wire, required_key
from map_tools.providers.google_common.requested import FACTS, USUAL
from map_tools.providers.google_common.terms import NO_AREAS, TERMS
from map_tools.types import Candidate, LatLng, Matrix, NearbyPlace, Place, RankBy, Route, TravelMode

if TYPE_CHECKING:
    from map_tools.contract.ports import Rehearsal

CAPABILITIES = Capabilities(modes=frozenset(TravelMode), facts=FACTS)


class GoogleProvider:
    """Answers from Google's present services.

    Args:
        service: The way to Google.
        language: Language of names and instructions (BCP 47).
        region: Two-letter country code, or empty.
        clock: Tells whether a departure lies in the past.
        facts: Attributes of `Place` that searches bring beside name, kind, address and position, and that
            details bring; None: searches bring no more, details all the usual ones.
    """

    name: str = "google"
    map_name: str | None = None
    terms: Terms = TERMS
    entrusted: ClassVar[Mapping[str, str]] = ENTRUSTED

    def __init__(
        self,
        service: GoogleService,
        *,
        language: str = "en",
        region: str = "",
        clock: Clock | None = None,
        facts: frozenset[str] | None = None,
    ) -> None:
        # Searches that already bring what is wanted make a second request for the details needless.
        self.capabilities = CAPABILITIES.model_copy(update={"full_candidates": facts is not None})
        self._service = service
        self._language = language
        self._region = region
        self._clock = clock or SystemClock()
        self._details = USUAL if facts is None else facts
        locale = {"languageCode": language} | ({"regionCode": region} if region else {})
        self._places = PlaceCalls(service, locale, facts or frozenset())
        self._ways = RouteCalls(service, locale, self._clock)

    @classmethod
    def from_setting(cls, setting: ProviderSetting) -> Self:
        """Opens the provider; nothing is sent yet.

        Raises:
            ConfigError: There is no key.
        """
        key = required_key(setting)
        service = GoogleService(google_wire(setting), key, base_url=setting.base_url)
        return cls(service, language=setting.language, region=setting.region)

    @classmethod
    def rehearsal(cls, setting: ProviderSetting) -> "AbstractAsyncContextManager[Rehearsal]":
        """The provider over the emulator, to be checked without network and key."""
        from map_tools.emulate.rehearsal import google_rehearsal

        return google_rehearsal(cls, setting)

    def wanting(self, facts: frozenset[str]) -> "GoogleProvider":
        """The same provider, whose searches and details bring these facts at the price they have."""
        return GoogleProvider(
            self._service, language=self._language, region=self._region, clock=self._clock, facts=facts
        )

    async def find_place(
        self, text: str, *, near: LatLng | None = None, limit: int = 5
    ) -> tuple[Candidate, ...]:
        """Places whose name or address can mean the text; around `near` rather than elsewhere."""
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
        """At most 20 places by kind, or 60 by keyword; a `CutList` where Google may know more."""
        at = position_of(center)
        wanted = Wanted(at, radius_m, categories, keyword, rank, limit)
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
        return await self._ways.routes(Trip(origin, destination, mode, waypoints, alternatives, depart_at))

    async def matrix(
        self, origins: tuple[Spot, ...], destinations: tuple[Spot, ...], *, mode: TravelMode
    ) -> Matrix:
        """Travel without traffic, in as many requests as Google's limits make of it."""
        return Matrix(mode=mode, rows=await self._ways.table(origins, destinations, mode))

    async def close(self) -> None:
        """Closes the connections."""
        await self._service.close()
