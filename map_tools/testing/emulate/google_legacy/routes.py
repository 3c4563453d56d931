"""The legacy Directions and Distance Matrix endpoints.

Parameters and statuses: https://developers.google.com/maps/documentation/directions/get-directions and
https://developers.google.com/maps/documentation/distance-matrix/distance-matrix.
"""

import asyncio
import html
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from map_tools.errors import PlaceNotFoundError, UnsupportedError
from map_tools.providers.base import Spot
from map_tools.testing.emulate.backend import Backend, located, position_in
from map_tools.testing.emulate.google_legacy.envelope import (
    INVALID_REQUEST,
    NOT_FOUND,
    OK,
    ZERO_RESULTS,
    Json,
    LegacyStatusError,
    Parameters,
    box,
    position,
)
from map_tools.testing.emulate.place_format import google_id, title_of, types_of
from map_tools.testing.emulate.route_format import (
    WALKING_WARNING,
    LegPart,
    StepPart,
    best_order,
    bounds_of,
    distance_text,
    duration_text,
    encode,
    legacy_maneuver,
    legs_of,
    merged_at,
)
from map_tools.types import MatrixCell, Place, Route, TravelMode

MAX_WAYPOINTS = 25
"""https://developers.google.com/maps/documentation/directions/usage-and-billing#other-usage-limits"""
MAX_SIDE = 25
MAX_ELEMENTS = 100
"""https://developers.google.com/maps/documentation/distance-matrix/usage-and-billing#other-usage-limits"""
_OPTIMIZE = "optimize:true"
_PLACE_ID = "place_id:"
_VIA = "via:"


@dataclass(frozen=True, slots=True)
class Stop:
    """A stop as it was found. `via`: the route passes it without a leg of its own."""

    spot: Spot
    via: bool = False

    @property
    def address(self) -> str:
        """The line shown for it."""
        if isinstance(self.spot, Place):
            return self.spot.address or title_of(self.spot)
        return str(self.spot)

    def geocoded(self) -> Json:
        """Its entry in `geocoded_waypoints`; empty for a bare position."""
        if not isinstance(self.spot, Place):
            return {}
        return {
            "geocoder_status": OK,
            "place_id": google_id(self.spot.id),
            "types": list(types_of(self.spot)),
        }


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


async def distance_matrix(backend: Backend, given: Parameters) -> Json:
    """`distancematrix`: travel from every origin to every destination, in rows of elements."""
    mode = mode_of(given)
    origins, destinations = given.needed("origins").split("|"), given.needed("destinations").split("|")
    if max(len(origins), len(destinations)) > MAX_SIDE:
        raise LegacyStatusError("MAX_DIMENSIONS_EXCEEDED", f"At most {MAX_SIDE} origins or destinations.")
    if len(origins) * len(destinations) > MAX_ELEMENTS:
        raise LegacyStatusError("MAX_ELEMENTS_EXCEEDED", f"At most {MAX_ELEMENTS} pairs may be asked for.")
    departing = departure_of(backend, given, mode) is not None
    imperial = given.text("units") == "imperial"
    starts = await asyncio.gather(*(stop_or_none(backend, text) for text in origins))
    ends = await asyncio.gather(*(stop_or_none(backend, text) for text in destinations))
    known = [stop.spot for stop in starts if stop], [stop.spot for stop in ends if stop]
    cells = await _cells(backend, known[0], known[1], mode)
    rows = iter(cells)
    traffic = departing and mode is TravelMode.DRIVING
    return {
        "destination_addresses": [stop.address if stop else "" for stop in ends],
        "origin_addresses": [stop.address if stop else "" for stop in starts],
        "rows": [
            {"elements": _elements(next(rows) if start else None, ends, imperial=imperial, traffic=traffic)}
            for start in starts
        ],
        "status": OK,
    }


async def _cells(
    backend: Backend, origins: Sequence[Spot], destinations: Sequence[Spot], mode: TravelMode
) -> Sequence[Sequence[MatrixCell]]:
    """The cells between the places that were found; a mode that is not served connects nothing."""
    if not origins or not destinations:
        return [() for _ in origins]
    try:
        return (await backend.provider.matrix(tuple(origins), tuple(destinations), mode=mode)).rows
    except UnsupportedError:
        return [[MatrixCell(distance_m=None, duration_s=None)] * len(destinations)] * len(origins)


def _elements(
    row: Sequence[MatrixCell] | None, ends: Sequence[Stop | None], *, imperial: bool, traffic: bool
) -> list[Json]:
    """The elements of one origin; None: the origin was not found."""
    if row is None:
        return [{"status": NOT_FOUND} for _ in ends]
    cells = iter(row)
    return [
        _element(next(cells), imperial=imperial, traffic=traffic) if e else {"status": NOT_FOUND}
        for e in ends
    ]


def _element(cell: MatrixCell, *, imperial: bool, traffic: bool) -> Json:
    if cell.duration_s is None:
        return {"status": ZERO_RESULTS}
    element: Json = {"duration": seconds(cell.duration_s), "status": OK}
    if cell.distance_m is not None:
        element["distance"] = metres(cell.distance_m, imperial=imperial)
    if traffic:
        element["duration_in_traffic"] = seconds(cell.duration_s)
    return element


def mode_of(given: Parameters) -> TravelMode:
    """The mode asked for; driving if none is.

    Raises:
        LegacyStatusError: There is no such mode.
    """
    word = given.text("mode") or TravelMode.DRIVING.value
    try:
        return TravelMode(word)
    except ValueError as error:
        raise LegacyStatusError(INVALID_REQUEST, f"The mode '{word}' is unknown.") from error


def departure_of(backend: Backend, given: Parameters, mode: TravelMode) -> datetime | None:
    """The time of departure; one in the past is refused except by public transport."""
    moment = given.moment("departure_time", backend)
    past = moment is not None and int(moment.timestamp()) < int(backend.clock.now().timestamp())
    if past and mode is not TravelMode.TRANSIT:
        raise LegacyStatusError(INVALID_REQUEST, "departure_time is in the past.")
    if moment is not None and given.text("arrival_time"):
        raise LegacyStatusError(INVALID_REQUEST, "Give departure_time or arrival_time, not both.")
    return moment


async def stop_of(backend: Backend, text: str) -> Stop:
    """A stop given as "lat,lng", "place_id:ID" or words, any of them behind "via:"."""
    via = text.startswith(_VIA)
    words = text.removeprefix(_VIA).strip()
    if words.startswith(_PLACE_ID):
        return Stop(await backend.place(words.removeprefix(_PLACE_ID)), via)
    point = position_in(words)
    return Stop(point if point is not None else await backend.first_match(words), via)


async def stop_or_none(backend: Backend, text: str) -> Stop | None:
    """As `stop_of`; None if it is not found."""
    try:
        return await stop_of(backend, text.strip())
    except PlaceNotFoundError:
        return None


def metres(distance_m: float, *, imperial: bool) -> Json:
    """A distance: the value in metres whatever the unit of the text."""
    return {"text": distance_text(distance_m, imperial=imperial), "value": round(distance_m)}


def seconds(duration_s: float) -> Json:
    """A duration in seconds with its text."""
    return {"text": duration_text(duration_s), "value": round(duration_s)}
