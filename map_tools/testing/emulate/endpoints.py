"""The endpoints that are emulated: where they are, which service they belong to, what answers them."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from map_tools.testing.emulate.backend import Backend
from map_tools.testing.emulate.google import places as new_places
from map_tools.testing.emulate.google import routes as new_routes
from map_tools.testing.emulate.google_legacy import places, routes
from map_tools.testing.emulate.google_legacy.envelope import Parameters

type LegacyHandler = Callable[[Backend, Parameters], Awaitable[dict[str, Any]]]
type NewHandler = Callable[[Backend, Any, str], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Service:
    """A Google service as one enables it: its name in the console and its technical one."""

    title: str
    name: str


_PLACES = Service("Places API", "places-backend.googleapis.com")
_PLACES_NEW = Service("Places API (New)", "places.googleapis.com")
_ROUTES = Service("Routes API", "routes.googleapis.com")


@dataclass(frozen=True, slots=True)
class LegacyEndpoint:
    """A legacy endpoint. `empty` is what else a reply without results holds."""

    name: str
    path: str
    service: Service
    handler: LegacyHandler
    empty: Mapping[str, Any] = field(default_factory=dict)
    message_field: str = "error_message"


@dataclass(frozen=True, slots=True)
class NewEndpoint:
    """An endpoint of the new generation.

    `prefix`: what follows the path is an id, given to the handler instead of a body; the method is then GET.
    """

    name: str
    path: str
    service: Service
    handler: NewHandler
    prefix: bool = False


_RESULTS: Mapping[str, Any] = {"html_attributions": [], "results": []}
LEGACY = (
    LegacyEndpoint("textsearch", "/maps/api/place/textsearch/json", _PLACES, places.text_search, _RESULTS),
    LegacyEndpoint(
        "nearbysearch", "/maps/api/place/nearbysearch/json", _PLACES, places.nearby_search, _RESULTS
    ),
    LegacyEndpoint(
        "findplacefromtext",
        "/maps/api/place/findplacefromtext/json",
        _PLACES,
        places.find_place,
        {"candidates": []},
    ),
    LegacyEndpoint(
        "details", "/maps/api/place/details/json", _PLACES, places.details, {"html_attributions": []}
    ),
    LegacyEndpoint(
        "directions",
        "/maps/api/directions/json",
        Service("Directions API", "directions-backend.googleapis.com"),
        routes.directions,
        {"geocoded_waypoints": [], "routes": []},
    ),
    LegacyEndpoint(
        "distancematrix",
        "/maps/api/distancematrix/json",
        Service("Distance Matrix API", "distance-matrix-backend.googleapis.com"),
        routes.distance_matrix,
        {"destination_addresses": [], "origin_addresses": [], "rows": []},
    ),
    LegacyEndpoint(
        "geocode",
        "/maps/api/geocode/json",
        Service("Geocoding API", "geocoding-backend.googleapis.com"),
        places.geocode,
        {"results": []},
    ),
    LegacyEndpoint(
        "timezone",
        "/maps/api/timezone/json",
        Service("Time Zone API", "timezone-backend.googleapis.com"),
        places.time_zone,
        message_field="errorMessage",
    ),
)
"""https://developers.google.com/maps/documentation/places/web-service/legacy/overview and the pages of the
other services."""
NEW = (
    NewEndpoint("searchText", "/v1/places:searchText", _PLACES_NEW, new_places.search_text),
    NewEndpoint("searchNearby", "/v1/places:searchNearby", _PLACES_NEW, new_places.search_nearby),
    NewEndpoint("getPlace", "/v1/places/", _PLACES_NEW, new_places.get_place, prefix=True),
    NewEndpoint("computeRoutes", "/directions/v2:computeRoutes", _ROUTES, new_routes.compute_routes),
    NewEndpoint(
        "computeRouteMatrix",
        "/distanceMatrix/v2:computeRouteMatrix",
        _ROUTES,
        new_routes.compute_route_matrix,
    ),
)
"""https://developers.google.com/maps/documentation/places/web-service/op-overview and
https://developers.google.com/maps/documentation/routes."""
NAMES = tuple(endpoint.name for endpoint in (*LEGACY, *NEW))


def endpoint_at(method: str, path: str) -> LegacyEndpoint | NewEndpoint | None:
    """The endpoint a request goes to; None if there is none."""
    for legacy in LEGACY:
        if path == legacy.path:
            return legacy if method == "GET" else None
    for new in NEW:
        there = path.startswith(new.path) and len(path) > len(new.path) if new.prefix else path == new.path
        if there:
            return new if method == ("GET" if new.prefix else "POST") else None
    return None
