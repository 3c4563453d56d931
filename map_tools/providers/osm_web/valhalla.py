"""Asks a server that runs Valhalla (https://valhalla.github.io/valhalla/api/)."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from map_tools.errors import LimitError, NoRouteError
from map_tools.maps.routing import COSTING, LEADING_ON, MAX_SNAP_M, REACH_FORM, WIDE_SEARCH
from map_tools.maps.valhalla_reply import read_isochrone, read_matrix, read_routes
from map_tools.providers.http_clients import HttpClients, error_body, host_of, reading, refusal
from map_tools.providers.osm_web.places import Json
from map_tools.providers.osm_web.servers import ALTERNATIVES, RouterOption, Stops, said_by
from map_tools.providers.travel_table import Cells, in_halves
from map_tools.types import NO_WAY, LatLng, MatrixCell, Route, Shape, TravelMode

NO_WAY_CODES = frozenset({154, 170, 171, 442, 443})
"""Too far away, unconnected regions, no road near a position, no path
(https://valhalla.github.io/valhalla/api/turn-by-turn/api-reference/#internal-error-codes-and-conditions)."""
TOO_BIG_CODES = frozenset({150, 152, 153})
"""Too many positions by the server's limits."""
TOO_LONG_CODE = 151
"""A longer time than the server works out."""
SEARCHES: tuple[Mapping[str, int], ...] = ({}, WIDE_SEARCH)
"""How roads near a position are looked for: first as the server usually does. Where that finds no way, the
nearest road may be a short piece cut off from the rest, and more of them are considered."""


class Valhalla:
    """One server; it holds the ways of all modes, and is asked for one.

    Args:
        http_clients: The way to the network.
        option: The server.
        mode: The mode it is asked for.
        language: Language of the instructions (BCP 47).
    """

    def __init__(
        self, http_clients: HttpClients, option: RouterOption, mode: TravelMode, language: str
    ) -> None:
        self._http_clients = http_clients
        self._url = option.url
        self._mode = mode
        self._language = language

    async def routes(self, stops: Stops, *, alternatives: bool) -> tuple[Route, ...]:
        """See `WebRouter.routes`."""
        request: dict[str, Any] = {"language": self._language}
        if alternatives and len(stops) == 2:
            request["alternates"] = ALTERNATIVES
        nearest, wide = SEARCHES
        try:
            reply = await self._ask("route", {**request, "locations": _locations(stops, nearest)})
        except NoRouteError:
            reply = await self._ask("route", {**request, "locations": _locations(stops, wide)})
        with reading(self._who):
            return read_routes(reply, stops)

    async def cells(self, origins: Stops, destinations: Stops) -> Cells:
        """See `WebRouter.cells`."""
        found: dict[tuple[int, int], MatrixCell] = {}
        for search in SEARCHES:
            table = partial(self._table, search=search)
            for row, column, cell in await in_halves(origins, destinations, table):
                if found.get((row, column), NO_WAY) == NO_WAY:
                    found[row, column] = cell
            if len(found) == len(origins) * len(destinations) and NO_WAY not in found.values():
                break
        return [(row, column, cell) for (row, column), cell in found.items()]

    async def reach(self, origin: LatLng, within_s: float) -> Shape:
        """See `WebRouter.reach`."""
        request = {
            "locations": _locations((origin,), LEADING_ON),
            "contours": [{"time": within_s / 60}],
            "show_locations": True,
            **REACH_FORM,
        }
        reply = await self._ask("isochrone", request)
        with reading(self._who):
            shape = read_isochrone(reply)
        if shape is None:
            raise NoRouteError(
                f"There is no {self._mode.value} route from {origin}.", "Try another mode of travel."
            )
        return shape

    async def _table(self, origins: Stops, destinations: Stops, search: Mapping[str, int]) -> Cells:
        request = {"sources": _locations(origins, search), "targets": _locations(destinations, search)}
        reply = await self._ask("sources_to_targets", request)
        with reading(self._who):
            table = read_matrix(reply)
        return [(row, column, cell) for row, cells in enumerate(table) for column, cell in enumerate(cells)]

    @property
    def _who(self) -> str:
        return f"The server {host_of(self._url)}"

    async def _ask(self, call: str, request: Mapping[str, Any]) -> Json:
        url = f"{self._url}/{call}"
        asked = {"costing": COSTING[self._mode], "units": "kilometers", **request}
        reply = await self._http_clients.post(url, json=asked)
        body = error_body(reply)
        if reply.ok:
            return body
        code = body.get("error_code")
        if code in NO_WAY_CODES:
            raise NoRouteError(
                f"There is no {self._mode.value} route between these places ({said_by(body).rstrip('.')}).",
                "Try another mode of travel.",
            )
        if code in TOO_BIG_CODES:
            raise LimitError(
                f"{self._who} does not take so many places: {said_by(body).rstrip('.')}.",
                "Ask for fewer.",
            )
        if code == TOO_LONG_CODE:
            raise LimitError(
                f"{self._who} does not work that out: {said_by(body).rstrip('.')}.", "Ask for a shorter time."
            )
        raise refusal(url, reply.status, said_by(body))


def _locations(stops: Stops, search: Mapping[str, int]) -> list[dict[str, float]]:
    return [{"lat": stop.lat, "lon": stop.lng, "search_cutoff": MAX_SNAP_M, **search} for stop in stops]
