"""Routes in the parts Google gives: legs and steps with their own geometry, and the best order of stops."""

from collections.abc import Sequence
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
