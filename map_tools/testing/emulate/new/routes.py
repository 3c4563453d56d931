"""The Routes API: computeRoutes.

Parameters and limits: https://developers.google.com/maps/documentation/routes/compute_route_directions.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from map_tools.errors import NoRouteError, UnsupportedError
from map_tools.providers.base import Spot
from map_tools.testing.emulate.backend import Backend, located
from map_tools.testing.emulate.ids import google_id
from map_tools.testing.emulate.kinds import types_of
from map_tools.testing.emulate.new.bodies import ComputeRoutesBody, WaypointBody
from map_tools.testing.emulate.new.envelope import INVALID_ARGUMENT, Json, RpcError, read_body, read_mask
from map_tools.testing.emulate.new.shapes import point, viewport
from map_tools.testing.emulate.new.travel import SERVICE, amounts, checked_mode, spot_of
from map_tools.testing.emulate.polyline import encode
from map_tools.testing.emulate.route_parts import LegPart, StepPart, best_order, bounds_of, legs_of, merged_at
from map_tools.testing.emulate.route_words import WALKING_WARNING, new_maneuver
from map_tools.types import LatLng, Place, Route, TravelMode

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
