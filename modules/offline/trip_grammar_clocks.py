"""The times of day of a trip: when it begins, when it must be over, when one must be somewhere."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import time

from modules.offline.analysis import Analysis
from modules.offline.marks import Mark
from modules.offline.trip_grammar_stops import Stop, pattern

REACH = 110
"""How many characters before a time may say what it means."""


@dataclass(slots=True)
class Times:
    """The times a question sets; `arrive_by` and `not_before` by the index of the stop."""

    depart: time | None = None
    end: time | None = None
    arrive_by: dict[int, time] = field(default_factory=dict)
    not_before: dict[int, time] = field(default_factory=dict)


def times(analysis: Analysis, text: str, stops: Sequence[Stop], ask: str, *, begins_at_first: bool) -> Times:
    """Gives each time of day its meaning.

    Args:
        analysis: The question.
        text: It in lower case with the names blanked out.
        stops: The stops in the order told.
        ask: What is asked: a time "by" which one must be at a stop bounds a latest departure.
        begins_at_first: The trip begins with the arrival at its first stop.
    """
    found = Times()
    for mark in analysis.clocks:
        before = text[max(0, mark.start - REACH) : mark.start]
        after = text[mark.end : mark.end + 40]
        sentence = before[max(before.rfind(sign) for sign in (". ", "? ", "! ", "; ")) + 1 :]
        early = not any(stop.end <= mark.start for stop in stops[1:])
        must_leave = pattern("clock", "must_leave").search(sentence) is not None and not early
        first = stops[0] if begins_at_first and stops and early else None
        if not must_leave and _departs(sentence, after, mark, first, found):
            found.depart = mark.value
        else:
            _bound(found, sentence, mark, stops, ask)
    return found


def _departs(sentence: str, after: str, mark: Mark[time], first: Stop | None, found: Times) -> bool:
    """True if this is when the trip begins; `first` is the stop it begins at, if it has no other start."""
    if found.depart is not None or pattern("clock", "end").search(sentence):
        return False
    if pattern("clock", "depart_after").search(after):
        return True
    said = pattern("clock", "depart").search(sentence) is not None
    if said and _last(sentence, "leaving") >= _last(sentence, "being_there"):
        return pattern("clock", "fixed").search(sentence[-25:]) is None
    arrived = pattern("clock", "arrived").search(sentence) is not None
    return arrived and first is not None and first.end <= mark.start


def _last(sentence: str, verbs: str) -> int:
    """Where the last of these verbs stands; -1 if there is none."""
    return max((match.start() for match in pattern("clock", verbs).finditer(sentence)), default=-1)


def _bound(found: Times, sentence: str, mark: Mark[time], stops: Sequence[Stop], ask: str) -> None:
    """A time that bounds the trip: its end, or the arrival at a stop."""
    stop = _stop_of(mark, stops)
    finishing = pattern("clock", "back_by").search(sentence) is not None
    must_leave = pattern("clock", "must_leave").search(sentence) is not None
    fixed = pattern("clock", "fixed").search(sentence) is not None
    if fixed and stop is None:
        return
    if must_leave or finishing or stop is None:
        found.end = found.end or mark.value
    elif pattern("clock", "end").search(sentence) or ask in {"latest_departure", "feasible"}:
        found.arrive_by.setdefault(stop, mark.value)
    elif fixed:
        found.not_before.setdefault(stop, mark.value)
    else:
        found.end = found.end or mark.value


def _stop_of(mark: Mark[time], stops: Sequence[Stop]) -> int | None:
    """The stop named last before a time, or else right behind it."""
    before = [index for index, stop in enumerate(stops) if stop.end <= mark.start]
    return before[-1] if before else None
