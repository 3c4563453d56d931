"""Finding ways with the Routes API: requests for routes and travel times, and what the replies say.

The replies: https://developers.google.com/maps/documentation/routes/reference/rest/v2/TopLevel/computeRoutes
and https://developers.google.com/maps/documentation/routes/reference/rest/v2/TopLevel/computeRouteMatrix.
Fields at their default (a distance of 0) are left out of a reply.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from map_tools.clock import Clock
from map_tools.maps.valhalla_reply import decode_polyline
from map_tools.providers.base import Spot
from map_tools.providers.google.service import GoogleService, Json, point, position, seconds, text
from map_tools.providers.google_common.terms import ROUTES, cost_of, reading
from map_tools.providers.google_common.ways import (
    CHEAP_STOPS,
    POLYLINE_DIGITS,
    Trip,
    Ways,
    id_or_position,
    ride_notes,
    ride_words,
    step_of,
    whole_block,
)
from map_tools.providers.travel_table import Cells, Spots
from map_tools.types import NO_WAY, LatLng, MatrixCell, Route, RouteLeg, RouteStep, TravelMode
from map_tools.wire import Cost

MODES: Mapping[TravelMode, str] = {
    TravelMode.DRIVING: "DRIVE",
    TravelMode.WALKING: "WALK",
    TravelMode.BICYCLING: "BICYCLE",
    TravelMode.TRANSIT: "TRANSIT",
}
"""https://developers.google.com/maps/documentation/routes/reference/rest/v2/RouteTravelMode"""
TRANSIT_SIDE = 10
TABLE_SIDE = 25
"""Rows and columns of one matrix request: at most 625 elements, 100 by public transport, and 50 places given
by id (https://developers.google.com/maps/documentation/routes/compute_route_matrix)."""

ROUTE_FIELDS = (
    "distanceMeters",
    "duration",
    "description",
    "warnings",
    "polyline.encodedPolyline",
    "legs.distanceMeters",
    "legs.duration",
    "legs.steps.distanceMeters",
    "legs.steps.staticDuration",
    "legs.steps.startLocation",
    "legs.steps.navigationInstruction",
    "legs.steps.travelMode",
)
"""https://developers.google.com/maps/documentation/routes/choose_fields"""
TRANSIT_FIELDS = ("legs.steps.transitDetails",)
MATRIX_MASK = "originIndex,destinationIndex,status,condition,distanceMeters,duration"
"""`status` must be asked for: without it every element looks fine
(https://developers.google.com/maps/documentation/routes/compute_route_matrix)."""
EXISTS = "ROUTE_EXISTS"


class RouteCalls(Ways):
    """The calls about ways.

    Args:
        service: The way to Google.
        locale: `languageCode` and `regionCode` of every request.
        clock: Tells whether a departure lies in the past.
    """

    def __init__(self, service: GoogleService, locale: Mapping[str, str], clock: Clock) -> None:
        super().__init__(clock)
        self._service = service
        self._locale = locale

    async def _routes(self, trip: Trip, notes: tuple[str, ...]) -> tuple[Route, ...]:
        reply = await self._service.ask(
            ROUTES,
            "/directions/v2:computeRoutes",
            mask=routes_mask(transit=trip.mode is TravelMode.TRANSIT),
            cost=route_cost(trip),
            body=route_body(trip, self._locale),
            subject="place with one of these ids",
        )
        with reading(ROUTES):
            return read_routes(reply, notes)

    async def _cells(self, rows: Spots, columns: Spots, mode: TravelMode) -> Cells:
        elements = await self._service.ask(
            ROUTES,
            "/distanceMatrix/v2:computeRouteMatrix",
            mask=MATRIX_MASK,
            cost=matrix_cost(len(rows) * len(columns)),
            body=matrix_body(rows, columns, mode, self._locale),
            subject="place with one of these ids",
        )
        with reading(ROUTES):
            cells = list(read_cells(elements))
        return whole_block(ROUTES, cells, len(rows), len(columns))

    def _side(self, mode: TravelMode) -> int:
        return matrix_side(mode)


def routes_mask(*, transit: bool) -> str:
    """The mask of a request for routes."""
    return ",".join(f"routes.{name}" for name in (*ROUTE_FIELDS, *(TRANSIT_FIELDS if transit else ())))


def route_body(trip: Trip, locale: Mapping[str, str]) -> dict[str, Any]:
    """The body of `computeRoutes`; the departure must be in UTC and not in the past."""
    body: dict[str, Any] = {
        "origin": _waypoint(trip.origin),
        "destination": _waypoint(trip.destination),
        "travelMode": MODES[trip.mode],
        "units": "METRIC",
        **locale,
    }
    if trip.stops:
        body["intermediates"] = [_waypoint(stop) for stop in trip.stops]
    elif trip.alternatives:  # with stops on the way Google gives none
        body["computeAlternativeRoutes"] = True
    if trip.mode is TravelMode.DRIVING:
        body["routingPreference"] = "TRAFFIC_AWARE" if trip.depart_at else "TRAFFIC_UNAWARE"
    if trip.depart_at is not None:
        body["departureTime"] = trip.depart_at.strftime("%Y-%m-%dT%H:%M:%SZ")
    return body


def route_cost(trip: Trip) -> Cost:
    """What the route is billed: traffic and many stops cost more."""
    traffic = trip.mode is TravelMode.DRIVING and trip.depart_at is not None
    return cost_of("routes_pro" if traffic or len(trip.stops) > CHEAP_STOPS else "routes_essentials")


def matrix_body(
    origins: Sequence[Spot], destinations: Sequence[Spot], mode: TravelMode, locale: Mapping[str, str]
) -> dict[str, Any]:
    """The body of `computeRouteMatrix`."""
    body: dict[str, Any] = {
        "origins": [{"waypoint": _waypoint(spot)} for spot in origins],
        "destinations": [{"waypoint": _waypoint(spot)} for spot in destinations],
        "travelMode": MODES[mode],
        **locale,
    }
    return body | {"routingPreference": "TRAFFIC_UNAWARE"} if mode is TravelMode.DRIVING else body


def matrix_cost(elements: int) -> Cost:
    """What a matrix without traffic is billed, element by element."""
    return cost_of("matrix_essentials", elements)


def matrix_side(mode: TravelMode) -> int:
    """Rows and columns of one matrix request."""
    return TRANSIT_SIDE if mode is TravelMode.TRANSIT else TABLE_SIDE


def _waypoint(spot: Spot) -> dict[str, Any]:
    where = id_or_position(spot)
    return {"location": {"latLng": point(where)}} if isinstance(where, LatLng) else {"placeId": where}


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
