"""What the providers `google` and `google-legacy` have in common: everything but the services behind them."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar, Protocol, Self

from map_tools.errors import UnsupportedError
from map_tools.providers.base import COSTLY_FACTS, Capabilities, ProviderSetting, Spot, Terms, position_of
from map_tools.providers.google_common.places import Wanted
from map_tools.providers.google_common.terms import ENTRUSTED, NO_AREAS, TERMS
from map_tools.providers.google_common.ways import Trip, Ways
from map_tools.types import Candidate, LatLng, Matrix, NearbyPlace, Place, RankBy, Route, TravelMode

if TYPE_CHECKING:
    from map_tools.testing.contract.checking import Rehearsal

FACTS = frozenset(
    {"address", "attributes", "categories", "hours", "location", "phone", "price_level", "rating"}
    | {"rating_count", "reviews", "services", "timezone", "website"}
)
"""What Google knows of places, as attributes of `Place`; the time zone follows from the position."""
USUAL = FACTS - COSTLY_FACTS
"""What the details of a place bring if nobody says what is wanted."""


class Places(Protocol):
    """The calls about places of one generation of services."""

    async def named(self, text: str, near: LatLng | None, limit: int) -> tuple[Candidate, ...]:
        """Places by name or address; see `Provider.find_place`."""
        ...

    async def details(self, place_id: str, facts: frozenset[str]) -> Place:
        """A place with these facts; `PlaceNotFoundError` if Google has none of this id."""
        ...

    async def around(self, wanted: Wanted) -> tuple[NearbyPlace, ...]:
        """Places around a position; see `Provider.nearby`."""
        ...


class GoogleMapsProvider(ABC):
    """Answers from one generation of Google's services.

    Args:
        places: The calls about places.
        ways: The calls about ways.
        facts: Attributes of `Place` that details bring; None: all the usual ones.
    """

    name: str
    map_name: str | None = None
    terms: Terms = TERMS
    entrusted: ClassVar[Mapping[str, str]] = ENTRUSTED
    capabilities: Capabilities = Capabilities(modes=frozenset(TravelMode), facts=FACTS)

    def __init__(self, places: Places, ways: Ways, facts: frozenset[str] | None) -> None:
        self._places = places
        self._ways = ways
        self._details = USUAL if facts is None else facts

    @classmethod
    @abstractmethod
    def from_setting(cls, setting: ProviderSetting) -> Self:
        """Opens the provider; nothing is sent yet.

        Raises:
            ConfigError: There is no key.
        """

    @abstractmethod
    def wanting(self, facts: frozenset[str]) -> "GoogleMapsProvider":
        """The same provider, whose calls bring these facts at the price they have."""

    @abstractmethod
    async def close(self) -> None:
        """Closes the connections."""

    @classmethod
    def rehearsal(cls, setting: ProviderSetting) -> "AbstractAsyncContextManager[Rehearsal]":
        """The provider over the emulator, to be checked without network and key."""
        from map_tools.testing.emulate.server import google_rehearsal

        return google_rehearsal(cls, setting)

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
        """Places of a kind around a spot; a `CutList` where Google may know more."""
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
        return await self._ways.routes(Trip(origin, destination, mode, waypoints, alternatives, depart_at))

    async def matrix(
        self, origins: tuple[Spot, ...], destinations: tuple[Spot, ...], *, mode: TravelMode
    ) -> Matrix:
        """Travel without traffic, in as many requests as Google's limits make of it."""
        return Matrix(mode=mode, rows=await self._ways.table(origins, destinations, mode))
