"""A trip to be planned and a planned trip as plain data: whether a plan is right, and why there may be none.

Times are seconds after midnight of the day the trip begins (over 86,400 on the next day).

A search may be wrong; what it returns can be checked by plain arithmetic. `check` does so number by number,
with no code of the search: an itinerary is right exactly if the list of faults is empty.

`conflict_of` is the deletion filter of J. W. Chinneck and E. W. Dravnieks ("Locating minimal infeasible
constraint sets in linear programs", ORSA J. Computing 3, 157-168, 1991): constraints are left out one by one;
those without which the trip is still impossible are dropped for good. What remains cannot be kept together,
and nothing of it could be spared.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import time
from typing import Literal

from map_tools.compute.clocks import format_clock

START = -1
"""Number of the place the trip starts from; visits count from 0."""

END = -2
"""Number of the place the trip ends at after the last visit; it may be the same place as the start."""

TOLERANCE_S = 1e-6
"""Times are sums of a few floats below 10⁶ s; their error is far below this."""

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
    """A planned trip that carries all it takes to check it (`check`).

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


def travel_of_matrix(rows: Sequence[Sequence[float | None]], stops: int) -> Travel:
    """Travel times from a matrix: rows and columns are the stops, then the start, then the end.

    One extra row and column serves as both start and end: the trip returns to where it began.
    """
    last = len(rows) - 1

    def travel_s(a: int, b: int) -> float | None:
        row, column = (place if place >= 0 else stops if place == START else last for place in (a, b))
        return rows[row][column]

    return travel_s


def check(
    itinerary: Itinerary, problem: Problem, *, budget_s: float | None = None, partial: bool = False
) -> list[str]:
    """All faults of an itinerary; none if it is right.

    Args:
        itinerary: The plan to check.
        problem: What was asked for.
        budget_s: The longest the trip may take.
        partial: Stops may be left out.
    """
    return [
        *_selection_faults(itinerary, problem, partial=partial),
        *_clock_faults(itinerary, problem),
        *_sum_faults(itinerary, problem),
        *(fault for planned in itinerary.stops for fault in _stop_faults(planned, problem)),
        *_limit_faults(itinerary, problem, budget_s),
    ]


def _selection_faults(itinerary: Itinerary, problem: Problem, *, partial: bool) -> Iterator[str]:
    """Every stop once, by its name, in the fixed order if there is one."""
    numbers = [planned.index for planned in itinerary.stops]
    if len(set(numbers)) < len(numbers):
        yield "A stop is visited twice."
    for planned in itinerary.stops:
        if not 0 <= planned.index < len(problem.stops) or problem.stops[planned.index].name != planned.name:
            yield f"{planned.name} is not stop {planned.index} of the trip."
    if not partial and set(numbers) != set(range(len(problem.stops))):
        yield "Not all stops are visited."
    if problem.order is not None and numbers != [index for index in problem.order if index in numbers]:
        yield "The order asked for is not kept."


def _clock_faults(itinerary: Itinerary, problem: Problem) -> Iterator[str]:
    """Each arrival is the departure before plus the travel between."""
    if not _same(itinerary.start_s, problem.start_s):
        yield "The trip does not begin when it should."
    left_s = itinerary.start_s
    for before, planned in zip(_path(itinerary, problem), itinerary.stops, strict=False):
        leg_s = 0.0 if before is None else problem.travel(before, planned.index)
        if leg_s is None:
            yield f"There is no way to {planned.name}."
        elif not _same(planned.arrive_s, left_s + leg_s):
            yield f"The arrival at {planned.name} is not the departure before plus the travel."
        left_s = planned.depart_s
    home_s = _home_s(itinerary, problem)
    if home_s is None:
        yield "There is no way to the end of the trip."
    elif not _same(itinerary.finish_s, left_s + home_s):
        yield "The end of the trip is not the last departure plus the travel."


def _sum_faults(itinerary: Itinerary, problem: Problem) -> Iterator[str]:
    """The travel is the sum of the legs."""
    legs = [
        0.0 if before is None else problem.travel(before, planned.index)
        for before, planned in zip(_path(itinerary, problem), itinerary.stops, strict=False)
    ]
    total_s = math.fsum(leg or 0.0 for leg in (*legs, _home_s(itinerary, problem)))
    if not _same(itinerary.travel_s, total_s):
        yield "The travel is not the sum of its legs."


def _stop_faults(planned: PlannedStop, problem: Problem) -> Iterator[str]:
    """Waiting, stay, opening hours and limits of one visit."""
    if not 0 <= planned.index < len(problem.stops):
        return
    stop = problem.stops[planned.index]
    if planned.start_s < planned.arrive_s - TOLERANCE_S:
        yield f"The stay at {stop.name} begins before the arrival."
    if not _same(planned.depart_s - planned.start_s, stop.dwell_s):
        yield f"The stay at {stop.name} is not as long as asked."
    if stop.not_before_s is not None and planned.start_s < stop.not_before_s - TOLERANCE_S:
        yield f"The stay at {stop.name} begins too early."
    if stop.arrive_by_s is not None and planned.arrive_s > stop.arrive_by_s + TOLERANCE_S:
        yield f"The arrival at {stop.name} is too late."
    if stop.windows is not None and not any(
        opens - TOLERANCE_S <= planned.start_s and planned.depart_s <= closes + TOLERANCE_S
        for opens, closes in stop.windows
    ):
        yield f"{stop.name} is not open during the whole stay."


def _limit_faults(itinerary: Itinerary, problem: Problem, budget_s: float | None) -> Iterator[str]:
    if problem.deadline_s is not None and itinerary.finish_s > problem.deadline_s + TOLERANCE_S:
        yield "The trip ends after its deadline."
    if budget_s is not None and itinerary.finish_s - itinerary.start_s > budget_s + TOLERANCE_S:
        yield "The trip takes longer than the time at hand."


def _path(itinerary: Itinerary, problem: Problem) -> list[int | None]:
    """The places before each stop and before the end."""
    return [START if problem.has_start else None, *(planned.index for planned in itinerary.stops)]


def _home_s(itinerary: Itinerary, problem: Problem) -> float | None:
    last = _path(itinerary, problem)[-1]
    return problem.travel(last, END) if problem.has_end and last is not None else 0.0


def _same(a: float, b: float) -> bool:
    return abs(a - b) <= TOLERANCE_S


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
