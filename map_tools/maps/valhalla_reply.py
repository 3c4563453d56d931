"""Reads Valhalla's replies into `Route`, `MatrixCell` and `Shape`.

The reply's fields: https://valhalla.github.io/valhalla/api/turn-by-turn/api-reference/#outputs-of-a-route,
https://valhalla.github.io/valhalla/api/matrix/api-reference/#outputs-of-the-matrix-service and
https://valhalla.github.io/valhalla/api/isochrone/api-reference/#outputs-of-the-isochrone-service.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from map_tools.compute.route_replies import snap_warnings, told_apart, with_whole_roundabouts
from map_tools.compute.shapes import shape_of
from map_tools.text import names_first
from map_tools.types import NO_WAY, LatLng, MatrixCell, Route, RouteLeg, RouteStep, Shape

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


def read_routes(reply: Mapping[str, Any], stops: Sequence[LatLng]) -> tuple[Route, ...]:
    """The best route and its alternatives, each with a summary that tells it from the others."""
    trips = [reply["trip"], *(other["trip"] for other in reply.get("alternates", ()))]
    return told_apart([_route(trip, stops) for trip in trips])


def read_matrix(reply: Mapping[str, Any]) -> tuple[tuple[MatrixCell, ...], ...]:
    """The cells of a matrix; a pair that is not connected is empty."""
    return tuple(
        tuple(
            NO_WAY
            if cell["time"] is None or cell["distance"] is None
            else MatrixCell(distance_m=cell["distance"] * 1000, duration_s=cell["time"])
            for cell in row
        )
        for row in reply["sources_to_targets"]
    )


def read_isochrone(reply: Mapping[str, Any]) -> Shape | None:
    """The area of an isochrone, all its pieces in one; None if it is empty, or no road is near.

    Where no road is near Valhalla makes a small circle. That is seen from an empty feature "snapped", which comes
    if it is asked with `show_locations`.

    Raises:
        ValueError: A piece is no geometry.
    """
    import shapely

    pieces = []
    for feature in reply["features"]:
        geometry = feature["geometry"]
        if feature["properties"].get("type") == "snapped" and not geometry["coordinates"]:
            return None
        if geometry["type"] in {"Polygon", "MultiPolygon"}:
            pieces.append(shapely.from_geojson(json.dumps(geometry), on_invalid="ignore"))
    if None in pieces:
        raise ValueError("a piece of the area is no geometry")
    return shape_of(shapely.GeometryCollection(pieces), "area")


def read_grade(reply: Mapping[str, Any]) -> int:
    """The highest grade of the paths that a traced way runs over (Valhalla has them as 1 to 6); 0 if none has one.

    The fields: https://valhalla.github.io/valhalla/api/map-matching/api-reference/.
    """
    return max((edge.get("sac_scale", 0) for edge in reply["edges"]), default=0)


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
        points = [LatLng(lat=lat, lng=lng) for lat, lng in decode_polyline(leg["shape"])]
        legs.append(_leg(leg, points))
        geometry += points[1:] if geometry else points
    return Route(
        summary="",
        distance_m=trip["summary"]["length"] * 1000,
        duration_s=trip["summary"]["time"],
        legs=tuple(legs),
        warnings=tuple(snap_warnings(geometry, stops)),
        geometry=tuple(geometry),
    )


def _leg(leg: Mapping[str, Any], points: Sequence[LatLng]) -> RouteLeg:
    return RouteLeg(
        distance_m=leg["summary"]["length"] * 1000,
        duration_s=leg["summary"]["time"],
        steps=with_whole_roundabouts(_step(maneuver, points) for maneuver in leg["maneuvers"]),
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
