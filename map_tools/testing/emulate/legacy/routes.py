"""The legacy Directions endpoint.

Parameters and statuses: https://developers.google.com/maps/documentation/directions/get-directions.
"""

import asyncio
import html
from collections.abc import Sequence
from dataclasses import dataclass

from map_tools.errors import PlaceNotFoundError
from map_tools.testing.emulate.backend import Backend, located
from map_tools.testing.emulate.legacy.envelope import (
    NOT_FOUND,
    OK,
    ZERO_RESULTS,
    Json,
    LegacyStatusError,
    Parameters,
)
from map_tools.testing.emulate.legacy.shapes import box, position
from map_tools.testing.emulate.legacy.travel import Stop, departure_of, metres, mode_of, seconds, stop_of
from map_tools.testing.emulate.polyline import encode
from map_tools.testing.emulate.route_parts import LegPart, StepPart, best_order, bounds_of, legs_of, merged_at
from map_tools.testing.emulate.route_words import WALKING_WARNING, legacy_maneuver
from map_tools.types import Route, TravelMode

MAX_WAYPOINTS = 25
"""https://developers.google.com/maps/documentation/directions/usage-and-billing#other-usage-limits"""
_OPTIMIZE = "optimize:true"


async def directions(backend: Backend, given: Parameters) -> Json:
    """`directions`: routes with legs and steps."""
    mode = mode_of(given)
    words = [part.strip() for part in given.text("waypoints").split("|") if part.strip()]
    optimize = bool(words) and words[0] == _OPTIMIZE
    words = [word for word in words if not word.startswith("optimize:")]
    if len(words) > MAX_WAYPOINTS:
        raise LegacyStatusError("MAX_WAYPOINTS_EXCEEDED", f"At most {MAX_WAYPOINTS} waypoints may be given.")
    depart_at = departure_of(backend, given, mode)
    texts = (given.needed("origin"), *words, given.needed("destination"))
    try:
        origin, *waypoints, destination = await asyncio.gather(*(stop_of(backend, text) for text in texts))
    except PlaceNotFoundError:
        return {"geocoded_waypoints": [{"geocoder_status": ZERO_RESULTS}], "routes": [], "status": NOT_FOUND}
    order = tuple(range(len(waypoints)))
    if optimize and waypoints:
        spots = [stop.spot for stop in waypoints]
        order = await best_order(backend.provider, origin.spot, destination.spot, spots, mode)
        waypoints = [waypoints[index] for index in order]
    routes = await backend.provider.directions(
        origin.spot,
        destination.spot,
        mode=mode,
        waypoints=tuple(stop.spot for stop in waypoints),
        alternatives=given.flag("alternatives") and not waypoints,
        depart_at=depart_at,
    )
    stops = [origin, *waypoints, destination]
    writer = _RouteWriter(
        backend,
        mode,
        stops,
        order=[index for index, stop in zip(order, waypoints, strict=True) if not stop.via],
        imperial=given.text("units") == "imperial",
        traffic=depart_at is not None and mode is TravelMode.DRIVING,
    )
    return {
        "geocoded_waypoints": [stop.geocoded() for stop in stops],
        "routes": [writer.route(route) for route in routes],
        "status": OK if routes else ZERO_RESULTS,
    }


@dataclass(frozen=True, slots=True)
class _RouteWriter:
    """Writes the routes of one request.

    Attributes:
        stops: Origin, waypoints as travelled, destination.
        order: `waypoint_order`.
        traffic: A departure was named; the maps emulated from know no traffic, so both durations are equal.
    """

    backend: Backend
    mode: TravelMode
    stops: Sequence[Stop]
    order: Sequence[int]
    imperial: bool
    traffic: bool

    def route(self, route: Route) -> Json:
        """One route."""
        passes = [stop.via for stop in self.stops[1:-1]]
        ends = [stop for stop in self.stops if not stop.via]
        merged = merged_at(route, passes)
        parts = legs_of(merged, [stop.spot for stop in ends])
        points = route.geometry or [at for at in (located(stop.spot) for stop in self.stops) if at]
        corners = bounds_of(points)
        bounds = {} if corners is None else {"bounds": box(*corners)}
        warnings = [*route.warnings, *([WALKING_WARNING] if self.mode is TravelMode.WALKING else [])]
        return bounds | {
            "copyrights": self.backend.provider.terms.attribution,
            "legs": [self._leg(part, ends, index) for index, part in enumerate(parts)],
            "overview_polyline": {"points": encode(points)},
            "summary": route.summary,
            "warnings": warnings,
            "waypoint_order": list(self.order),
        }

    def _leg(self, part: LegPart, ends: Sequence[Stop], index: int) -> Json:
        start, end = ends[min(index, len(ends) - 2)], ends[min(index + 1, len(ends) - 1)]
        leg: Json = {
            "start_address": start.address,
            "end_address": end.address,
            "steps": [self._step(part, at) for at in range(len(part.steps))],
            "traffic_speed_entry": [],
            "via_waypoint": [],
        }
        if part.start is not None and part.end is not None:
            leg |= {"start_location": position(part.start), "end_location": position(part.end)}
        leg |= self._amounts(part.leg.distance_m, part.leg.duration_s)
        if self.traffic and "duration" in leg:
            leg["duration_in_traffic"] = leg["duration"]
        return leg

    def _step(self, part: LegPart, index: int) -> Json:
        step = part.steps[index]
        end = step.points[-1] if step.points else part.end
        written: Json = {
            "html_instructions": _html(step),
            "polyline": {"points": encode(step.points)},
            "travel_mode": self.mode.value.upper(),
        }
        start = step.step.location or part.start
        if start is not None and end is not None:
            written |= {"start_location": position(start), "end_location": position(end)}
        maneuver = legacy_maneuver(step.step.maneuver)
        return (
            written
            | ({"maneuver": maneuver} if maneuver else {})
            | self._amounts(step.step.distance_m, step.step.duration_s)
        )

    def _amounts(self, distance_m: float | None, duration_s: float | None) -> Json:
        amounts: Json = {}
        if distance_m is not None:
            amounts["distance"] = metres(distance_m, imperial=self.imperial)
        if duration_s is not None:
            amounts["duration"] = seconds(duration_s)
        return amounts


def _html(part: StepPart) -> str:
    """The instruction with its streets in bold and its notes in a block of their own."""
    text = html.escape(part.step.instruction, quote=False)
    for street in part.step.streets:
        name = html.escape(street, quote=False)
        text = text.replace(name, f"<b>{name}</b>", 1)
    notes = (html.escape(note, quote=False) for note in part.step.notes)
    return text + "".join(f'<div style="font-size:0.9em">{note}</div>' for note in notes)
