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


def times(analysis: Analysis, text: str, stops: Sequence[Stop], ask: str) -> Times:
    """Gives each time of day its meaning.

    Args:
        analysis: The question.
        text: It in lower case with the names blanked out.
        stops: The stops in the order told.
        ask: What is asked: a time "by" which one must be at a stop bounds a latest departure.
    """
    found = Times()
    for mark in analysis.clocks:
        before = text[max(0, mark.start - REACH) : mark.start]
        after = text[mark.end : mark.end + 40]
        sentence = before[max(before.rfind(sign) for sign in (". ", "? ", "! ", "; ")) + 1 :]
        if _departs(sentence, after, mark, stops, found):
            found.depart = mark.value
        else:
            _bound(found, sentence, mark, stops, ask)
    return found


def _departs(sentence: str, after: str, mark: Mark[time], stops: Sequence[Stop], found: Times) -> bool:
    """True if this is when the trip begins."""
    if found.depart is not None or pattern("clock", "end").search(sentence):
        return False
    if pattern("clock", "must_leave").search(sentence) and any(stop.end < mark.start for stop in stops[1:]):
        return False
    if pattern("clock", "depart_after").search(after):
        return True
    if pattern("clock", "depart").search(sentence) and not pattern("clock", "fixed").search(sentence[-25:]):
        return True
    first = stops[0] if stops else None
    arrived = pattern("clock", "arrived").search(sentence) is not None
    return (
        arrived
        and first is not None
        and first.end <= mark.start
        and not any(first.end < stop.end <= mark.start for stop in stops[1:])
    )


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
