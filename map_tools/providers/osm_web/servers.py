"""Which servers are asked: the part `[providers.osm-web]` of the configuration, and what it must not say.

A routing server serves one mode of travel, whichever engine it runs (`WebRouter`).
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal, Protocol, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, model_validator

from map_tools.providers.travel_table import Cells
from map_tools.types import Frozen, LatLng, Route, Shape, TravelMode
from map_tools.wire.environment import WebAddress

NOMINATIM = "https://nominatim.openstreetmap.org"
OVERPASS = "https://overpass-api.de/api/interpreter"
FOSSGIS = "https://routing.openstreetmap.de"
"""OSRM for cars, bicycles and feet, each below a path of its own (https://routing.openstreetmap.de/about.html)."""
CAR_ONLY = frozenset({"router.project-osrm.org"})
"""Holds the car's graph alone, whatever profile its address names
(https://github.com/Project-OSRM/osrm-backend/wiki/Demo-server)."""

ALTERNATIVES = 2
"""Routes besides the best one."""
TABLE_SIDE = 50
"""Rows and columns of one request: OSRM's default takes 100 positions
(https://github.com/Project-OSRM/osrm-backend/blob/master/docs/http.md, `--max-table-size`), Valhalla's 2,500
pairs (https://valhalla.github.io/valhalla/api/matrix/api-reference/)."""


def _without_query(text: str) -> str:
    if urlsplit(text).query:
        raise ValueError("an address of a server has no query")
    return text.rstrip("/")


type Address = Annotated[WebAddress, AfterValidator(_without_query)]


class RouterOption(Frozen):
    """A routing server.

    Attributes:
        engine: What it speaks: OSRM's HTTP API or Valhalla's.
        url: Its address up to, and without, `/route`.
        profile: The profile in OSRM's paths. A server holds one graph and mostly ignores the word.
    """

    engine: Literal["osrm", "valhalla"]
    url: Address
    profile: str = Field(default="driving", pattern="^[a-zA-Z_-]+$")


class OsmWebOptions(Frozen):
    """The servers.

    Attributes:
        nominatim: Finds places by name or address; its address up to `/search`.
        overpass: Finds places around a position; the address of its interpreter.
        routers: One for each mode of travel that is to be served; a mode without one is refused.
        requests_per_s: Pace for servers that are neither public nor on this machine.
    """

    nominatim: Address = NOMINATIM
    overpass: Address = OVERPASS
    routers: Mapping[TravelMode, RouterOption] = {
        TravelMode.DRIVING: RouterOption(engine="osrm", url=f"{FOSSGIS}/routed-car"),
        TravelMode.WALKING: RouterOption(engine="osrm", url=f"{FOSSGIS}/routed-foot"),
        TravelMode.BICYCLING: RouterOption(engine="osrm", url=f"{FOSSGIS}/routed-bike"),
    }
    requests_per_s: Annotated[float, Field(gt=0)] = 1.0

    @model_validator(mode="after")
    def _each_mode_has_its_own_graph(self) -> Self:
        if TravelMode.TRANSIT in self.routers:
            raise ValueError("these servers have no timetables; leave out routers.transit")
        seen: dict[str, TravelMode] = {}
        for mode, router in self.routers.items():
            if router.engine != "osrm":
                continue
            other = seen.setdefault(router.url, mode)
            if other is not mode:
                raise ValueError(
                    f"an OSRM server holds the graph of one mode, and {other.value} and {mode.value} name "
                    f"the same one: {router.url}"
                )
            if mode is not TravelMode.DRIVING and urlsplit(router.url).hostname in CAR_ONLY:
                raise ValueError(f"{router.url} knows the ways of cars alone, not {mode.value}")
        return self

    def addresses(self) -> Iterator[str]:
        """The addresses of all servers."""
        yield from (self.nominatim, self.overpass)
        yield from (router.url for router in self.routers.values())


type Stops = tuple[LatLng, ...]


class WebRouter(Protocol):
    """A server's routes and travel times for one mode."""

    async def routes(self, stops: Stops, *, alternatives: bool) -> tuple[Route, ...]:
        """Routes over the stops, best first; more than one only between two stops.

        Raises:
            NoRouteError: The stops are not connected.
            ProviderError: The server failed, or answers for another mode.
        """
        ...

    async def cells(self, origins: Stops, destinations: Stops) -> Cells:
        """Travel between all pairs of a table that the server answers at once."""
        ...

    async def reach(self, origin: LatLng, within_s: float) -> Shape:
        """See `map_tools.providers.base.TellsReach`."""
        ...


def said_by(body: Mapping[str, object]) -> str:
    """The server's own words in an error reply of either engine."""
    return str(body.get("message") or body.get("error") or "")
