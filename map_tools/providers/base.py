"""What a map provider is: five typed calls, and a declaration of what it can do and under which terms.

A provider builds requests and parses replies. Throttling, retries, caching, recording and redaction are the
wire's, never a provider's. "Nothing found" is an empty tuple; a call that cannot be done raises a `ToolError`.
"""

from datetime import datetime
from typing import Protocol, runtime_checkable

from map_tools.types import Candidate, Frozen, LatLng, Matrix, NearbyPlace, Place, RankBy, Route, TravelMode


class Capabilities(Frozen):
    """What a provider can do; the planner never asks for what is missing.

    `facts` names the attributes of `Place` the provider may fill ("address", "hours", "rating", ...).
    """

    modes: frozenset[TravelMode]
    facts: frozenset[str]
    areas: bool = False
    """Can confine a search to a named area."""
    cheap_names: bool = False
    """Looking up a name costs nothing, so the language side may use it to find the names in a sentence."""


class Terms(Frozen):
    """What may be kept and what must be shown (sources are linked in each provider's module)."""

    attribution: str
    attribution_url: str = ""
    keep_payload_days: int | None = None
    """None: for ever; 0: not at all."""
    base_map: str = "any"
    """What results may be drawn over: "any", or the name of the only base map allowed."""


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
        center: LatLng,
        *,
        radius_m: float,
        categories: tuple[str, ...] = (),
        keyword: str | None = None,
        rank: RankBy = RankBy.DISTANCE,
        limit: int | None = 20,
    ) -> tuple[NearbyPlace, ...]:
        """Places within `radius_m` of `center` that have one of `categories` (ids of `map_tools.concepts`)

        and, if given, fit `keyword` in name, cuisine, brand or other attribute. None as `limit` means all.
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
        origin: LatLng,
        destination: LatLng,
        *,
        mode: TravelMode,
        waypoints: tuple[LatLng, ...] = (),
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
        self, origins: tuple[LatLng, ...], destinations: tuple[LatLng, ...], *, mode: TravelMode
    ) -> Matrix:
        """Travel times and distances from every origin to every destination.

        Raises:
            UnsupportedError: The mode is not served.
        """
        ...

    async def close(self) -> None:
        """Frees what the provider holds."""
        ...
