"""A route in the parts Google gives: legs and steps with their own geometry, and how each is told.

Stops are put in the best order. Distances and durations are short English texts beside the numbers ("1.2 km",
"1 hour 5 mins"); the documentation leaves the wording open ("localized"), and this is how its examples read
(https://developers.google.com/maps/documentation/directions/get-directions#TextValueObject).

Manoeuvres are told in the words of both generations. Legacy:
https://developers.google.com/maps/documentation/directions/get-directions#DirectionsStep; new:
https://developers.google.com/maps/documentation/routes/reference/rest/v2/TopLevel/computeRoutes#Maneuver.
Encoded polylines: https://developers.google.com/maps/documentation/utilities/polylinealgorithm.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations

from map_tools.providers.base import Provider, Spot
from map_tools.testing.emulate.backend import located
from map_tools.types import LatLng, Route, RouteLeg, RouteStep, TravelMode

_TRIED_ORDERS_OF = 7
"""Up to so many stops all orders are compared; of more, the nearest next one is taken each time."""


@dataclass(frozen=True, slots=True)
class StepPart:
    """A step with the points from its start to the next one's."""

    step: RouteStep
    points: tuple[LatLng, ...]


@dataclass(frozen=True, slots=True)
class LegPart:
    """A leg with its steps; `start` and `end` as far as they are known."""

    leg: RouteLeg
    steps: tuple[StepPart, ...]
    start: LatLng | None
    end: LatLng | None

    @property
    def points(self) -> tuple[LatLng, ...]:
        """The leg's geometry."""
        joined: list[LatLng] = []
        for part in self.steps:
            joined += part.points[1:] if joined and part.points[:1] == tuple(joined[-1:]) else part.points
        return tuple(joined)


def legs_of(route: Route, stops: Sequence[Spot]) -> list[LegPart]:
    """The legs of a route over these stops, one between each two."""
    marks = _marks(route)
    ends = [located(stop) for stop in stops]
    parts: list[LegPart] = []
    taken = 0
    for index, leg in enumerate(route.legs):
        steps = []
        for step in leg.steps:
            first, past = marks[taken], marks[taken + 1]
            steps.append(StepPart(step, route.geometry[first : past + 1] or _known(step)))
            taken += 1
        start = leg.steps[0].location if leg.steps else None
        last = steps[-1].points[-1] if steps and steps[-1].points else None
        fallback = ends[index : index + 2] if len(ends) == len(route.legs) + 1 else (ends[0], ends[-1])
        parts.append(LegPart(leg, tuple(steps), start or fallback[0], last or fallback[1]))
    return parts


def merged_at(route: Route, via: Sequence[bool]) -> Route:
    """The route with the legs before and after each via point made one (`via` has one flag a waypoint)."""
    if not any(via) or len(route.legs) != len(via) + 1:
        return route
    legs = [route.legs[0]]
    for passes, leg in zip(via, route.legs[1:], strict=True):
        if passes:
            before = legs.pop()
            leg = RouteLeg(  # noqa: PLW2901
                distance_m=_sum(before.distance_m, leg.distance_m),
                duration_s=_sum(before.duration_s, leg.duration_s),
                steps=(*before.steps, *leg.steps),
            )
        legs.append(leg)
    return route.model_copy(update={"legs": tuple(legs)})


def bounds_of(points: Sequence[LatLng]) -> tuple[LatLng, LatLng] | None:
    """South-western and north-eastern corner; None for no points."""
    if not points:
        return None
    lats, lngs = [point.lat for point in points], [point.lng for point in points]
    return LatLng(lat=min(lats), lng=min(lngs)), LatLng(lat=max(lats), lng=max(lngs))


async def best_order(
    provider: Provider, origin: Spot, destination: Spot, waypoints: Sequence[Spot], mode: TravelMode
) -> tuple[int, ...]:
    """The order of the waypoints with the least travel time, as indexes into the given ones."""
    stops = (origin, *waypoints, destination)
    matrix = await provider.matrix(stops, stops, mode=mode)
    times = [[float("inf") if c.duration_s is None else c.duration_s for c in row] for row in matrix.rows]
    if len(waypoints) <= _TRIED_ORDERS_OF:
        orders = permutations(range(1, len(stops) - 1))
        best = min(orders, key=lambda order: _length(times, (0, *order, len(stops) - 1)))
    else:
        best = _nearest_next(times, len(stops) - 2)
    return tuple(index - 1 for index in best)


def _length(times: Sequence[Sequence[float]], order: Sequence[int]) -> float:
    return sum(times[a][b] for a, b in pairwise(order))


def _nearest_next(times: Sequence[Sequence[float]], number: int) -> tuple[int, ...]:
    left, order, here = set(range(1, number + 1)), [], 0
    while left:
        here = min(left, key=lambda stop: (times[here][stop], stop))
        left.remove(here)
        order.append(here)
    return tuple(order)


def _marks(route: Route) -> list[int]:
    """For each step the index of its first point in the route's geometry, and the last index at the end."""
    marks: list[int] = []
    position = 0
    for step in route.steps:
        position = _found(route.geometry, step.location, position)
        marks.append(position)
    return [*marks, max(len(route.geometry) - 1, 0)]


def _found(geometry: Sequence[LatLng], point: LatLng | None, start: int) -> int:
    """Where a point stands at or after an index; that index if it does not."""
    for index in range(start, len(geometry)):
        if geometry[index] == point:
            return index
    return start


def _known(step: RouteStep) -> tuple[LatLng, ...]:
    return (step.location,) if step.location is not None else ()


def _sum(a: float | None, b: float | None) -> float | None:
    return None if a is None or b is None else a + b


METRES_PER_MILE = 1609.344
FEET_PER_MILE = 5280
_SHORT_M = 100
"""Below this metres are shown instead of kilometres."""
_SHORT_MI = 0.1
"""Below this feet are shown instead of miles."""
_LONG = 100
"""From so many kilometres or miles on there are no decimals."""


def distance_text(distance_m: float, *, imperial: bool = False) -> str:
    """A distance in words; even nothing is "1 m"."""
    if imperial:
        miles = distance_m / METRES_PER_MILE
        if miles < _SHORT_MI:
            return f"{max(1, round(miles * FEET_PER_MILE))} ft"
        return _with_decimals(miles, "mi")
    if distance_m < _SHORT_M:
        return f"{max(1, round(distance_m))} m"
    return _with_decimals(distance_m / 1000, "km")


def duration_text(duration_s: float) -> str:
    """A duration in words: two units at most, and at least a minute."""
    minutes = max(1, round(duration_s / 60))
    days, rest = divmod(minutes, 24 * 60)
    hours, minutes = divmod(rest, 60)
    if days:
        return " ".join(filter(None, (_counted(days, "day"), _counted(hours, "hour"))))
    return " ".join(filter(None, (_counted(hours, "hour"), _counted(minutes, "min"))))


def _with_decimals(amount: float, unit: str) -> str:
    return f"{amount:,.0f} {unit}" if amount >= _LONG else f"{amount:.1f} {unit}"


def _counted(number: int, unit: str) -> str:
    return f"{number} {unit}{'s' if number != 1 else ''}" if number else ""


WALKING_WARNING = "Walking directions are in beta: sidewalks or pedestrian paths may be missing."
"""Google asks that walking routes are shown with a warning
(https://developers.google.com/maps/documentation/routes/maps-experience)."""
_SAME = (
    *("turn-slight-left", "turn-sharp-left", "turn-left", "keep-left", "ramp-left", "straight", "merge"),
    *("turn-slight-right", "turn-sharp-right", "turn-right", "keep-right", "ramp-right", "ferry"),
)
"""Words of ours that are Google's own."""
_LEGACY = {word: word for word in _SAME} | {"uturn": "uturn-left", "roundabout": "roundabout-right"}
_NEW = {
    **{word: word.upper().replace("-", "_") for word in _LEGACY},
    "uturn": "UTURN_LEFT",
    "roundabout": "ROUNDABOUT_RIGHT",
    "depart": "DEPART",
}


def legacy_maneuver(word: str) -> str:
    """The legacy word for one of our manoeuvres; empty where there is none."""
    return _LEGACY.get(word, "")


def new_maneuver(word: str) -> str:
    """The new service's word for one of our manoeuvres."""
    return _NEW.get(word, "MANEUVER_UNSPECIFIED")


def encode(points: Iterable[LatLng], digits: int = 5) -> str:
    """The points as text; each coordinate is the difference to the one before.

    Args:
        points: The points.
        digits: Decimal places of a degree: 5 as the format has them, 6 in OSRM's and Valhalla's variant.
    """
    scale = 10.0**digits
    pieces: list[str] = []
    lat_before = lng_before = 0
    for point in points:
        lat, lng = round(point.lat * scale), round(point.lng * scale)
        pieces += (_number(lat - lat_before), _number(lng - lng_before))
        lat_before, lng_before = lat, lng
    return "".join(pieces)


def _number(value: int) -> str:
    """A signed number in groups of five bits, the lowest first, the sign in the lowest bit."""
    bits = ~(value << 1) if value < 0 else value << 1
    chars: list[str] = []
    while bits >= 0x20:
        chars.append(chr((0x20 | (bits & 0x1F)) + 63))
        bits >>= 5
    chars.append(chr(bits + 63))
    return "".join(chars)
