"""Requests for routes and travel times."""

from collections.abc import Mapping, Sequence
from typing import Any

from map_tools.providers.base import Spot
from map_tools.providers.google.values import point
from map_tools.providers.google_common.prices import cost_of
from map_tools.providers.google_common.spots import id_or_position
from map_tools.providers.google_common.trip import Trip
from map_tools.types import LatLng, TravelMode
from map_tools.wire import Cost

MODES: Mapping[TravelMode, str] = {
    TravelMode.DRIVING: "DRIVE",
    TravelMode.WALKING: "WALK",
    TravelMode.BICYCLING: "BICYCLE",
    TravelMode.TRANSIT: "TRANSIT",
}
"""https://developers.google.com/maps/documentation/routes/reference/rest/v2/RouteTravelMode"""

CHEAP_STOPS = 10
"""Stops on the way up to which a route is billed at the lowest tier
(https://developers.google.com/maps/documentation/routes/usage-and-billing)."""

TRANSIT_SIDE = 10
TABLE_SIDE = 25
"""Rows and columns of one matrix request: at most 625 elements, 100 by public transport, and 50 places given
by id (https://developers.google.com/maps/documentation/routes/compute_route_matrix)."""


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
