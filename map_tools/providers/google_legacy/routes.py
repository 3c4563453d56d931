"""Reads replies of the Directions and the Distance Matrix API into `Route` and `MatrixCell`.

The replies: https://developers.google.com/maps/documentation/directions/get-directions#DirectionsResponses
and https://developers.google.com/maps/documentation/distance-matrix/distance-matrix#DistanceMatrixResponse.
Instructions are HTML; remarks stand in `div`s behind them.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from map_tools.maps.valhalla_reply import decode_polyline
from map_tools.providers.google_common.steps import ride_notes, ride_words, step_of
from map_tools.providers.google_legacy.places import Json, read_position
from map_tools.types import NO_WAY, LatLng, MatrixCell, Route, RouteLeg, RouteStep

POLYLINE_DIGITS = 5
"""https://developers.google.com/maps/documentation/utilities/polylinealgorithm"""

_REMARK = re.compile(r"<div[^>]*>")


def read_routes(routes: Iterable[Json], notes: tuple[str, ...] = ()) -> tuple[Route, ...]:
    """The routes in Google's order, best first; `notes` are added to the warnings of each."""
    return tuple(_route(route, notes) for route in routes)


def read_cells(reply: Json) -> Iterator[tuple[int, int, MatrixCell]]:
    """(origin, destination, travel) for each pair; one with any other status than OK has no way."""
    for row, line in enumerate(reply["rows"]):
        for column, element in enumerate(line["elements"]):
            yield row, column, _cell(element)


def _cell(element: Json) -> MatrixCell:
    if element["status"] != "OK":
        return NO_WAY
    return MatrixCell(distance_m=element["distance"]["value"], duration_s=element["duration"]["value"])


def _route(route: Json, notes: tuple[str, ...]) -> Route:
    legs = tuple(map(_leg, route["legs"]))
    shape = (route.get("overview_polyline") or {}).get("points", "")
    return Route(
        summary=route.get("summary", ""),
        distance_m=sum(leg.distance_m or 0.0 for leg in legs),
        duration_s=sum(leg.duration_s or 0.0 for leg in legs),
        legs=legs,
        warnings=(*route.get("warnings", ()), *notes),
        geometry=tuple(LatLng(lat=lat, lng=lng) for lat, lng in decode_polyline(shape, POLYLINE_DIGITS)),
    )


def _leg(leg: Json) -> RouteLeg:
    """With a departure by car the time in traffic counts."""
    time: Any = leg.get("duration_in_traffic") or leg["duration"]
    return RouteLeg(
        distance_m=leg["distance"]["value"],
        duration_s=time["value"],
        steps=tuple(map(_step, leg.get("steps", ()))),
    )


def _step(step: Json) -> RouteStep:
    ride = step.get("transit_details")
    words, *notes = _ride(ride) if ride else _REMARK.split(step.get("html_instructions", ""))
    return step_of(
        words,
        tuple(notes),
        maneuver=step.get("maneuver", ""),
        distance_m=step["distance"]["value"],
        duration_s=step["duration"]["value"],
        location=read_position(step.get("start_location")),
    )


def _ride(ride: Json) -> tuple[str, ...]:
    """The instruction for a ride and the remarks on it."""
    line = ride.get("line") or {}
    vehicle = (line.get("vehicle") or {}).get("name", "")
    words = ride_words(vehicle, line.get("short_name") or line.get("name", ""), ride.get("headsign", ""))
    board = (ride.get("departure_stop") or {}).get("name", "")
    leave = (ride.get("arrival_stop") or {}).get("name", "")
    return (words, *ride_notes(board, leave, ride.get("num_stops")))
