"""Asks a server that speaks OSRM's HTTP API (https://project-osrm.org/docs/v5.24.0/api/)."""

from collections.abc import Mapping

from map_tools.errors import LimitError, NoRouteError, ProviderError
from map_tools.providers.http_clients import HttpClients, error_body, reading, refusal
from map_tools.providers.osm_web.options import RouterOption
from map_tools.providers.osm_web.osrm_reply import far_from_roads, modes_used, read_cells, read_routes
from map_tools.providers.osm_web.places import Json
from map_tools.providers.osm_web.routers import ALTERNATIVES, Stops, said_by
from map_tools.providers.travel_table import Cells, in_halves, is_walkable
from map_tools.providers.usage_policy import host_of
from map_tools.types import LatLng, Route, TravelMode

FOREIGN: Mapping[TravelMode, frozenset[str]] = {
    TravelMode.WALKING: frozenset({"driving", "cycling"}),
    TravelMode.BICYCLING: frozenset({"driving"}),
}
"""How no step of a mode's routes is travelled; a server that says so holds the graph of another mode."""
NO_WAY_CODES = frozenset({"NoRoute", "NoSegment", "NoTable"})


class Osrm:
    """One server, which holds the graph of one mode.

    Args:
        http_clients: The way to the network.
        option: The server.
        mode: The mode it is asked for.
    """

    def __init__(self, http_clients: HttpClients, option: RouterOption, mode: TravelMode) -> None:
        self._http_clients = http_clients
        self._option = option
        self._mode = mode

    async def routes(self, stops: Stops, *, alternatives: bool) -> tuple[Route, ...]:
        """See `WebRouter.routes`."""
        several = str(ALTERNATIVES) if alternatives and len(stops) == 2 else "false"
        reply = await self._ask(
            "route",
            stops,
            {"overview": "full", "geometries": "polyline6", "steps": "true", "alternatives": several},
        )
        with reading(self._who):
            lost, modes = far_from_roads(reply["waypoints"]), modes_used(reply)
            routes = read_routes(reply, stops)
        if any(lost):
            raise NoRouteError(
                f"There is no {self._mode.value} route: a stop lies far from every road.",
                "Name a place by a road.",
            )
        if not modes.isdisjoint(FOREIGN.get(self._mode, ())):
            raise self._other_graph()
        return routes

    async def cells(self, origins: Stops, destinations: Stops) -> Cells:
        """See `WebRouter.cells`."""
        cells = await in_halves(origins, destinations, self._table)
        if self._mode is TravelMode.WALKING and not is_walkable(cells):
            raise self._other_graph()
        return cells

    async def _table(self, origins: Stops, destinations: Stops) -> Cells:
        rows, columns = range(len(origins)), range(len(origins), len(origins) + len(destinations))
        params = {
            "annotations": "duration,distance",
            "sources": ";".join(map(str, rows)),
            "destinations": ";".join(map(str, columns)),
        }
        reply = await self._ask("table", (*origins, *destinations), params)
        with reading(self._who):
            return list(read_cells(reply))

    @property
    def _who(self) -> str:
        return f"The server {host_of(self._option.url)}"

    def _other_graph(self) -> ProviderError:
        return ProviderError(
            f"{self._who} answers with the ways of another mode than {self._mode.value}.",
            f"Name a server for {self._mode.value} in the configuration, or none.",
        )

    async def _ask(self, service: str, stops: Stops, params: Mapping[str, str]) -> Json:
        url = f"{self._option.url}/{service}/v1/{self._option.profile}/{';'.join(map(_lonlat, stops))}"
        reply = await self._http_clients.get(url, params)
        body = error_body(reply)
        code = str(body.get("code", ""))
        if reply.ok and code == "Ok":
            return body
        if code in NO_WAY_CODES:
            raise NoRouteError(
                f"There is no {self._mode.value} route between these places.", "Try another mode of travel."
            )
        if code == "TooBig":
            raise LimitError(f"{self._who} does not take so many places at once.", "Ask for fewer.")
        raise refusal(url, reply.status, said_by(body))


def _lonlat(at: LatLng) -> str:
    return f"{at.lng:.6f},{at.lat:.6f}"
