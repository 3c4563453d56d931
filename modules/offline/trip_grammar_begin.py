"""Where and when a trip begins if a place tells it: until when one stays there, when it opens or closes."""

import re
from datetime import time
from typing import Literal

from map_tools.types import TravelMode
from modules.offline.analysis import Analysis
from modules.offline.marks import Mark
from modules.offline.trip_grammar_asks import Ask
from modules.offline.trip_grammar_order import is_dated
from modules.offline.trip_grammar_trail import Stop, Trail, blanked, pattern

type Edge = Literal["opening", "closing"]

MOMENT_ASKS = frozenset(("arrival", "leave_at", "spare", "feasible"))
"""Asks that what lies before a stay "until 4 pm" does not change."""


def begin_unstayed(analysis: Analysis, found: Trail) -> None:
    """Takes the first name for the start if it alone has no stay and none is told ("We are in X ...").

    A place where one must be at a time is none ("I want to be at X at 1 pm, after two hours at Y").
    """
    stayed = [stop for stop in found.stops if stop.dwell_s]
    if found.start is not None or len(stayed) < 2 or found.stops[1:] != stayed:
        return
    if is_dated(analysis, blanked(analysis, found.spans), found.stops[0]) is None:
        found.start = found.stops.pop(0).text


def begin_at(found: Trail, first: Stop, *, arriving: bool = False) -> None:
    """Leaves out what lies before a stop; the way back to the former start becomes a way to a place.

    The trip then begins with leaving this stop, or with `arriving` at it.
    """
    home, home_mode = found.end_stop, found.back_mode
    if home is None and found.start is not None and found.back is not None:
        home = Stop(*found.back, found.start)
    index = found.stops.index(first)
    found.start = None if arriving else first.text
    found.stops = found.stops[index if arriving else index + 1 :]
    if home is not None:
        found.end, found.back = (home.text, None) if found.stops else (None, None)
        found.stops = found.stops or [_to(home, home_mode)]


def begin_arriving(analysis: Analysis, text: str, found: Trail) -> None:
    """Begins with the arrival at the first stop, where only the way back names another place.

    "I arrive at the tower at 2 pm and have to be back at the hotel by six": at 2 pm at the tower.
    """
    home, first = found.end_stop, found.stops[0]
    if home is None or found.start != home.text or home.start < first.start:
        return
    clock = next((mark for mark in analysis.clocks if mark.start >= first.end), None)
    told = clock is not None and "_" not in text[first.end : clock.start]
    if told and pattern("clock", "arrived").search(text[: first.start]):
        found.start = None


def _to(home: Stop, mode: TravelMode | None) -> Stop:
    home.mode = home.mode or mode
    return home


def stayed_until(analysis: Analysis, text: str, found: Trail, ask: Ask) -> Mark[time] | None:
    """The time until which one stays at a stop before one goes on; the trip then begins there."""
    if ask not in MOMENT_ASKS:
        return None
    for mark in analysis.clocks:
        stop = next((one for one in reversed(found.stops) if one.end <= mark.start), None)
        if stop is None or (stop is found.stops[-1] and found.back is None):
            continue
        between = text[stop.end : mark.start]
        if "_" not in between and pattern("clock", "staying_until").fullmatch(between):
            begin_at(found, stop)
            return mark
    return None


def edge_of_day(text: str, found: Trail, ask: Ask) -> Edge | None:
    """Whether one is at the first stop when it opens, or leaves the start when it closes; else None."""
    if ask in {"latest_departure", "max_visits", "best_order", "schedule"}:
        return None
    closing = pattern("clock", "at_closing").search(text)
    if closing is not None and not any(stop.end <= closing.start() for stop in found.stops[1:]):
        _leave_first(found, closing)
        return "closing" if found.start is not None else None
    opening = pattern("clock", "at_opening").search(text)
    first = found.stops[0]
    told = opening is not None and first.end <= opening.start() and len(found.stops) > 1
    if opening is None or not told or "_" in text[first.end : opening.start()]:
        return None
    found.start = None
    return "opening"


def _leave_first(found: Trail, closing: re.Match[str]) -> None:
    """A trip that tells no start begins at the stop one leaves when it closes."""
    if found.start is None and len(found.stops) > 1 and found.stops[0].end <= closing.end():
        begin_at(found, found.stops[0])


def opening_stop(text: str, found: Trail) -> int | None:
    """The stop one wants to be at when it opens: the one named last before these words, else the last."""
    said = pattern("clock", "at_opening").search(text)
    if said is None:
        return None
    before = [index for index, stop in enumerate(found.stops) if stop.end <= said.start()]
    return before[-1] if before else len(found.stops) - 1
