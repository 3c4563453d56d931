"""Asks routing servers: those that speak OSRM's HTTP API, and those that run Valhalla.

OSRM: https://project-osrm.org/docs/v5.24.0/api/, with the reply's fields at
https://project-osrm.org/docs/v5.24.0/api/#result-objects. It sends no words for manoeuvres, so they are made here of
types and modifiers (https://project-osrm.org/docs/v5.24.0/api/#stepmaneuver-object).
Valhalla: https://valhalla.github.io/valhalla/api/.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from map_tools.compute.route_replies import snap_warnings, told_apart, with_whole_roundabouts
from map_tools.errors import LimitError, NoRouteError, ProviderError, UnsupportedError
from map_tools.maps.valhalla_reply import decode_polyline, read_isochrone, read_matrix, read_routes
from map_tools.maps.valhalla_request import COSTING, LEADING_ON, MAX_SNAP_M, REACH_FORM, WIDE_SEARCH
from map_tools.providers.http_clients import HttpClients, error_body, host_of, reading, refusal
from map_tools.providers.osm_web.places import Json
from map_tools.providers.osm_web.servers import ALTERNATIVES, RouterOption, Stops, said_by
from map_tools.providers.travel_table import Cells, in_halves, is_walkable
from map_tools.text import names_first
from map_tools.types import NO_WAY, LatLng, MatrixCell, Route, RouteLeg, RouteStep, Shape, TravelMode

FOREIGN: Mapping[TravelMode, frozenset[str]] = {
    TravelMode.WALKING: frozenset({"driving", "cycling"}),
    TravelMode.BICYCLING: frozenset({"driving"}),
}
"""How no step of a mode's routes is travelled; a server that says so holds the graph of another mode."""
OSRM_NO_WAY = frozenset({"NoRoute", "NoSegment", "NoTable"})

TURNS: Mapping[str, tuple[str, str]] = {
    "uturn": ("uturn", "Make a U-turn"),
    "sharp right": ("turn-sharp-right", "Turn sharply right"),
    "right": ("turn-right", "Turn right"),
    "slight right": ("turn-slight-right", "Bear right"),
    "straight": ("straight", "Continue straight"),
    "slight left": ("turn-slight-left", "Bear left"),
    "left": ("turn-left", "Turn left"),
    "sharp left": ("turn-sharp-left", "Turn sharply left"),
}
"""Modifiers: our hyphenated word, and the instruction."""
_RINGS = frozenset({"roundabout", "rotary"})
_SIDES = {
    "on ramp": ("ramp", "Take the ramp"),
    "off ramp": ("ramp", "Take the exit"),
    "merge": ("merge", "Merge"),
}
_PLAIN = {
    "depart": ("depart", "Set off"),
    "arrive": ("arrive", "You have arrived"),
    "new name": ("straight", "Continue"),
    "notification": ("straight", "Continue"),
    "exit roundabout": ("roundabout-exit", "Leave the roundabout"),
    "exit rotary": ("roundabout-exit", "Leave the roundabout"),
}


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
            routes = read_osrm_routes(reply, stops)
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

    async def reach(self, origin: LatLng, within_s: float) -> Shape:  # noqa: ARG002 (OSRM has no such service)
        """`UnsupportedError`: OSRM does not work out what is reached within a time."""
        raise UnsupportedError(
            f"{self._who} runs OSRM, which does not tell what can be reached within a time.",
            f"Name a server that runs Valhalla for {self._mode.value}.",
        )

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
        if code in OSRM_NO_WAY:
            raise NoRouteError(
                f"There is no {self._mode.value} route between these places.", "Try another mode of travel."
            )
        if code == "TooBig":
            raise LimitError(f"{self._who} does not take so many places at once.", "Ask for fewer.")
        raise refusal(url, reply.status, said_by(body))


def _lonlat(at: LatLng) -> str:
    return f"{at.lng:.6f},{at.lat:.6f}"


def read_osrm_routes(reply: Json, stops: Sequence[LatLng]) -> tuple[Route, ...]:
    """The best route and its alternatives."""
    return told_apart([_route(route, stops) for route in reply["routes"]])


def far_from_roads(waypoints: Sequence[Json]) -> list[bool]:
    """For each position asked for, whether it lies off the roads."""
    return [point.get("distance", 0.0) > MAX_SNAP_M for point in waypoints]


def read_cells(reply: Json) -> Iterator[tuple[int, int, MatrixCell]]:
    """(row, column, travel) for each pair; no way where OSRM has none or a position lies off the roads."""
    lost_rows, lost_columns = far_from_roads(reply["sources"]), far_from_roads(reply["destinations"])
    for row, durations in enumerate(reply["durations"]):
        for column, duration_s in enumerate(durations):
            length_m = reply["distances"][row][column]
            lost = lost_rows[row] or lost_columns[column] or duration_s is None or length_m is None
            yield row, column, NO_WAY if lost else MatrixCell(distance_m=length_m, duration_s=duration_s)


def modes_used(reply: Json) -> set[str]:
    """How the steps of the routes are travelled: "driving", "walking", "ferry", ..."""
    return {
        step["mode"]
        for route in reply["routes"]
        for leg in route["legs"]
        for step in leg["steps"]
        if step.get("mode")
    }


def _route(route: Json, stops: Sequence[LatLng]) -> Route:
    geometry = tuple(LatLng(lat=lat, lng=lng) for lat, lng in decode_polyline(route["geometry"]))
    return Route(
        summary="",
        distance_m=route["distance"],
        duration_s=route["duration"],
        legs=tuple(map(_leg, route["legs"])),
        warnings=tuple(snap_warnings(geometry, stops)),
        geometry=geometry,
    )


def _leg(leg: Json) -> RouteLeg:
    return RouteLeg(
        distance_m=leg["distance"],
        duration_s=leg["duration"],
        steps=with_whole_roundabouts(map(_step, leg["steps"])),
    )


def _step(step: Json) -> RouteStep:
    maneuver: dict[str, Any] = step["maneuver"]
    kind, modifier = maneuver["type"], maneuver.get("modifier", "")
    streets = names_first(name for name in (step.get("name", ""), *step.get("ref", "").split("; ")) if name)
    exit_number = maneuver.get("exit")
    word = maneuver_of(kind, modifier)
    lng, lat = maneuver["location"]
    return RouteStep(
        instruction=instruction(kind, modifier, streets[0] if streets else "", exit_number),
        distance_m=step["distance"],
        duration_s=step["duration"],
        streets=streets,
        maneuver="ferry" if step.get("mode") == "ferry" else word,
        roundabout_exit=exit_number if word == "roundabout" else None,
        notes=("Ferry",) if step.get("mode") == "ferry" else (),
        location=LatLng(lat=lat, lng=lng),
    )


def maneuver_of(kind: str, modifier: str) -> str:
    """Our hyphenated word for a manoeuvre; turns at roundabouts no larger than a crossing are turns."""
    if kind in _RINGS:
        return "roundabout"
    if kind in _PLAIN:
        return _PLAIN[kind][0]
    side = "left" if "left" in modifier else "right" if "right" in modifier else ""
    if kind == "fork" and side:
        return f"keep-{side}"
    if kind in _SIDES:
        word = _SIDES[kind][0]
        return f"{word}-{side}" if side and word == "ramp" else word
    return TURNS.get(modifier, ("", ""))[0]


def instruction(kind: str, modifier: str, street: str, exit_number: int | None = None) -> str:
    """A sentence for a manoeuvre ("Turn left onto Harbour Road").

    Args:
        kind: The manoeuvre's type.
        modifier: Its modifier, empty if it has none.
        street: The street one is on afterwards, empty if it has no name.
        exit_number: Of a roundabout, counted from 1.
    """
    if kind == "arrive":
        where = f": the destination is on the {modifier}" if modifier in {"left", "right"} else ""
        return f"{_PLAIN[kind][1]}{where}"
    words = _words(kind, modifier, exit_number)
    return f"{words} {'on' if kind in {'depart', 'new name'} else 'onto'} {street}" if street else words


def _words(kind: str, modifier: str, exit_number: int | None) -> str:
    if kind in _RINGS:
        which = f"take exit {exit_number}" if exit_number else "go round"
        return f"At the roundabout, {which}"
    if kind in _PLAIN:
        return _PLAIN[kind][1]
    side = next((side for side in ("left", "right") if side in modifier), "")
    if kind == "fork" and side:
        return f"Keep {side}"
    if kind in _SIDES:
        return f"{_SIDES[kind][1]} on the {side}" if side else _SIDES[kind][1]
    return TURNS.get(modifier, ("", "Continue"))[1]


VALHALLA_NO_WAY = frozenset({154, 170, 171, 442, 443})
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
        if code in VALHALLA_NO_WAY:
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
