"""OSRM's route and table services (https://project-osrm.org/docs/v5.24.0/api/).

Each server holds one graph, whatever profile the path names.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from map_tools.errors import NoRouteError
from map_tools.testing.emulate.osm.world import OsmWorld
from map_tools.testing.emulate.route_format import encode
from map_tools.types import LatLng, Route, RouteLeg, RouteStep, TravelMode

MODES = {
    TravelMode.DRIVING: "driving",
    TravelMode.WALKING: "walking",
    TravelMode.BICYCLING: "cycling",
}
"""OSRM's word for how a step is travelled."""
DIGITS = {"polyline": 5, "polyline6": 6}
"""Forms of a geometry, and their decimal places."""
_TURNS = {
    "uturn": "uturn",
    "turn-sharp-right": "sharp right",
    "turn-right": "right",
    "turn-slight-right": "slight right",
    "straight": "straight",
    "turn-slight-left": "slight left",
    "turn-left": "left",
    "turn-sharp-left": "sharp left",
}
_OTHERS = {
    "depart": ("depart", None),
    "arrive": ("arrive", None),
    "merge": ("merge", "straight"),
    "ramp": ("on ramp", "straight"),
    "ramp-right": ("on ramp", "slight right"),
    "ramp-left": ("on ramp", "slight left"),
    "keep-right": ("fork", "slight right"),
    "keep-left": ("fork", "slight left"),
    "roundabout": ("roundabout", "right"),
    "roundabout-exit": ("exit roundabout", "right"),
    "ferry": ("notification", "straight"),
}


class OsrmError(Exception):
    """A reply with a code other than "Ok".

    Args:
        code: "NoRoute", "NoSegment", "InvalidQuery", ...
        message: A sentence.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


async def route(
    world: OsmWorld, mode: TravelMode, stops: Sequence[LatLng], query: Mapping[str, str]
) -> dict[str, Any]:
    """`/route`."""
    origin, *waypoints, destination = stops
    try:
        routes = await world.provider.directions(
            origin,
            destination,
            mode=mode,
            waypoints=tuple(waypoints),
            alternatives=query.get("alternatives", "false") != "false",
        )
    except NoRouteError as error:
        raise OsrmError("NoRoute", "Impossible route between points") from error
    return {
        "code": "Ok",
        "routes": [_route(each, mode, DIGITS[query.get("geometries", "polyline")]) for each in routes],
        "waypoints": [_waypoint(stop) for stop in stops],
    }


async def table(
    world: OsmWorld, mode: TravelMode, stops: Sequence[LatLng], query: Mapping[str, str]
) -> dict[str, Any]:
    """`/table`; pairs without a way are null."""
    origins, destinations = (_chosen(stops, query.get(side, "all")) for side in ("sources", "destinations"))
    matrix = await world.provider.matrix(tuple(origins), tuple(destinations), mode=mode)
    return {
        "code": "Ok",
        "durations": [[cell.duration_s for cell in row] for row in matrix.rows],
        "distances": [[cell.distance_m for cell in row] for row in matrix.rows],
        "sources": [_waypoint(stop) for stop in origins],
        "destinations": [_waypoint(stop) for stop in destinations],
    }


def _chosen(stops: Sequence[LatLng], indices: str) -> list[LatLng]:
    if indices == "all":
        return list(stops)
    return [stops[int(index)] for index in indices.split(";")]


def _waypoint(at: LatLng) -> dict[str, Any]:
    return {"hint": "", "distance": 0.0, "name": "", "location": _lonlat(at)}


def _route(route: Route, mode: TravelMode, digits: int) -> dict[str, Any]:
    return {
        "distance": route.distance_m,
        "duration": route.duration_s,
        "weight": route.duration_s,
        "weight_name": "routability",
        "geometry": encode(route.geometry, digits),
        "legs": [_leg(leg, mode) for leg in route.legs],
    }


def _leg(leg: RouteLeg, mode: TravelMode) -> dict[str, Any]:
    names = [street for step in leg.steps for street in step.streets[:1]]
    return {
        "distance": leg.distance_m,
        "duration": leg.duration_s,
        "weight": leg.duration_s,
        "summary": ", ".join(list(dict.fromkeys(names))[:2]),
        "steps": [_step(step, mode) for step in leg.steps],
    }


def _step(step: RouteStep, mode: TravelMode) -> dict[str, Any]:
    name, *numbers = step.streets or ("",)
    kind, modifier = _OTHERS.get(step.maneuver) or ("turn", _TURNS.get(step.maneuver, "straight"))
    maneuver: dict[str, Any] = {"type": kind, "bearing_before": 0, "bearing_after": 0}
    if modifier is not None:
        maneuver["modifier"] = modifier
    if step.roundabout_exit is not None:
        maneuver["exit"] = step.roundabout_exit
    if step.location is not None:
        maneuver["location"] = _lonlat(step.location)
    return {
        "distance": step.distance_m,
        "duration": step.duration_s,
        "weight": step.duration_s,
        "name": name,
        **({"ref": "; ".join(numbers)} if numbers else {}),
        "mode": "ferry" if step.maneuver == "ferry" else MODES[mode],
        "driving_side": "right",
        "maneuver": maneuver,
        "intersections": [],
    }


def _lonlat(at: LatLng) -> list[float]:
    return [round(at.lng, 6), round(at.lat, 6)]
