"""Reads OSRM's replies into `Route` and `MatrixCell`.

The reply's fields: https://project-osrm.org/docs/v5.24.0/api/#result-objects.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from map_tools.compute.step_reader import snap_warnings, told_apart, with_whole_roundabouts
from map_tools.compute.street_names import names_first
from map_tools.maps.valhalla_reply import decode_polyline
from map_tools.providers.osm_web.osrm_words import instruction, maneuver_of
from map_tools.providers.osm_web.places import Json
from map_tools.types import NO_WAY, LatLng, MatrixCell, Route, RouteLeg, RouteStep

MAX_SNAP_M = 5_000.0
"""A position farther than this from every road of the server's graph has no route: OSRM itself would take the
nearest road, wherever it is. The embedded router keeps the same limit."""


def read_routes(reply: Json, stops: Sequence[LatLng]) -> tuple[Route, ...]:
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
