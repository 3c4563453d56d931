"""Names the constraints that keep a trip from being possible.

The deletion filter of J. W. Chinneck and E. W. Dravnieks ("Locating minimal infeasible constraint sets in
linear programs", ORSA J. Computing 3, 157-168, 1991): constraints are left out one by one; those without
which the trip is still impossible are dropped for good. What remains cannot be kept together, and nothing
of it could be spared.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import time
from typing import Literal

from map_tools.compute.clocks import format_clock
from map_tools.compute.trip_model import Conflict, Problem, Stop

type _Kind = Literal["windows", "arrive_by_s", "not_before_s", "deadline_s", "order"]

_DAY_S = 86400


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
