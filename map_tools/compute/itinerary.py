"""Exact planning of trips: the best order of visits under opening hours, deadlines and stays.

Arriving earlier at a stop never makes anything later (waiting is allowed, travel times are fixed), so it is
enough to keep, for each set of stops visited and each last stop, the plans that are not beaten in both
departure and travel time: the dynamic programme of M. Held and R. M. Karp, "A dynamic programming
approach to sequencing problems", J. SIAM 10, 196-210, 1962, with Pareto labels. It is exact; the property
tests compare it with brute force.

Where legs take as long as a timetable says, each counts at the time when it is made; such trips have a fixed
order (`forwards`, `backwards`).
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Protocol

from map_tools.compute.trip_model import (
    END,
    START,
    Conflict,
    Itinerary,
    PlannedStop,
    Problem,
    Stop,
    conflict_of,
)
from map_tools.errors import LimitError

MAX_STOPS = 12
"""Largest number of stops that are put in order: 24,576 pairs of a set and its last stop, about a second."""

MAX_PLANS = 1_000_000
"""So many partial plans are looked at: opening hours may leave several for one set that none of them beats."""

EXPLAINED_STOPS = 9
"""Up to so many stops it is found out which limits cannot be kept together; each takes another search."""

ROUNDING_S = 1e-7
"""A limit counts as kept if it is missed by no more than the rounding of sums of floats."""

type Span = tuple[float, float]
"""When one leaves and when one is there, in seconds."""


class Leg(Protocol):
    """The best leg from a numbered place to another; None if there is none."""

    def __call__(self, before: int, after: int, at_s: float, *, arriving: bool) -> Span | None:
        """The leg for a departure, or for an arrival."""
        ...


@dataclass(frozen=True, slots=True)
class Missed:
    """Why there is no such trip; empty if a leg is not known."""

    problem: str = ""


@dataclass(slots=True)
class _Label:
    """A partial plan; it holds the plan that it is one stop longer than.

    Attributes:
        last: Its last stop; None before the first one.
        done: Its stops as bits.
        arrive_s, start_s, depart_s: The times of its last stop.
        travel_s: How long it has travelled.
    """

    last: int | None
    done: int
    arrive_s: float
    start_s: float
    depart_s: float
    travel_s: float
    before: "_Label | None" = None

    def beats(self, other: "_Label") -> bool:
        """True if this plan is at least as good in departure and in travel."""
        return self.depart_s <= other.depart_s and self.travel_s <= other.travel_s

    def chain(self) -> tuple["_Label", ...]:
        """The plans that it was made of, each with one stop more."""
        found: list[_Label] = []
        label: _Label | None = self
        while label is not None and label.last is not None:
            found.append(label)
            label = label.before
        return tuple(reversed(found))

    @property
    def order(self) -> tuple[int, ...]:
        """Its stops in order."""
        return tuple(one.last for one in self.chain() if one.last is not None)


def simulate(
    problem: Problem, order: Iterable[int] | None = None, start_s: float | None = None
) -> Itinerary | None:
    """The plan that visits the stops in this order as early as can be; None if a constraint forbids it.

    Args:
        problem: Its deadline counts; it need not be visited in full.
        order: The problem's own order, or that of its stops, unless given.
        start_s: Another begin than the problem's.
    """
    timed = problem if start_s is None else replace(problem, start_s=start_s)
    label: _Label | None = _begin(timed)
    for index in order if order is not None else _default_order(timed):
        label = _extended(timed, label, index) if label is not None else None
    return _finished(timed, label) if label is not None else None


def best_order(problem: Problem) -> Itinerary | Conflict:
    """The plan of all stops that is over first, of those the one with least travel. A fixed order is kept.

    Raises:
        LimitError: More stops than can be put in order.
    """
    plan = _best(problem)
    if plan is not None:
        return plan
    if problem.order is None and len(problem.stops) > EXPLAINED_STOPS:
        closed = tuple(f"{stop.name} is closed" for stop in problem.stops if stop.windows == ())
        return Conflict(closed or ("no order of the stops keeps all limits",))
    return conflict_of(problem, feasible)


def feasible(problem: Problem) -> bool:
    """True if some plan keeps all constraints.

    Raises:
        LimitError: More stops than can be put in order.
    """
    return _best(problem) is not None


def max_visits(problem: Problem, budget_s: float | None = None) -> Itinerary:
    """The plan with the most stops within a time budget; among those the one that is over first.

    If nothing fits, the plan has no stops. Of a fixed order stops may be left out, not swapped.

    Raises:
        LimitError: More stops than can be put in order.
    """
    limits = [problem.deadline_s, None if budget_s is None else problem.start_s + budget_s]
    limited = replace(problem, deadline_s=min((limit for limit in limits if limit is not None), default=None))
    most: Itinerary | None = None
    for labels in _layers(limited):
        most = _first_over(limited, labels) or most
    return most if most is not None and most.stops else Itinerary(problem.start_s, (), 0.0, problem.start_s)


def latest_departure(problem: Problem, order: Iterable[int] | None = None) -> float | None:
    """The latest begin of the trip with which all constraints can still be kept.

    None if no begin will do; infinity if no constraint bounds it.

    Raises:
        LimitError: More stops than can be put in order.
    """
    fixed = tuple(order) if order is not None else problem.order
    if fixed is None:
        _check_size(problem)
    stops = len(problem.stops)

    @cache
    def latest(before: int | None, left: frozenset[int]) -> float:
        """The latest departure from `before` with these stops still to visit."""
        if not left:
            return _latest_to_end(problem, before)
        choices = sorted(left) if fixed is None else [next(index for index in fixed if index in left)]
        return max(
            _before(
                latest_arrival(problem.stops[index], latest(index, left - {index})),
                problem.leg_s(before, index),
            )
            for index in choices
        )

    found = latest(problem.origin, frozenset(range(stops) if fixed is None else fixed))
    return None if found == -math.inf else found


def places_of(problem: Problem) -> tuple[int, ...]:
    """The numbered places of a trip in its order."""
    first = (START,) if problem.has_start else ()
    return (*first, *range(len(problem.stops)), *((END,) if problem.has_end else ()))


def forwards(problem: Problem, leg: Leg) -> Itinerary | Missed:
    """The trip that begins at `problem.start_s`, everything as early as can be."""
    places, now = places_of(problem), problem.start_s
    spans: list[Span] = []
    for number, place in enumerate(places):
        if number:
            span = leg(places[number - 1], place, now, arriving=False)
            if span is None:
                return Missed()
            spans.append(span)
            now = span[1]
        if place >= 0:
            begin = stay_start(problem.stops[place], now)
            if begin is None:
                return Missed(f"it is too late for {problem.stops[place].name}")
            now = begin + problem.stops[place].dwell_s
    if problem.deadline_s is not None and now > problem.deadline_s + ROUNDING_S:
        return Missed("it ends too late")
    return _planned(problem, problem.start_s, spans)


def backwards(problem: Problem, leg: Leg) -> Itinerary | Missed:
    """The trip that begins as late as its deadline allows."""
    places = places_of(problem)
    by = math.inf if problem.deadline_s is None else problem.deadline_s
    spans: list[Span] = []
    for number, place in reversed([*enumerate(places)]):
        if place >= 0:
            by = latest_arrival(problem.stops[place], by)
            if not math.isfinite(by):
                return Missed(f"no departure is early enough for {problem.stops[place].name}")
        if number:
            span = leg(places[number - 1], place, by, arriving=True)
            if span is None:
                return Missed()
            spans.insert(0, span)
            by = span[0]
    return _planned(problem, by, spans)


def _planned(problem: Problem, start_s: float, spans: list[Span]) -> Itinerary | Missed:
    """The trip of these legs."""
    stops: list[PlannedStop] = []
    come, left = start_s, iter(spans)
    for number, place in enumerate(places_of(problem)):
        come = next(left)[1] if number else start_s
        if place < 0:
            continue
        stop = problem.stops[place]
        begin = stay_start(stop, come)
        if begin is None:
            return Missed(f"one cannot be at {stop.name} in time")
        come = begin + stop.dwell_s
        stops.append(PlannedStop(place, stop.name, spans[number - 1][1] if number else start_s, begin, come))
    return Itinerary(start_s, tuple(stops), sum(there - leave for leave, there in spans), come)


def _begin(problem: Problem) -> _Label:
    return _Label(None, 0, problem.start_s, problem.start_s, problem.start_s, 0.0)


def _default_order(problem: Problem) -> tuple[int, ...]:
    return problem.order if problem.order is not None else tuple(range(len(problem.stops)))


def _check_size(problem: Problem) -> None:
    if len(problem.stops) > MAX_STOPS:
        raise LimitError(
            f"{len(problem.stops)} stops are too many to find the best order of.",
            f"Give at most {MAX_STOPS} stops, or their order.",
        )


def _best(problem: Problem) -> Itinerary | None:
    if problem.order is not None:
        return simulate(problem)
    *_, complete = _layers(problem)
    return _first_over(problem, complete)


def _first_over(problem: Problem, labels: Iterable[_Label]) -> Itinerary | None:
    """Of some plans the one that is over first, of those the one with least travel; None if all end too late."""
    ends = ((_end(problem, label), label) for label in labels)
    over = [(*end, label.order, label) for end, label in ends if end is not None]
    best = min(over, key=lambda plan: plan[:3], default=None)
    return None if best is None else _finished(problem, best[3])


def _layers(problem: Problem) -> Iterator[list[_Label]]:
    """The undominated partial plans of 0, 1, 2, ... stops."""
    _check_size(problem)
    problem = replace(problem, travel=cache(problem.travel))
    layer = [_begin(problem)]
    yield layer
    plans = 0
    for _ in problem.stops:
        front: dict[tuple[int, int], list[_Label]] = {}
        plans += len(layer) * len(problem.stops)
        if plans > MAX_PLANS:
            raise LimitError(
                f"The limits of the {len(problem.stops)} stops leave too many plans to compare.",
                f"Give at most {EXPLAINED_STOPS} stops, or their order.",
            )
        for label in layer:
            for index in _choices(problem, label):
                extended = _extended(problem, label, index)
                if extended is not None:
                    _keep(front.setdefault((extended.done, index), []), extended)
        layer = [label for labels in front.values() for label in labels]
        yield layer


def _choices(problem: Problem, label: _Label) -> Iterable[int]:
    """The stops that may come next."""
    if problem.order is None:
        return (index for index in range(len(problem.stops)) if not label.done >> index & 1)
    done = 0 if label.last is None else problem.order.index(label.last) + 1
    return problem.order[done:]


def _keep(labels: list[_Label], new: _Label) -> None:
    """Adds a label unless it is beaten, and drops those it beats."""
    if any(label.beats(new) for label in labels):
        return
    labels[:] = [label for label in labels if not new.beats(label)]
    labels.append(new)


def _extended(problem: Problem, label: _Label, index: int) -> _Label | None:
    """The plan with one more stop; None if there is no way or a constraint forbids it."""
    leg_s = problem.leg_s(problem.origin if label.last is None else label.last, index)
    if leg_s is None:
        return None
    stop = problem.stops[index]
    arrive_s = label.depart_s + leg_s
    start_s = stay_start(stop, arrive_s)
    if start_s is None or _late(start_s + stop.dwell_s, problem.deadline_s):
        return None
    depart_s, travel_s = start_s + stop.dwell_s, label.travel_s + leg_s
    return _Label(index, label.done | 1 << index, arrive_s, start_s, depart_s, travel_s, label)


def stay_start(stop: Stop, arrive_s: float) -> float | None:
    """The earliest begin of a stay after an arrival; None if it is not possible any more."""
    if _late(arrive_s, stop.arrive_by_s):
        return None
    ready_s = arrive_s if stop.not_before_s is None else max(arrive_s, stop.not_before_s)
    if stop.windows is None:
        return ready_s
    starts = (
        max(ready_s, opens)
        for opens, closes in stop.windows
        if not _late(max(ready_s, opens) + stop.dwell_s, closes)
    )
    return min(starts, default=None)


def _end(problem: Problem, label: _Label) -> tuple[float, float] | None:
    """When a plan is over and how long it travels, its end added; None if it ends too late."""
    last = problem.origin if label.last is None else label.last
    home_s = problem.leg_s(last, END) if problem.has_end else 0.0
    if home_s is None or _late(label.depart_s + home_s, problem.deadline_s):
        return None
    return label.depart_s + home_s, label.travel_s + home_s


def _finished(problem: Problem, label: _Label) -> Itinerary | None:
    """The whole itinerary of a plan; None if it ends too late."""
    end = _end(problem, label)
    if end is None:
        return None
    stops = tuple(
        PlannedStop(one.last, problem.stops[one.last].name, one.arrive_s, one.start_s, one.depart_s)
        for one in label.chain()
        if one.last is not None
    )
    return Itinerary(problem.start_s, stops, end[1], end[0])


def _latest_to_end(problem: Problem, before: int | None) -> float:
    """The latest departure from the last stop."""
    deadline_s = math.inf if problem.deadline_s is None else problem.deadline_s
    return _before(deadline_s, problem.leg_s(before, END)) if problem.has_end else deadline_s


def latest_arrival(stop: Stop, depart_by_s: float) -> float:
    """The latest arrival at a stop that is to be left by a time; minus infinity if there is none."""
    earliest_s = -math.inf if stop.not_before_s is None else stop.not_before_s
    windows = stop.windows if stop.windows is not None else ((-math.inf, math.inf),)
    starts = [
        min(closes, depart_by_s) - stop.dwell_s
        for opens, closes in windows
        if not _late(max(opens, earliest_s) + stop.dwell_s, min(closes, depart_by_s))
    ]
    latest_s = max(starts, default=-math.inf)
    return latest_s if stop.arrive_by_s is None else min(latest_s, stop.arrive_by_s)


def _before(limit_s: float, leg_s: float | None) -> float:
    """The latest departure to arrive by a limit; minus infinity if there is no way."""
    return -math.inf if leg_s is None else limit_s - leg_s


def _late(moment_s: float, limit_s: float | None) -> bool:
    return limit_s is not None and moment_s > limit_s + ROUNDING_S
