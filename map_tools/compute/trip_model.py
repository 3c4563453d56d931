"""A trip to be planned and a planned trip as plain data, and why there may be no plan.

Times are seconds after midnight of the day the trip begins (over 86,400 on the next day).

`conflict_of` is the deletion filter of J. W. Chinneck and E. W. Dravnieks ("Locating minimal infeasible
constraint sets in linear programs", ORSA J. Computing 3, 157-168, 1991): constraints are left out one by one;
those without which the trip is still impossible are dropped for good. What remains cannot be kept together,
and nothing of it could be spared.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import time
from typing import Literal

from map_tools.compute.clocks import format_clock

START = -1
"""Number of the place the trip starts from; visits count from 0."""

END = -2
"""Number of the place the trip ends at after the last visit; it may be the same place as the start."""


type _Kind = Literal["windows", "arrive_by_s", "not_before_s", "deadline_s", "order"]
_DAY_S = 86400
type Travel = Callable[[int, int], float | None]
"""Seconds from one numbered place to another; None if there is no way."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A place to be visited.

    Attributes:
        dwell_s: How long one stays.
        windows: Spans in one of which the whole stay must lie (opening hours); None if any time will do. One
            may come early and wait.
        arrive_by_s: Latest arrival.
        not_before_s: Earliest begin of the stay.
    """

    name: str
    dwell_s: float = 0.0
    windows: tuple[tuple[float, float], ...] | None = None
    arrive_by_s: float | None = None
    not_before_s: float | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """A trip to be planned.

    Attributes:
        stops: The places to visit; numbered 0, 1, ...
        travel: Travel times between numbered places, `START` and `END` among them if they are used.
        start_s: When the trip begins.
        has_start: The trip begins at `START` and travels to its first stop; else it begins at the first stop.
        has_end: The trip travels on to `END` after its last stop.
        deadline_s: Latest end of the trip.
        order: The order of the visits if it is fixed.
    """

    stops: tuple[Stop, ...]
    travel: Travel
    start_s: float = 0.0
    has_start: bool = False
    has_end: bool = False
    deadline_s: float | None = None
    order: tuple[int, ...] | None = None

    def leg_s(self, before: int | None, after: int) -> float | None:
        """Travel to a place from the one before; 0 to the first stop of a trip without a start."""
        return 0.0 if before is None else self.travel(before, after)

    @property
    def origin(self) -> int | None:
        """The number of the place before the first stop; None if there is none."""
        return START if self.has_start else None


@dataclass(frozen=True, slots=True)
class PlannedStop:
    """A visit in a plan: arrival, begin of the stay after waiting, departure."""

    index: int
    name: str
    arrive_s: float
    start_s: float
    depart_s: float


@dataclass(frozen=True, slots=True)
class Itinerary:
    """A planned trip that carries all it takes to check it.

    Attributes:
        stops: The visits in order.
        travel_s: Sum of all legs, those from the start and to the end included.
        finish_s: When the trip is over: at `END` if the trip has one.
    """

    start_s: float
    stops: tuple[PlannedStop, ...]
    travel_s: float
    finish_s: float

    @property
    def order(self) -> tuple[int, ...]:
        """The numbers of the stops in the order of the visits."""
        return tuple(stop.index for stop in self.stops)

    @property
    def wait_s(self) -> float:
        """Sum of all waiting."""
        return sum(stop.start_s - stop.arrive_s for stop in self.stops)

    @property
    def duration_s(self) -> float:
        """From begin to end."""
        return self.finish_s - self.start_s


@dataclass(frozen=True, slots=True)
class Conflict:
    """Why there is no plan: constraints that cannot be kept together, none of which could be left out."""

    constraints: tuple[str, ...]


def travel_of_table(legs: Mapping[tuple[int, int], float | None]) -> Travel:
    """Travel times from a table of pairs of numbered places; what is not in it is no way."""
    return lambda a, b: 0.0 if a == b else legs.get((a, b))


@dataclass(frozen=True, slots=True)
class _Constraint:
    """A constraint of a problem: of one stop, or of the whole trip (`index` is None)."""

    kind: _Kind
    index: int | None = None


def conflict_of(problem: Problem, feasible: Callable[[Problem], bool]) -> Conflict:
    """A minimal set of constraints that cannot be kept together.

    Args:
        problem: A problem without a solution.
        feasible: Tells whether a problem has one.
    """
    kept = _constraints(problem)
    if not feasible(_without(problem, kept)):
        return Conflict(("there is no way between all the stops",))
    for constraint in tuple(kept):
        fewer = [one for one in kept if one is not constraint]
        left_out = [one for one in _constraints(problem) if one not in fewer]
        if not feasible(_without(problem, left_out)):
            kept = fewer
    return Conflict(tuple(_words(problem, constraint) for constraint in kept))


def clock_of(moment_s: float) -> str:
    """Seconds after midnight as a time of day: "9:15 AM", "1:00 AM (next day)"."""
    minutes = round(moment_s / 60)
    shown = format_clock(time(minutes // 60 % 24, minutes % 60))
    return f"{shown} (next day)" if minutes * 60 > _DAY_S else shown


def _constraints(problem: Problem) -> list[_Constraint]:
    found: list[_Constraint] = []
    for index, stop in enumerate(problem.stops):
        kinds: tuple[_Kind, ...] = ("windows", "arrive_by_s", "not_before_s")
        found += [_Constraint(kind, index) for kind in kinds if getattr(stop, kind) is not None]
    if problem.deadline_s is not None:
        found.append(_Constraint("deadline_s"))
    if problem.order is not None:
        found.append(_Constraint("order"))
    return found


def _without(problem: Problem, left_out: list[_Constraint]) -> Problem:
    stops = list(problem.stops)
    deadline_s, order = problem.deadline_s, problem.order
    for constraint in left_out:
        if constraint.index is not None:
            stops[constraint.index] = _relaxed(stops[constraint.index], constraint.kind)
        elif constraint.kind == "deadline_s":
            deadline_s = None
        else:
            order = None
    return replace(problem, stops=tuple(stops), deadline_s=deadline_s, order=order)


def _relaxed(stop: Stop, kind: _Kind) -> Stop:
    if kind == "windows":
        return replace(stop, windows=None)
    return replace(stop, arrive_by_s=None) if kind == "arrive_by_s" else replace(stop, not_before_s=None)


def _words(problem: Problem, constraint: _Constraint) -> str:
    if constraint.kind == "order":
        return "the order of the visits"
    if constraint.index is None:
        return f"the trip ends by {clock_of(problem.deadline_s or 0.0)}"
    stop = problem.stops[constraint.index]
    if constraint.kind == "arrive_by_s":
        return f"{stop.name} is reached by {clock_of(stop.arrive_by_s or 0.0)}"
    if constraint.kind == "not_before_s":
        return f"{stop.name} not before {clock_of(stop.not_before_s or 0.0)}"
    if not stop.windows:
        return f"{stop.name} is closed"
    spans = ", ".join(f"{clock_of(opens)} – {clock_of(closes)}" for opens, closes in stop.windows)
    return f"{stop.name} is open {spans}"
