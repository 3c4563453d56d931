"""What a map provider is: six typed calls, and a declaration of what it can do and under which terms.

A provider builds requests and parses replies. Throttling, retries, caching, recording and redaction are the
wire's, never a provider's. "Nothing found" is an empty tuple; a call that cannot be done raises a
`ToolError`.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from pydantic import Field, SecretStr

from map_tools.errors import UnsupportedError
from map_tools.types import (
    Avoid,
    Box,
    Candidate,
    Frozen,
    LatLng,
    Matrix,
    NearbyPlace,
    Place,
    RankBy,
    Ride,
    Route,
    Shape,
    TravelMode,
)

ANY_BASE_MAP = "any"
"""Results under such terms may be drawn over every map."""

type Spot = Place | LatLng
"""Where something starts, ends or is centred: a resolved place, or a bare position.

A place is passed whole because some sources know the ways between places whose position they do not tell.
"""


def position_of(spot: Spot) -> LatLng:
    """The coordinates of a spot, for a provider that computes with them.

    Raises:
        UnsupportedError: The spot is a place whose source gives no position.
    """
    if isinstance(spot, LatLng):
        return spot
    if spot.location is None:
        raise UnsupportedError(
            f"The position of '{spot.name or spot.id}' is not known to this map.", "Name a place near it."
        )
    return spot.location


COSTLY_FACTS = frozenset({"reviews"})
"""Attributes of `Place` that nobody gets without asking for them."""


class CutList(tuple[NearbyPlace, ...]):
    """A nearby list that the source cut: more places fit than it tells. A plain tuple is the whole list."""

    __slots__ = ()


class ProviderSetting(Frozen):
    """What a provider is opened with.

    Attributes:
        name: The name it was asked for by ("osm", "recorded").
        argument: What follows the colon in "recorded:PATH"; empty if nothing does.
        map_path: Folder of the chosen map; None if there is none (not every provider has maps).
        data_home: Folder of maps, caches and worlds; None: nothing can be kept on this machine.
        key: Key of the service, for a provider that needs one.
        base_url: Address to use instead of the service's own (an emulator, a gateway).
        cache_folder: Where replies may be kept as far as the service's terms allow; None: nowhere.
        keep_payload_days: For how many days the user chose to keep whole replies of a service whose terms let
            only ids and coordinates be kept; None: for ever, 0: not at all.
        contact: Where the people behind a public service can reach the user (e-mail or web address); empty if
            he gave none.
        options: The provider's own part of the configuration, `[providers.NAME]`.
        language: Language of names and instructions (BCP 47).
        region: Country whose point of view counts, as a two-letter code; empty: the service's own choice.
        recording: What the wire is to write to or answer from (a `map_tools.wire.Recorder` or `Player`).
        processes: How many processes ask the same service side by side; `machines`: on how many machines. The
            rate that a service allows is divided among them (`map_tools.wire.WirePolicy.shared`).
    """

    name: str
    argument: str = ""
    map_path: Path | None = None
    data_home: Path | None = None
    key: SecretStr | None = None
    base_url: str | None = None
    cache_folder: Path | None = None
    keep_payload_days: float | None = 0
    contact: str = ""
    options: Mapping[str, Any] = Field(default_factory=dict)
    language: str = "en"
    region: str = ""
    recording: object | None = None
    processes: int = Field(default=1, ge=1)
    machines: int = Field(default=1, ge=1)


class Capabilities(Frozen):
    """What a provider can do; the planner never asks for what is missing.

    `facts` names the attributes of `Place` the provider may fill ("address", "hours", "rating", ...).
    """

    modes: frozenset[TravelMode]
    facts: frozenset[str]
    nearby: bool = True
    """Can search around a position."""
    areas: bool = False
    """Can confine a search to a named area."""
    cheap_names: bool = False
    """Looking up a name costs nothing, so the language side may use it to find the names in a sentence.

    Such a provider also has a method `score(text)` (the port `mapagent.core.ports.NameHints`)."""
    full_candidates: bool = False
    """Places found by name or nearby are already complete, so `place_details` would add nothing."""
    avoids: frozenset[Avoid] = frozenset()
    """What ways can be asked to do without (`AvoidsRoads`)."""
    narrow_names: bool = False
    """Names can be looked up among the places of a kind or inside an area (`NarrowsNames`)."""
    timetables: bool = False
    """Ways by public transport follow a timetable, by the time of leaving or arriving (`KeepsTimetables`)."""
    halves: bool = False
    """"North of" means anywhere further north, as in a picture, and not within 45° of north."""


class Terms(Frozen):
    """What may be kept and what must be shown (sources are linked in each provider's module)."""

    attribution: str
    attribution_url: str = ""
    keep_payload_days: int | None = None
    """None: for ever; 0: not at all."""
    base_map: str = ANY_BASE_MAP
    """What results may be drawn over: "any", or the name of the only base map allowed."""
    travel_warnings: Mapping[TravelMode, str] = Field(default_factory=dict)
    """Sentences that must be shown with every time, distance and route of a mode ("Walking directions are in
    beta ...")."""


@runtime_checkable
class Provider(Protocol):
    """A source of map facts. All coordinates are `LatLng`, distances metres, durations seconds."""

    name: str
    map_name: str | None
    """Name of the map behind it, if it has one."""
    capabilities: Capabilities
    terms: Terms

    async def find_place(
        self, text: str, *, near: LatLng | None = None, limit: int = 5
    ) -> tuple[Candidate, ...]:
        """Places whose name or address fits `text`, best first; empty if none does."""
        ...

    async def place_details(self, place_id: str) -> Place:
        """Everything known of a place.

        Raises:
            PlaceNotFoundError: No place has this id.
        """
        ...

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
        """Places of a kind around a spot.

        Within `radius_m` of `center`, having one of `categories` (ids of `map_tools.kinds.concepts`; none given:
        any) and, if given, fitting `keyword` in name, cuisine, brand or other attribute. None as `limit`
        means all; a source that cannot tell all of them returns a `CutList`.

        Raises:
            UnsupportedError: The centre is a place without a position and the source has no list for it.
        """
        ...

    async def inside(
        self, area_id: str, *, categories: tuple[str, ...] = (), keyword: str | None = None
    ) -> tuple[Place, ...]:
        """Places inside a named area (a place with an outline).

        Raises:
            UnsupportedError: The provider has no areas, or this place has no outline.
        """
        ...

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
        """Routes, best first; one leg between each two stops.

        Raises:
            UnsupportedError: The mode is not served (never answered with another mode's times).
            NoRouteError: There is no way.
        """
        ...

    async def matrix(
        self, origins: tuple[Spot, ...], destinations: tuple[Spot, ...], *, mode: TravelMode
    ) -> Matrix:
        """Travel times and distances from every origin to every destination.

        Raises:
            UnsupportedError: The mode is not served.
        """
        ...

    async def close(self) -> None:
        """Frees what the provider holds."""
        ...


@runtime_checkable
class ChoosesFacts(Protocol):
    """A provider whose calls cost more, the more facts they bring."""

    def wanting(self, facts: frozenset[str]) -> Provider:
        """The same provider, whose searches and details bring these attributes of `Place`.

        It shares everything with the one it is made of; only that one is closed.
        """
        ...


@runtime_checkable
class HasBuild(Protocol):
    """A provider whose map is a build on this machine (`map_tools.maps.home`)."""

    @property
    def build(self) -> Path:
        """Folder of the build, which never changes."""
        ...


@runtime_checkable
class HasZone(Protocol):
    """A provider whose places all lie in one time zone."""

    @property
    def timezone(self) -> str:
        """IANA name of the zone."""
        ...


class AvoidsRoads(Protocol):
    """A provider that declares `Capabilities.avoids`: its `directions` takes more."""

    async def directions(
        self,
        origin: Spot,
        destination: Spot,
        *,
        mode: TravelMode,
        waypoints: tuple[Spot, ...] = (),
        alternatives: bool = False,
        depart_at: datetime | None = None,
        avoid: tuple[Avoid, ...] = (),
    ) -> tuple[Route, ...]:
        """As `Provider.directions`; the ways do without `avoid` as far as there are such ways."""
        ...


class KeepsTimetables(Protocol):
    """A provider that declares `Capabilities.timetables`: what it is asked of public transport takes more.

    Times without a zone are local. Where neither is given one leaves now; `depart_at` goes before `arrive_by`.
    What comes back says when one leaves and arrives.
    """

    async def directions(
        self,
        origin: Spot,
        destination: Spot,
        *,
        mode: TravelMode,
        waypoints: tuple[Spot, ...] = (),
        alternatives: bool = False,
        depart_at: datetime | None = None,
        arrive_by: datetime | None = None,
    ) -> tuple[Route, ...]:
        """As `Provider.directions`: the earliest arrival after `depart_at`, or the latest departure for `arrive_by`."""
        ...

    async def matrix(
        self,
        origins: tuple[Spot, ...],
        destinations: tuple[Spot, ...],
        *,
        mode: TravelMode,
        depart_at: datetime | None = None,
        arrive_by: datetime | None = None,
    ) -> Matrix:
        """As `Provider.matrix`, each cell as `directions` has it."""
        ...


class NarrowsNames(Protocol):
    """A provider that declares `Capabilities.narrow_names`: its `find_place` takes more."""

    async def find_place(
        self,
        text: str,
        *,
        near: LatLng | None = None,
        limit: int = 5,
        kind: tuple[str, ...] = (),
        inside: str | None = None,
    ) -> tuple[Candidate, ...]:
        """As `Provider.find_place`, among fewer places.

        Args:
            text: The name or address.
            near: Bias.
            limit: How many at most.
            kind: Category ids, one of which they must have; none: any.
            inside: The id of an area they must lie in.

        Raises:
            PlaceNotFoundError: No place has the id `inside`.
            UnsupportedError: That place has no outline.
        """
        ...


@runtime_checkable
class HasShapes(Protocol):
    """A provider that knows the outlines of areas and the course of lines.

    Where it does, `nearby` around a place that one is in or along (`map_tools.kinds.concepts.is_ground`) measures
    from its shape: what lies in a park is at distance 0.
    """

    async def shape(self, place_id: str) -> Shape | None:
        """The outline of an area, or the whole of a line; None for a place that is known as a point.

        A street, river or railway is all pieces of its name that are connected, or nearly.

        Raises:
            PlaceNotFoundError: No place has this id.
        """
        ...


@runtime_checkable
class TellsReach(Protocol):
    """A provider that knows what can be reached within a time (isochrones)."""

    async def reach(self, origin: Spot, *, within_s: float, mode: TravelMode) -> Shape:
        """The area that one reaches from a spot within a time; it holds the spot, or the road nearest to it.

        Raises:
            UnsupportedError: The mode is not served, or such areas are not.
            NoRouteError: No way of this mode begins there.
            LimitError: The time is longer than the source works out.
        """
        ...


@runtime_checkable
class TellsDepartures(Protocol):
    """A provider that knows what leaves from a stop."""

    async def departures(self, stop: Spot, *, at: datetime | None = None) -> tuple[tuple[Ride, ...], bool]:
        """The next rides from a stop, in order, each to the end of its way; and whether these are all within a day.

        Raises:
            UnsupportedError: There is no timetable, no such stop in it, or the day is not in it.
        """
        ...


@runtime_checkable
class Bounded(Protocol):
    """A provider over a map that ends somewhere, all of whose places can be told."""

    @property
    def extent(self) -> Box | None:
        """The box that the map covers; None if it knows no position."""
        ...

    async def everywhere(
        self, *, categories: tuple[str, ...] = (), keyword: str | None = None
    ) -> tuple[Place, ...]:
        """All places of the map that have one of the categories and fit the keyword, as for `nearby`."""
        ...


def asking_for(provider: Provider, facts: Iterable[str]) -> Provider:
    """The provider as it should be asked where these attributes of `Place` are wanted.

    Args:
        provider: Any provider; one that does not choose is returned as it is.
        facts: Attributes of `Place`; none: all that the provider has but `COSTLY_FACTS`.
    """
    if not isinstance(provider, ChoosesFacts):
        return provider
    return provider.wanting(frozenset(facts) or provider.capabilities.facts - COSTLY_FACTS)


@runtime_checkable
class Entrusted(Protocol):
    """A provider factory that is told settings of the user's which no other provider gets to see: a key."""

    entrusted: Mapping[str, str]
    """Fields of `ProviderSetting`, and the setting each is filled from ("key": "google_key")."""


class ProviderFactory(Protocol):
    """What is registered under `mapagent.providers`: a class (or other object) that opens a provider."""

    def from_setting(self, setting: ProviderSetting) -> Provider:
        """Opens the provider.

        Raises:
            UsageError: What it needs (a map, a path, a key) is missing or wrong.
        """
        ...
