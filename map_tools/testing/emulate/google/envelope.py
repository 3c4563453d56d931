"""What all endpoints of the new generation share: errors, the compulsory field mask, strict request bodies.

Errors: https://cloud.google.com/apis/design/errors; field masks:
https://developers.google.com/maps/documentation/places/web-service/choose-fields. Bodies of places:
https://developers.google.com/maps/documentation/places/web-service/reference/rest/v1/places; of routes:
https://developers.google.com/maps/documentation/routes/reference/rest/v2/TopLevel. What the emulator cannot
honour (languages, tolls, exhaust classes) is accepted and passed over, as a preference would be.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from map_tools.errors import LimitError, PlaceNotFoundError, ToolError
from map_tools.testing.emulate.place_format import FieldMask
from map_tools.types import LatLng

type Json = dict[str, Any]
INVALID_ARGUMENT = "INVALID_ARGUMENT"
HTTP_CODES = {
    INVALID_ARGUMENT: 400,
    "UNAUTHENTICATED": 401,
    "PERMISSION_DENIED": 403,
    "NOT_FOUND": 404,
    "RESOURCE_EXHAUSTED": 429,
    "INTERNAL": 500,
    "UNAVAILABLE": 503,
}
"""https://cloud.google.com/apis/design/errors#handling_errors"""


class RpcError(Exception):
    """Ends a request of the new generation with an error of this status."""

    def __init__(self, status: str, message: str, details: tuple[Json, ...] = ()) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.details = details

    @property
    def code(self) -> int:
        """The HTTP status."""
        return HTTP_CODES[self.status]

    def body(self) -> Json:
        """The error as it is sent."""
        error: Json = {"code": self.code, "message": self.message, "status": self.status}
        if self.details:
            error["details"] = list(self.details)
        return {"error": error}


class Body(BaseModel):
    """A part of a request body: names in camelCase or snake_case, unknown ones refused."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid", frozen=True)


def read_body[T: Body](model: type[T], body: Any) -> T:
    """The request body as its type.

    Raises:
        RpcError: It is not of this type; the message names the first field that is wrong.
    """
    try:
        return model.model_validate(body)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the body"
        if first["type"] == "extra_forbidden":
            text = f'Invalid JSON payload received. Unknown name "{where}": Cannot find field.'
        else:
            text = f"Invalid value at '{where}': {first['msg']}."
        raise RpcError(INVALID_ARGUMENT, text) from error


def read_mask(text: str, known: Mapping[str, frozenset[str]] | frozenset[str], *, service: str) -> FieldMask:
    """The field mask of a request.

    Args:
        text: Comma-separated paths, as header `X-Goog-FieldMask` or parameter `$fields` or `fields`.
        known: The fields a reply can have at the top, each with those below it (empty: not checked).
        service: What is named in the error.

    Raises:
        RpcError: The mask is missing, or names a field that there is not.
    """
    paths = [path.strip() for path in text.split(",")]
    if not text.strip():
        raise RpcError(
            INVALID_ARGUMENT,
            f"FieldMask is a required parameter of {service}. Set it as the header 'X-Goog-FieldMask' or as "
            "the parameter '$fields' of the address.",
        )
    mask = FieldMask.of(paths)
    fields = known if isinstance(known, Mapping) else dict.fromkeys(known, frozenset[str]())
    for name in sorted(mask.top):
        wrong = [] if name in fields else [name]
        if fields.get(name):
            wrong = [f"{name}.{below}" for below in sorted(mask.below(name) - fields[name])]
        if wrong:
            raise RpcError(
                INVALID_ARGUMENT,
                f"Error expanding 'fields' parameter. Cannot find matching fields for path '{wrong[0]}'.",
            )
    return mask


def rpc_error_of(error: ToolError | LimitError) -> RpcError:
    """A provider's error as one of the new generation."""
    if isinstance(error, PlaceNotFoundError):
        return RpcError("NOT_FOUND", error.message)
    if isinstance(error, LimitError):
        return RpcError(INVALID_ARGUMENT, str(error))
    return RpcError("INTERNAL", str(error))


MAX_TYPES = 50
MAX_INTERMEDIATES = 25
type Types = Annotated[tuple[str, ...], Field(max_length=MAX_TYPES)]


def _is_aware(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        raise ValueError("a timestamp needs a zone, such as 'Z'")
    return moment


type Moment = Annotated[datetime, AfterValidator(_is_aware)]


class Point(Body):
    """A position; what is left out is 0, as protocol buffers have it."""

    latitude: Annotated[float, Field(ge=-90, le=90)] = 0.0
    longitude: Annotated[float, Field(ge=-180, le=180)] = 0.0

    def lat_lng(self) -> LatLng:
        """The position as ours."""
        return LatLng(lat=self.latitude, lng=self.longitude)


class CircleBody(Body):
    """A circle; `radius` in metres."""

    center: Point
    radius: Annotated[float, Field(ge=0, le=50_000)] = 0.0


class RectangleBody(Body):
    """A rectangle from its south-western to its north-eastern corner."""

    low: Point
    high: Point


class Area(Body):
    """A bias or restriction: a circle or a rectangle."""

    circle: CircleBody | None = None
    rectangle: RectangleBody | None = None


class CircleOnly(Body):
    """The restriction of a nearby search."""

    circle: CircleBody


class SearchNearbyBody(Body):
    """`places:searchNearby`."""

    location_restriction: CircleOnly
    included_types: Types = ()
    excluded_types: Types = ()
    included_primary_types: Types = ()
    excluded_primary_types: Types = ()
    max_result_count: Annotated[int, Field(ge=0, le=20)] = 0
    rank_preference: Literal["RANK_PREFERENCE_UNSPECIFIED", "POPULARITY", "DISTANCE"] = "POPULARITY"
    language_code: str = ""
    region_code: str = ""
    routing_parameters: Any = None


class SearchTextBody(Body):
    """`places:searchText`."""

    text_query: Annotated[str, Field(min_length=1)]
    included_type: str = ""
    strict_type_filtering: bool = False
    open_now: bool = False
    min_rating: Annotated[float, Field(ge=0, le=5)] = 0.0
    price_levels: tuple[str, ...] = ()
    location_bias: Area | None = None
    location_restriction: Area | None = None
    rank_preference: Literal["RANK_PREFERENCE_UNSPECIFIED", "RELEVANCE", "DISTANCE"] = "RELEVANCE"
    max_result_count: Annotated[int, Field(ge=0, le=20)] = 0
    page_size: Annotated[int, Field(ge=0)] = 0
    page_token: str = ""
    include_pure_service_area_businesses: bool = False
    language_code: str = ""
    region_code: str = ""
    ev_options: Any = None
    routing_parameters: Any = None
    search_along_route_parameters: Any = None


class LocationBody(Body):
    """Where a waypoint lies."""

    lat_lng: Point
    heading: int | None = None


class WaypointBody(Body):
    """A stop: one of `location`, `place_id` and `address`. `via`: no stop is made there."""

    location: LocationBody | None = None
    place_id: str = ""
    address: str = ""
    via: bool = False
    vehicle_stopover: bool = False
    side_of_road: bool = False


type Mode = Literal["TRAVEL_MODE_UNSPECIFIED", "DRIVE", "BICYCLE", "WALK", "TWO_WHEELER", "TRANSIT"]
type Preference = Literal[
    "ROUTING_PREFERENCE_UNSPECIFIED", "TRAFFIC_UNAWARE", "TRAFFIC_AWARE", "TRAFFIC_AWARE_OPTIMAL"
]


class RoutesBody(Body):
    """What both services of the Routes API take."""

    travel_mode: Mode = "TRAVEL_MODE_UNSPECIFIED"
    routing_preference: Preference = "ROUTING_PREFERENCE_UNSPECIFIED"
    departure_time: Moment | None = None
    arrival_time: Moment | None = None
    language_code: str = ""
    region_code: str = ""
    units: Literal["UNITS_UNSPECIFIED", "METRIC", "IMPERIAL"] = "METRIC"
    extra_computations: tuple[str, ...] = ()
    traffic_model: str = ""
    transit_preferences: Any = None


class ComputeRoutesBody(RoutesBody):
    """`directions/v2:computeRoutes`."""

    origin: WaypointBody
    destination: WaypointBody
    intermediates: Annotated[tuple[WaypointBody, ...], Field(max_length=MAX_INTERMEDIATES)] = ()
    compute_alternative_routes: bool = False
    optimize_waypoint_order: bool = False
    polyline_quality: str = ""
    polyline_encoding: Literal["POLYLINE_ENCODING_UNSPECIFIED", "ENCODED_POLYLINE", "GEO_JSON_LINESTRING"] = (
        "ENCODED_POLYLINE"
    )
    requested_reference_routes: tuple[str, ...] = ()
    route_modifiers: Any = None


class MatrixEnd(Body):
    """An origin or destination of a matrix."""

    waypoint: WaypointBody
    route_modifiers: Any = None


class ComputeRouteMatrixBody(RoutesBody):
    """`distanceMatrix/v2:computeRouteMatrix`."""

    origins: Annotated[tuple[MatrixEnd, ...], Field(min_length=1)]
    destinations: Annotated[tuple[MatrixEnd, ...], Field(min_length=1)]
