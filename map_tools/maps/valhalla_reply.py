"""Reads Valhalla's replies into `Route` and `MatrixCell`.

The reply's fields: https://valhalla.github.io/valhalla/api/turn-by-turn/api-reference/#outputs-of-a-route and
https://valhalla.github.io/valhalla/api/matrix/api-reference/#outputs-of-the-matrix-service.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from map_tools.compute.street_names import names_first
from map_tools.types import LatLng, MatrixCell, Route, RouteLeg, RouteStep

MANEUVERS = {
    1: "depart", 2: "depart", 3: "depart",
    4: "arrive", 5: "arrive", 6: "arrive",
    7: "straight", 8: "straight", 17: "ramp", 22: "straight",
    9: "turn-slight-right", 10: "turn-right", 11: "turn-sharp-right",
    14: "turn-sharp-left", 15: "turn-left", 16: "turn-slight-left",
    12: "uturn", 13: "uturn",
    18: "ramp-right", 19: "ramp-left", 20: "ramp-right", 21: "ramp-left",
    23: "keep-right", 24: "keep-left",
    25: "merge", 37: "merge", 38: "merge",
    26: "roundabout", 27: "roundabout-exit",
    28: "ferry", 29: "ferry-exit",
    39: "elevator", 40: "stairs", 41: "escalator", 42: "enter-building", 43: "leave-building",
}  # fmt: skip
"""Valhalla's manoeuvre types by number, in Google's hyphenated words."""

FLAG_NOTES = {
    "toll": "Toll road",
    "highway": "Highway",
    "ferry": "Ferry",
    "gate": "Gate",
    "rough": "Rough road",
}
"""What a manoeuvre's flags say of the way, as remarks beside the instruction."""

SNAP_WARNING_M = 300
"""A route that begins or ends farther than this from the place asked for says so."""

METRES_PER_DEGREE = 111_195
"""Along a meridian on a sphere of 6,371 km; used only to decide on a warning."""


def read_routes(reply: Mapping[str, Any], stops: Sequence[LatLng]) -> tuple[Route, ...]:
    """The best route and its alternatives, each with a summary that tells it from the others."""
    trips = [reply["trip"], *(other["trip"] for other in reply.get("alternates", ()))]
    routes = [_route(trip, stops) for trip in trips]
    summaries = _summaries([_main_streets(route) for route in routes])
    return tuple(
        route.model_copy(update={"summary": summary})
        for route, summary in zip(routes, summaries, strict=True)
    )


def read_matrix(reply: Mapping[str, Any]) -> tuple[tuple[MatrixCell, ...], ...]:
    """The cells of a matrix; a pair that is not connected is empty."""
    return tuple(
        tuple(
            MatrixCell(distance_m=None, duration_s=None)
            if cell["time"] is None or cell["distance"] is None
            else MatrixCell(distance_m=cell["distance"] * 1000, duration_s=cell["time"])
            for cell in row
        )
        for row in reply["sources_to_targets"]
    )


def decode_polyline(encoded: str, precision: int = 6) -> Iterator[tuple[float, float]]:
    """Latitudes and longitudes of an encoded polyline.

    The format: https://developers.google.com/maps/documentation/utilities/polylinealgorithm (there with a
    precision of 5 digits; Valhalla uses 6).
    """
    scale = 10.0**precision
    values: list[int] = [0, 0]
    axis = shift = chunk = 0
    for char in encoded:
        bits = ord(char) - 63
        chunk |= (bits & 0x1F) << shift
        shift += 5
        if bits < 0x20:  # the last group of a number
            values[axis] += ~(chunk >> 1) if chunk & 1 else chunk >> 1
            if axis == 1:
                yield values[0] / scale, values[1] / scale
            axis, shift, chunk = 1 - axis, 0, 0


def _route(trip: Mapping[str, Any], stops: Sequence[LatLng]) -> Route:
    geometry: list[LatLng] = []
    legs: list[RouteLeg] = []
    for leg in trip["legs"]:
        points = [LatLng.model_construct(lat=lat, lng=lng) for lat, lng in decode_polyline(leg["shape"])]
        legs.append(_leg(leg, points))
        geometry += points[1:] if geometry else points
    return Route(
        summary="",
        distance_m=trip["summary"]["length"] * 1000,
        duration_s=trip["summary"]["time"],
        legs=tuple(legs),
        warnings=tuple(_snap_warnings(geometry, stops)),
        geometry=tuple(geometry),
    )


def _leg(leg: Mapping[str, Any], points: Sequence[LatLng]) -> RouteLeg:
    steps: list[RouteStep] = []
    for maneuver in leg["maneuvers"]:
        step = _step(maneuver, points)
        if step.maneuver == "roundabout-exit" and steps and steps[-1].maneuver == "roundabout":
            steps[-1] = _join_roundabout(steps[-1], step)
        else:
            steps.append(step)
    return RouteLeg(
        distance_m=leg["summary"]["length"] * 1000, duration_s=leg["summary"]["time"], steps=tuple(steps)
    )


def _step(maneuver: Mapping[str, Any], points: Sequence[LatLng]) -> RouteStep:
    return RouteStep(
        instruction=maneuver["instruction"],
        distance_m=maneuver["length"] * 1000,
        duration_s=maneuver["time"],
        streets=names_first(maneuver.get("street_names", ())),
        maneuver=MANEUVERS.get(maneuver["type"], ""),
        roundabout_exit=maneuver.get("roundabout_exit_count"),
        notes=tuple(note for flag, note in FLAG_NOTES.items() if maneuver.get(flag)),
        location=points[maneuver["begin_shape_index"]],
    )


def _join_roundabout(enter: RouteStep, leave: RouteStep) -> RouteStep:
    """Entering and leaving a roundabout are one manoeuvre for whoever drives, and for whoever counts."""
    return enter.model_copy(
        update={
            "distance_m": (enter.distance_m or 0) + (leave.distance_m or 0),
            "duration_s": (enter.duration_s or 0) + (leave.duration_s or 0),
            "streets": leave.streets or enter.streets,
            "notes": tuple(dict.fromkeys((*enter.notes, *leave.notes))),
        }
    )


def _main_streets(route: Route) -> tuple[str, ...]:
    """Street names by the length travelled on them, longest first."""
    lengths: Counter[str] = Counter()
    for step in route.steps:
        if step.streets and step.distance_m:
            lengths[step.streets[0]] += round(step.distance_m)
    return tuple(name for name, _ in lengths.most_common())


def _summaries(streets: Sequence[tuple[str, ...]]) -> list[str]:
    """The main street of each route, with a second one where two would be called the same."""
    summaries = []
    for index, names in enumerate(streets):
        rivals = [
            other for at, other in enumerate(streets) if at != index and names and other[:1] == names[:1]
        ]
        if not rivals or len(names) < 2:
            summaries.append(names[0] if names else "")
            continue
        own = [name for name in names[1:] if all(name not in other for other in rivals)]
        summaries.append(f"{names[0]} and {(own or names[1:])[0]}")
    return summaries


def _snap_warnings(geometry: Sequence[LatLng], stops: Sequence[LatLng]) -> Iterator[str]:
    if not geometry:
        return
    for verb, found, wanted in (("begins", geometry[0], stops[0]), ("ends", geometry[-1], stops[-1])):
        away_m = _rough_distance_m(found, wanted)
        if away_m > SNAP_WARNING_M:
            yield f"The route {verb} at the nearest road, {away_m:.0f} m from the place itself."


def _rough_distance_m(a: LatLng, b: LatLng) -> float:
    east = (a.lng - b.lng) * math.cos(math.radians(a.lat))
    return math.hypot(a.lat - b.lat, east) * METRES_PER_DEGREE
