"""The times of day of a trip: when it begins, when it must be over, when one must be somewhere."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Final

from modules.offline.analysis import Analysis
from modules.offline.marks import Mark
from modules.offline.trip_grammar_stays import is_margin
from modules.offline.trip_grammar_trail import Stop, pattern

REACH = 110
"""How many characters before a time may say what it means."""


HALF_DAY: Final = 12

AFTERNOON_TILL: Final = 5
"""Bare hours up to this one ("at 2") are meant after noon; nobody sets out sightseeing at night."""

WHOLE_TRIP = frozenset(("max_visits", "best_order", "schedule"))
"""Asks of trips whose stops may change places, so that "until 4 pm" limits the whole."""


_AT_NEXT = re.compile(r"\s*(?:at|in|with)\s+(?:the\s+)?_")


@dataclass(slots=True)
class Times:
    """The times a question sets; `arrive_by`, `not_before` and `until` by the index of the stop.

    `end_loose`: the end is only a time told before all stops, which one that is said to be the end overrules.
    `event`: when something begins that is told before all stops ("The opera begins at 7 pm").
    """

    depart: time | None = None
    end: time | None = None
    end_loose: bool = False
    event: time | None = None
    arrive_by: dict[int, time] = field(default_factory=dict)
    not_before: dict[int, time] = field(default_factory=dict)
    until: dict[int, time] = field(default_factory=dict)


def times(
    analysis: Analysis,
    text: str,
    stops: Sequence[Stop],
    ask: str,
    *,
    begins_at_first: bool,
    end: Stop | None = None,
    left: Mark[time] | None = None,
) -> Times:
    """Gives each time of day its meaning.

    Args:
        analysis: The question.
        text: It in lower case with the names blanked out.
        stops: The stops in the order told.
        ask: What is asked: a time "by" which one must be at a stop bounds a latest departure.
        begins_at_first: The trip begins with the arrival at its first stop.
        left: The time at which one leaves the stop that the trip begins at; earlier ones do not matter.
        end: Where the trip ends, if that is no stop of its own: a time right behind it is when it is over.
    """
    found = Times(depart=left.value if left is not None else None)
    for mark in _in_the_afternoon(analysis):
        if left is not None and mark.start <= left.start:
            continue
        before = text[max(0, mark.start - REACH) : mark.start]
        after = text[mark.end : mark.end + 40]
        sentence = before[max(before.rfind(sign) for sign in (". ", "? ", "! ", "; ")) + 1 :]
        if end is not None and _ends_there(text[end.end : mark.start]):
            _set_end(found, mark.value, loose=False)
            continue
        if (event := _event_at(text, mark, stops)) is not None:
            found.arrive_by.setdefault(event, mark.value)
            continue
        if pattern("clock", "closed_then").search(sentence):
            continue
        early = _stop_of(mark, stops) in {None, 0}
        must_leave = pattern("clock", "must_leave").search(sentence) is not None and not early
        first = stops[0] if begins_at_first and stops and early else None
        if not must_leave and _departs(sentence, after, mark, first, found):
            found.depart = mark.value
        else:
            bound = pattern("clock", "must_be_after").search(after) is not None
            _bound(found, sentence, mark, stops, ask, bound=bound)
    if ask == "latest_departure" and found.event is not None and not (found.end or found.arrive_by):
        found.arrive_by[len(stops) - 1] = found.event
    _bring_forward(found, analysis)
    return found


def _ends_there(between: str) -> bool:
    """True for a time close behind the place where the trip ends, unless one leaves then."""
    near = bool(between) and len(between) < REACH and "_" not in between
    return near and pattern("clock", "leaving").search(between) is None


def _event_at(text: str, mark: Mark[time], stops: Sequence[Stop]) -> int | None:
    """The stop behind "a 7 pm reservation at" or "booked for 7 pm at"; None if the time is no event's."""
    named = pattern("order", "date_behind").search(text[mark.end :])
    booked = pattern("order", "date_before").search(text[: mark.start])
    if named is None and (booked is None or _AT_NEXT.match(text, mark.end) is None):
        return None
    return next((index for index, stop in enumerate(stops) if stop.start >= mark.end), None)


def _bring_forward(found: Times, analysis: Analysis) -> None:
    """Being somewhere "a quarter of an hour early" is being there by that much less."""
    text = analysis.text.casefold()
    margin_s = next((mark.value for mark in analysis.durations if is_margin(text, mark)), 0.0)
    if not margin_s:
        return
    if found.arrive_by:
        last = max(found.arrive_by)
        found.arrive_by[last] = _earlier(found.arrive_by[last], margin_s)
    elif found.not_before:
        last, at = max(found.not_before.items())
        del found.not_before[last]
        found.arrive_by[last] = _earlier(at, margin_s)
    elif found.end is not None:
        found.end = _earlier(found.end, margin_s)


def _earlier(at: time, seconds: float) -> time:
    return (datetime.combine(date.min + timedelta(days=1), at) - timedelta(seconds=seconds)).time()


def _departs(sentence: str, after: str, mark: Mark[time], first: Stop | None, found: Times) -> bool:
    """True if this is when the trip begins; `first` is the stop it begins at, if it has no other start."""
    if found.depart is None and pattern("clock", "here_until").search(sentence):
        return True
    elsewhere = pattern("clock", "end").search(sentence) or pattern("clock", "carrier").search(sentence)
    if found.depart is not None or elsewhere:
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


def _bound(
    found: Times, sentence: str, mark: Mark[time], stops: Sequence[Stop], ask: str, *, bound: bool
) -> None:
    """A time that bounds the trip: its end, or the arrival at a stop. `bound`: "I must be" follows it."""
    stop = _stop_of(mark, stops)
    if ask == "spare" and stop == len(stops) - 1 and pattern("clock", "stays_until").search(sentence):
        found.until.setdefault(stop, mark.value)
        return
    if ask in WHOLE_TRIP and pattern("clock", "end").search(sentence):
        found.end = found.end or mark.value
        return
    finishing = pattern("clock", "back_by").search(sentence) is not None
    must_leave = pattern("clock", "must_leave").search(sentence) is not None
    fixed = pattern("clock", "fixed").search(sentence) is not None
    if fixed and stop is None:
        found.event = found.event or mark.value
        return
    if must_leave or finishing or stop is None:
        surely = bound or must_leave or finishing or pattern("clock", "end").search(sentence)
        _set_end(found, mark.value, loose=not surely)
    elif _is_deadline(sentence, ask):
        found.arrive_by.setdefault(stop, mark.value)
    elif fixed:
        found.not_before.setdefault(stop, mark.value)
    else:
        found.end = found.end or mark.value


def _set_end(found: Times, at: time, *, loose: bool) -> None:
    """Takes a time for the end of the trip, unless one is known that is as sure."""
    if found.end is None or (found.end_loose and not loose):
        found.end, found.end_loose = at, loose


def _is_deadline(sentence: str, ask: str) -> bool:
    """True for a time by which one must be at a stop."""
    if pattern("clock", "end").search(sentence) or ask in {"latest_departure", "feasible"}:
        return True
    dated = pattern("clock", "must_be").search(sentence) or pattern("clock", "booked").search(sentence)
    return ask == "spare" and dated is not None


def _stop_of(mark: Mark[time], stops: Sequence[Stop]) -> int | None:
    """The stop named last before a time."""
    before = [index for index, stop in enumerate(stops) if stop.end <= mark.start]
    return max(before, key=lambda index: stops[index].end, default=None)


def _in_the_afternoon(analysis: Analysis) -> list[Mark[time]]:
    """The times of day, those that leave the half of the day open put where they make sense.

    A bare "at 2" is after noon, and so is a time that would else come before one told earlier ("it's 4:30 pm
    ... back by 5:15"), or is that one again ("by 6 pm ... that 6 o'clock return").
    """
    marks: list[Mark[time]] = []
    latest: time | None = None
    for mark in analysis.clocks:
        value = mark.value
        if _leaves_half_open(analysis, mark):
            later = value.replace(hour=value.hour + HALF_DAY)
            bare = ":" not in analysis.text[mark.start : mark.end] and value.hour <= AFTERNOON_TILL
            if bare or (latest is not None and value < latest <= later):
                value = later
        latest = value if latest is None else max(latest, value)
        marks.append(Mark(mark.start, mark.end, value))
    return marks


def _leaves_half_open(analysis: Analysis, mark: Mark[time]) -> bool:
    """True for "4:30", "at 9" and "half past five", not for "04:30", "9 am", "noon"."""
    said, behind = analysis.text[mark.start : mark.end], analysis.text[mark.end : mark.end + 5]
    value_said = mark.value.hour > 0
    stated = "m" in said.casefold() or behind.casefold().lstrip().startswith(("am", "pm", "a.m", "p.m"))
    return mark.value.hour < HALF_DAY and said[:1] not in "0" and value_said and not stated
