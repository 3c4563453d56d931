"""Reads replies of the Routes API into `Route` and `MatrixCell`.

The replies: https://developers.google.com/maps/documentation/routes/reference/rest/v2/TopLevel/computeRoutes
and https://developers.google.com/maps/documentation/routes/reference/rest/v2/TopLevel/computeRouteMatrix.
Fields at their default (a distance of 0) are left out of a reply.
"""

from collections.abc import Iterable, Iterator

from map_tools.maps.valhalla_reply import decode_polyline
from map_tools.providers.google.values import Json, position, seconds, text
from map_tools.providers.google_common.steps import ride_notes, ride_words, step_of
from map_tools.types import NO_WAY, LatLng, MatrixCell, Route, RouteLeg, RouteStep

POLYLINE_DIGITS = 5
"""https://developers.google.com/maps/documentation/utilities/polylinealgorithm"""
EXISTS = "ROUTE_EXISTS"


def read_routes(reply: Json, notes: tuple[str, ...] = ()) -> tuple[Route, ...]:
    """The routes in Google's order, best first; `notes` are added to the warnings of each."""
    return tuple(_route(route, notes) for route in reply.get("routes", ()))


def read_cells(elements: Iterable[Json]) -> Iterator[tuple[int, int, MatrixCell]]:
    """(origin, destination, travel) for each element of a matrix, in the order they came: any."""
    for element in elements:
        yield element.get("originIndex", 0), element.get("destinationIndex", 0), _cell(element)


def _cell(element: Json) -> MatrixCell:
    failed = (element.get("status") or {}).get("code", 0) != 0
    if failed or element.get("condition", EXISTS) != EXISTS:
        return NO_WAY
    distance_m, duration_s = _measures(element, "duration")
    return MatrixCell(distance_m=distance_m, duration_s=duration_s)


def _measures(way: Json, time: str) -> tuple[float | None, float | None]:
    """Metres and seconds of a way, each None if it is not told.

    A number at its default is left out of a reply, a message such as a duration is not
    (https://protobuf.dev/programming-guides/json/): without a length, only a way that takes no time has none.
    """
    duration_s = seconds(way.get(time))
    return way.get("distanceMeters", 0 if duration_s == 0 else None), duration_s


def _route(route: Json, notes: tuple[str, ...]) -> Route:
    shape = (route.get("polyline") or {}).get("encodedPolyline", "")
    distance_m, duration_s = _measures(route, "duration")
    return Route(
        summary=route.get("description", ""),
        distance_m=distance_m,
        duration_s=duration_s,
        legs=tuple(map(_leg, route.get("legs", ()))),
        warnings=(*route.get("warnings", ()), *notes),
        geometry=tuple(LatLng(lat=lat, lng=lng) for lat, lng in decode_polyline(shape, POLYLINE_DIGITS)),
    )


def _leg(leg: Json) -> RouteLeg:
    distance_m, duration_s = _measures(leg, "duration")
    return RouteLeg(
        distance_m=distance_m, duration_s=duration_s, steps=tuple(map(_step, leg.get("steps", ())))
    )


def _step(step: Json) -> RouteStep:
    told = step.get("navigationInstruction") or {}
    ride = step.get("transitDetails")
    words, *notes = (ride and _ride(ride)) or told.get("instructions", "").split("\n")
    distance_m, duration_s = _measures(step, "staticDuration")
    return step_of(
        words,
        tuple(note for note in notes if note),
        maneuver=told.get("maneuver", ""),
        distance_m=distance_m,
        duration_s=duration_s,
        location=position(step.get("startLocation")),
    )


def _ride(ride: Json) -> tuple[str, ...]:
    """The instruction for a ride and the remarks on it."""
    line = ride.get("transitLine") or {}
    stops = ride.get("stopDetails") or {}
    vehicle = text((line.get("vehicle") or {}).get("name"))
    words = ride_words(vehicle, line.get("nameShort") or line.get("name", ""), ride.get("headsign", ""))
    board = (stops.get("departureStop") or {}).get("name", "")
    leave = (stops.get("arrivalStop") or {}).get("name", "")
    return (words, *ride_notes(board, leave, ride.get("stopCount")))
