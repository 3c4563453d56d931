"""The Routes API: computeRoutes and computeRouteMatrix.

Parameters and limits: https://developers.google.com/maps/documentation/routes/compute_route_directions and
https://developers.google.com/maps/documentation/routes/compute_route_matrix; bodies:
https://developers.google.com/maps/documentation/routes/reference/rest/v2/TopLevel.
"""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from map_tools.errors import NoRouteError, PlaceNotFoundError, UnsupportedError
from map_tools.providers.base import Spot
from map_tools.testing.emulate.backend import Backend, located
from map_tools.testing.emulate.google.envelope import (
    INVALID_ARGUMENT,
    ComputeRouteMatrixBody,
    ComputeRoutesBody,
    Json,
    RoutesBody,
    RpcError,
    WaypointBody,
    read_body,
    read_mask,
)
from map_tools.testing.emulate.google.places import point, text, viewport
from map_tools.testing.emulate.place_format import google_id, types_of
from map_tools.testing.emulate.route_format import (
    WALKING_WARNING,
    LegPart,
    StepPart,
    best_order,
    bounds_of,
    distance_text,
    duration_text,
    encode,
    legs_of,
    merged_at,
    new_maneuver,
)
from map_tools.types import LatLng, MatrixCell, Place, Route, TravelMode

_ROUTES_FIELDS = {
    "routes": frozenset(
        {
            *("routeLabels", "legs", "distanceMeters", "duration", "staticDuration", "polyline"),
            *("description", "warnings", "viewport", "travelAdvisory", "localizedValues", "routeToken"),
            *("optimizedIntermediateWaypointIndex", "polylineDetails"),
        }
    ),
    "fallbackInfo": frozenset[str](),
    "geocodingResults": frozenset[str](),
}
MAX_ELEMENTS = 625
MAX_ELEMENTS_COSTLY = 100
"""Pairs of a matrix by public transport or with TRAFFIC_AWARE_OPTIMAL."""
MAX_NAMED = 50
"""Waypoints of a matrix given by address or place id
(https://developers.google.com/maps/documentation/routes/usage-and-billing#other-usage-limits)."""
SERVICE = "routes.googleapis.com"
_MODES = {
    "TRAVEL_MODE_UNSPECIFIED": TravelMode.DRIVING,
    "DRIVE": TravelMode.DRIVING,
    "TWO_WHEELER": TravelMode.DRIVING,
    "BICYCLE": TravelMode.BICYCLING,
    "WALK": TravelMode.WALKING,
    "TRANSIT": TravelMode.TRANSIT,
}
_ELEMENT_FIELDS = frozenset(
    {
        *("status", "condition", "distanceMeters", "duration", "staticDuration", "travelAdvisory"),
        *("fallbackInfo", "localizedValues", "originIndex", "destinationIndex"),
    }
)


async def compute_routes(backend: Backend, body: Any, mask_text: str) -> Json:
    """`computeRoutes`: routes with legs and steps; `{}` if there is no way."""
    mask = read_mask(mask_text, _ROUTES_FIELDS, service=SERVICE)
    asked = read_body(ComputeRoutesBody, body)
    mode = checked_mode(backend, asked)
    if mode is TravelMode.TRANSIT and asked.intermediates:
        raise RpcError(INVALID_ARGUMENT, "Intermediate waypoints are not supported for TRANSIT.")
    stops = (asked.origin, *asked.intermediates, asked.destination)
    spots = await asyncio.gather(*(spot_of(backend, stop) for stop in stops))
    order = tuple(range(len(asked.intermediates)))
    if asked.optimize_waypoint_order and order:
        if any(stop.via for stop in asked.intermediates):
            raise RpcError(INVALID_ARGUMENT, "Via waypoints cannot be optimized.")
        order = await best_order(backend.provider, spots[0], spots[-1], spots[1:-1], mode)
    travelled = [spots[0], *(spots[1 + index] for index in order), spots[-1]]
    try:
        routes = await backend.provider.directions(
            travelled[0],
            travelled[-1],
            mode=mode,
            waypoints=tuple(travelled[1:-1]),
            alternatives=asked.compute_alternative_routes and not order,
            depart_at=asked.departure_time,
        )
    except (NoRouteError, UnsupportedError):
        return {}
    writer = _RouteWriter(backend, asked, mode, travelled, [asked.intermediates[at].via for at in order])
    reply: Json = {"routes": [writer.route(route, at, order) for at, route in enumerate(routes)]}
    results = _geocoding(stops, spots)
    if results:
        reply["geocodingResults"] = results
    shown: Json = mask.applied(reply)
    return shown


@dataclass(frozen=True, slots=True)
class _RouteWriter:
    """Writes the routes of one request; `via` has a flag for each intermediate as travelled."""

    backend: Backend
    asked: ComputeRoutesBody
    mode: TravelMode
    spots: Sequence[Spot]
    via: Sequence[bool]

    def route(self, route: Route, index: int, order: Sequence[int]) -> Json:
        """One route; what is empty is left out."""
        ends = [
            self.spots[0],
            *(s for s, via in zip(self.spots[1:-1], self.via, strict=True) if not via),
            self.spots[-1],
        ]
        legs = [self._leg(part) for part in legs_of(merged_at(route, self.via), ends)]
        points = route.geometry or tuple(at for at in map(located, self.spots) if at)
        corners = bounds_of(points)
        attribution = self.backend.provider.terms.attribution
        warnings = [
            *route.warnings,
            *([WALKING_WARNING] if self.mode is TravelMode.WALKING else []),
            attribution,
        ]
        fields: Json = {
            "routeLabels": ["DEFAULT_ROUTE_ALTERNATE" if index else "DEFAULT_ROUTE"],
            "legs": legs,
            "polyline": self._polyline(points),
            "description": route.summary,
            "warnings": [warning for warning in warnings if warning],
            "viewport": viewport(*corners) if corners else {},
        }
        if self.asked.optimize_waypoint_order and order:
            fields["optimizedIntermediateWaypointIndex"] = list(order)
        return {name: value for name, value in fields.items() if value} | self._amounts(
            route.distance_m, route.duration_s
        )

    def _leg(self, part: LegPart) -> Json:
        fields: Json = {
            "polyline": self._polyline(part.points),
            "startLocation": _location(part.start),
            "endLocation": _location(part.end),
            "steps": [self._step(step) for step in part.steps],
        }
        return {name: value for name, value in fields.items() if value} | self._amounts(
            part.leg.distance_m, part.leg.duration_s
        )

    def _step(self, part: StepPart) -> Json:
        step, ends = part.step, part.points
        instructions = "\n".join((step.instruction, *step.notes))
        told = self._amounts(step.distance_m, step.duration_s)
        told.pop("duration", None)  # a step has the static one only
        fields: Json = {
            "polyline": self._polyline(ends),
            "startLocation": _location(ends[0] if ends else None),
            "endLocation": _location(ends[-1] if ends else None),
            "navigationInstruction": {"maneuver": new_maneuver(step.maneuver), "instructions": instructions},
            "travelMode": self._travel_mode,
        }
        return {name: value for name, value in fields.items() if value} | told

    @property
    def _travel_mode(self) -> str:
        return "DRIVE" if self.asked.travel_mode == "TRAVEL_MODE_UNSPECIFIED" else self.asked.travel_mode

    def _polyline(self, points: Sequence[LatLng]) -> Json:
        if not points:
            return {}
        if self.asked.polyline_encoding == "GEO_JSON_LINESTRING":
            coordinates = [[at.lng, at.lat] for at in points]
            return {"geoJsonLinestring": {"type": "LineString", "coordinates": coordinates}}
        return {"encodedPolyline": encode(points)}

    def _amounts(self, distance_m: float | None, duration_s: float | None) -> Json:
        return amounts(distance_m, duration_s, imperial=self.asked.units == "IMPERIAL")


def _location(at: LatLng | None) -> Json:
    return {"latLng": point(at)} if at is not None else {}


def _geocoding(stops: Sequence[WaypointBody], spots: Sequence[Spot]) -> Json:
    """`geocodingResults`: what the stops given by an address were taken for."""

    def result(index: int) -> Json:
        spot = spots[index]
        if not stops[index].address or not isinstance(spot, Place):
            return {}
        return {"geocoderStatus": {}, "type": list(types_of(spot)), "placeId": google_id(spot.id)}

    between = [
        {"intermediateWaypointRequestIndex": index - 1} | result(index)
        for index in range(1, len(stops) - 1)
        if result(index)
    ]
    parts = {"origin": result(0), "destination": result(len(stops) - 1), "intermediates": between}
    return {name: value for name, value in parts.items() if value}


async def compute_route_matrix(backend: Backend, body: Any, mask_text: str) -> list[Json]:
    """`computeRouteMatrix`: an element for each pair, in any order."""
    mask = read_mask(mask_text, _ELEMENT_FIELDS, service=SERVICE)
    asked = read_body(ComputeRouteMatrixBody, body)
    mode = checked_mode(backend, asked)
    origins = [end.waypoint for end in asked.origins]
    destinations = [end.waypoint for end in asked.destinations]
    _check_matrix(asked, origins, destinations, mode)
    starts = await asyncio.gather(*(spot_or_none(backend, stop) for stop in origins))
    ends = await asyncio.gather(*(spot_or_none(backend, stop) for stop in destinations))
    cells = await _cells(backend, starts, ends, mode)
    elements = [
        {"originIndex": i, "destinationIndex": j} | _element(cells.get((i, j)), asked)
        for i, j in product(range(len(origins)), range(len(destinations)))
    ]
    random.Random(backend.seed).shuffle(elements)  # noqa: S311 (no secret is made of it)
    shown: list[Json] = mask.applied(elements)
    return shown


async def _cells(
    backend: Backend, starts: Sequence[Spot | None], ends: Sequence[Spot | None], mode: TravelMode
) -> dict[tuple[int, int], MatrixCell]:
    """The cells between the places that were found, by their indexes in the request."""
    rows = [index for index, spot in enumerate(starts) if spot is not None]
    columns = [index for index, spot in enumerate(ends) if spot is not None]
    if not rows or not columns:
        return {}
    origins = tuple(spot for spot in starts if spot is not None)
    destinations = tuple(spot for spot in ends if spot is not None)
    empty = MatrixCell(distance_m=None, duration_s=None)
    try:
        matrix = await backend.provider.matrix(origins, destinations, mode=mode)
    except UnsupportedError:
        return dict.fromkeys(product(rows, columns), empty)
    return {
        (i, j): cell
        for i, row in zip(rows, matrix.rows, strict=True)
        for j, cell in zip(columns, row, strict=True)
    }


def _element(cell: MatrixCell | None, asked: RoutesBody) -> Json:
    """One element; None: one of its two ends was not found."""
    if cell is None:
        return {"status": {"code": 5, "message": "The origin or the destination was not found."}}
    if cell.duration_s is None:
        return {"status": {}, "condition": "ROUTE_NOT_FOUND"}
    told = amounts(cell.distance_m, cell.duration_s, imperial=asked.units == "IMPERIAL")
    return {"status": {}, "condition": "ROUTE_EXISTS"} | told


def _check_matrix(
    asked: ComputeRouteMatrixBody,
    origins: Sequence[WaypointBody],
    destinations: Sequence[WaypointBody],
    mode: TravelMode,
) -> None:
    costly = mode is TravelMode.TRANSIT or asked.routing_preference == "TRAFFIC_AWARE_OPTIMAL"
    most = MAX_ELEMENTS_COSTLY if costly else MAX_ELEMENTS
    number = len(origins) * len(destinations)
    if number > most:
        raise RpcError(INVALID_ARGUMENT, f"The request has {number} elements; at most {most} are allowed.")
    named = sum(stop.location is None for stop in (*origins, *destinations))
    if named > MAX_NAMED:
        raise RpcError(
            INVALID_ARGUMENT,
            f"{named} waypoints are given by place id or address; at most {MAX_NAMED} may be.",
        )


def checked_mode(backend: Backend, asked: RoutesBody) -> TravelMode:
    """The mode, after the rules about times and traffic."""
    mode = _MODES[asked.travel_mode]
    traffic = asked.routing_preference not in {"ROUTING_PREFERENCE_UNSPECIFIED", "TRAFFIC_UNAWARE"}
    preferred = asked.routing_preference != "ROUTING_PREFERENCE_UNSPECIFIED"
    if preferred and mode is not TravelMode.DRIVING:
        raise RpcError(INVALID_ARGUMENT, "Routing preference cannot be set for WALK, BICYCLE or TRANSIT.")
    if asked.arrival_time is not None and mode is not TravelMode.TRANSIT:
        raise RpcError(INVALID_ARGUMENT, "An arrival time can be set for TRANSIT only.")
    if asked.departure_time is None or mode is TravelMode.TRANSIT:
        return mode
    if int(asked.departure_time.timestamp()) < int(backend.clock.now().timestamp()):
        raise RpcError(INVALID_ARGUMENT, "Timestamp must be set to a future time.")
    if mode is TravelMode.DRIVING and not traffic:
        raise RpcError(
            INVALID_ARGUMENT, "A departure time needs a routing preference that is aware of traffic."
        )
    return mode


async def spot_of(backend: Backend, stop: WaypointBody) -> Spot:
    """Where a waypoint is.

    Raises:
        RpcError: It is not said.
        PlaceNotFoundError: It is not found.
    """
    if stop.location is not None:
        return stop.location.lat_lng.lat_lng()
    if stop.place_id:
        return await backend.place(stop.place_id)
    if not stop.address:
        raise RpcError(INVALID_ARGUMENT, "A waypoint needs a location, a place_id or an address.")
    return await backend.first_match(stop.address)


async def spot_or_none(backend: Backend, stop: WaypointBody) -> Spot | None:
    """As `spot_of`; None if it is not found."""
    try:
        return await spot_of(backend, stop)
    except PlaceNotFoundError:
        return None


def amounts(distance_m: float | None, duration_s: float | None, *, imperial: bool) -> Json:
    """Distance and durations with their texts; a distance of 0 is left out, as the format does it."""
    told: Json = {}
    shown: Json = {}
    if distance_m is not None:
        if round(distance_m):
            told["distanceMeters"] = round(distance_m)
        shown["distance"] = text(distance_text(distance_m, imperial=imperial))
    if duration_s is not None:
        seconds = f"{round(duration_s)}s"
        words = text(duration_text(duration_s))
        told |= {"duration": seconds, "staticDuration": seconds}
        shown |= {"duration": words, "staticDuration": words}
    return told | ({"localizedValues": shown} if shown else {})
