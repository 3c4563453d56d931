"""Trips in a fixed order whose legs take as long as a timetable says: each counts at the time when it is made."""

import math
from dataclasses import dataclass
from typing import Protocol

from map_tools.compute.itinerary import ROUNDING_S, latest_arrival, stay_start
from map_tools.compute.trip_model import END, START, Itinerary, PlannedStop, Problem

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
