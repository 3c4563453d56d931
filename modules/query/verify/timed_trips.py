"""Trips by a timetable, worked out once more: each way as it is cited for the time at which it is made."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise
from typing import Any, Protocol

from map_tools.facts import DeparturesFact, TravelFact
from map_tools.transit.telling import step_of
from map_tools.types import Route, TravelMode
from modules.query.values.moment import Moment
from modules.query.values.things import Items, Step, Visit, Way
from modules.query.values.unknown import Unknown, Why
from modules.query.verify.cited import Asked, Fault
from modules.query.verify.timing import Journey, Stay

_ROUNDING_S = 1e-6

type Span = tuple[float, float]


class Ways(Protocol):
    """The way between two numbered places."""

    def __call__(self, before: int, after: int, at_s: float, *, arriving: bool) -> Span | Unknown:
        """When one leaves and arrives, for a departure or for an arrival."""
        ...


type Times = tuple[float, list[tuple[float, float]], float, list[Span]]
"""The begin, arrival and begin of each stay, the end, and the ways."""


def is_timed(asked: Asked, stays: Sequence[Visit]) -> bool:
    """Whether a way of the trip goes by a timetable."""
    given = TravelMode(asked["mode"]) if asked["mode"] is not None else TravelMode.WALKING
    first = 0 if asked["start"] is not None else 1
    modes = [stay.mode or given for stay in stays[first:]]
    modes += [given] if asked["end"] is not None else []
    return asked.cited.situation.timetables and TravelMode.TRANSIT in modes


def from_now(asked: Asked) -> Asked:
    """The trip as it is meant: without any time it begins now."""
    now = asked.cited.situation.now
    if asked["depart"] is not None or asked["arrive"] is not None or now is None:
        return asked
    return replace(asked, arguments={**asked.arguments, "depart": Moment(now.replace(microsecond=0))})


def pairs(journey: Journey) -> list[tuple[int, int]]:
    """The ways of a trip in its order."""
    first, last = ([-1] if journey.ends[0] else []), ([-2] if journey.ends[1] else [])
    return [*pairwise([*first, *range(len(journey.stays)), *last])]


def span(found: Any, way: Way, at_s: float, zero: datetime, *, arriving: bool) -> Span | Unknown:
    """When one leaves and arrives by what is cited of a way."""
    if isinstance(found, Unknown):
        return found
    if isinstance(found, Fault) or not isinstance(found, TravelFact | Route) or found.duration_s is None:
        return Unknown(Why.NOT_STATED, "The way is not cited.")
    if way.mode is TravelMode.TRANSIT and found.depart_at and found.arrive_at:
        clocks = [datetime.combine(one.date(), one.time()) for one in (found.depart_at, found.arrive_at)]
        return (clocks[0] - zero).total_seconds(), (clocks[1] - zero).total_seconds()
    return (at_s - found.duration_s, at_s) if arriving else (at_s, at_s + found.duration_s)


def made(journey: Journey, way: Ways, start_s: float | None) -> Times | Unknown | None:
    """The trip from a begin on, or (None) as late as its deadline allows; None if there is none."""
    spans = _there(journey, way, start_s) if start_s is not None else _back(journey, way)
    if spans is None or isinstance(spans, Unknown):
        return spans
    begin_s, ways = spans
    now, left, times = begin_s, list(ways), []
    for number, stay in enumerate(journey.stays):
        if number or journey.ends[0]:
            now = left.pop(0)[1]
        begin = stay.begins(now)
        if begin is None:
            return None
        times.append((now, begin))
        now = begin + stay.dwell_s
    finish = left[0][1] if left else now
    return (begin_s, times, finish, ways) if finish <= journey.deadline_s + _ROUNDING_S else None


def _there(journey: Journey, way: Ways, start_s: float) -> tuple[float, list[Span]] | Unknown | None:
    now, spans = start_s, []
    if not journey.ends[0] and journey.stays:
        begin = journey.stays[0].begins(now)
        if begin is None:
            return None
        now = begin + journey.stays[0].dwell_s
    for before, after in pairs(journey):
        found = way(before, after, now, arriving=False)
        if isinstance(found, Unknown):
            return found
        spans.append(found)
        now = found[1]
        if after >= 0:
            begin = journey.stays[after].begins(now)
            if begin is None:
                return None
            now = begin + journey.stays[after].dwell_s
    return start_s, spans


def _back(journey: Journey, way: Ways) -> tuple[float, list[Span]] | Unknown | None:
    by, spans = journey.deadline_s, []
    for before, after in reversed(pairs(journey)):
        if after >= 0:
            by = _latest(journey.stays[after], by)
            if by == float("-inf"):
                return None
        found = way(before, after, by, arriving=True)
        if isinstance(found, Unknown):
            return found
        spans.append(found)
        by = found[0]
    if not journey.ends[0] and journey.stays:
        by = _latest(journey.stays[0], by)
        if by == float("-inf"):
            return None
    return by, spans[::-1]


def _latest(stay: Stay, leave_by_s: float) -> float:
    """When one has to be at a stay at the latest to leave it by a time."""
    windows = stay.windows if stay.windows is not None else ((float("-inf"), leave_by_s),)
    begins = [
        min(closes, leave_by_s) - stay.dwell_s
        for opens, closes in windows
        if max(opens, stay.early_s) + stay.dwell_s <= min(closes, leave_by_s) + _ROUNDING_S
    ]
    return min(max(begins, default=float("-inf")), stay.late_s)


def departures(asked: Asked) -> object:
    """The rides that are cited of a stop, none of them before the moment, one after the other."""
    given = asked["at"].at if asked["at"] is not None else asked.cited.situation.now
    if given is None:
        return Unknown(Why.NOT_STATED, "")
    at = given.replace(microsecond=0)
    for item, fact in asked.cited.of(DeparturesFact):
        if fact.stop != asked["stop"].reference or item.source.arguments.get("at") != at.isoformat():
            continue
        asked.cited.using(item)
        clocks = [one.depart_at.replace(tzinfo=None) for one in fact.rides]
        if any(one < at for one in clocks) or clocks != sorted(clocks):
            return Fault("departures in their order, from that time on")
        way = Way(asked["stop"], asked["stop"], TravelMode.TRANSIT)
        steps = [Step(step_of(ride), number, way) for number, ride in enumerate(fact.rides)]
        return Items(tuple(steps), searched=True, complete=fact.complete)
    return asked.cited.lost(asked["stop"].reference)
