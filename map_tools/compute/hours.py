"""Evaluates opening hours: open then? which spans on that day? when next?

Times are local to the place; a time zone attached to a `datetime` is dropped. Hours that could not be
understood, or that depend on something ("by appointment", sunset), are unknown: never open.
Public holidays are not known, so rules for them do not apply.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from map_tools.compute.clocks import format_clock
from map_tools.compute.opening_spec import alternatives_of, parse_week, repaired, weekly_spec
from map_tools.types import Hours

if TYPE_CHECKING:
    from opening_hours import OpeningHours

DAY = timedelta(days=1)
SEARCH_AHEAD = timedelta(days=366)
"""How far ahead the next opening or closing is looked for: past one of each season."""

NOT_STATED = "not stated"
_SUN_EVENTS = ("sunrise", "sunset", "dawn", "dusk")


class OpenState(StrEnum):
    """Whether a place is open."""

    OPEN = "open"
    CLOSED = "closed"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a place is open and why: the comment of the source, or why it is not known."""

    state: OpenState
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Interval:
    """A span of being open, in local time; `closes` may lie on the next day."""

    opens: datetime
    closes: datetime


@dataclass(frozen=True, slots=True)
class _Stretch:
    start: datetime
    end: datetime
    state: OpenState
    comment: str


def from_osm(text: str) -> Hours:
    """Hours from an OpenStreetMap tag; everyday words in the tag ("9am-5pm") are understood too."""
    spec = " ".join(text.split())
    return Hours(spec=spec if _valid(spec) else weekly_spec(text), text=text)


def from_weekly_text(text: str) -> Hours:
    """Hours from a text such as "Monday: 8:00 AM – 12:00 AM, Tuesday: Closed" or "Mon-Fri 9-17"."""
    spec = weekly_spec(text)
    plain = " ".join(text.split())
    return Hours(spec=plain if spec is None and _valid(plain) else spec, text=text)


def open_state(hours: Hours, at_local: datetime) -> OpenState:
    """Whether the place is open at a moment of its local time. At the minute of closing it is closed."""
    return open_verdict(hours, at_local).state


def open_verdict(hours: Hours, at_local: datetime) -> Verdict:
    """As `open_state`, with the reason."""
    reason = _why_unknown(hours)
    if reason:
        return Verdict(OpenState.UNKNOWN, reason)
    at = at_local.replace(tzinfo=None)
    stretch = next(_stretches(hours, at, at + DAY), None)
    return Verdict(stretch.state, stretch.comment) if stretch else Verdict(OpenState.UNKNOWN, NOT_STATED)


def open_through(hours: Hours, start: datetime, end: datetime) -> bool:
    """True if the place is surely open during the whole stay."""
    if _why_unknown(hours):
        return False
    first, last = start.replace(tzinfo=None), end.replace(tzinfo=None)
    if first >= last:
        return open_state(hours, first) is OpenState.OPEN
    return all(stretch.state is OpenState.OPEN for stretch in _stretches(hours, first, last))


def intervals_on(hours: Hours, day: date) -> tuple[Interval, ...]:
    """The spans that begin on a day; one may end after midnight. Empty if closed all day or unknown.

    A stretch of 24 hours or more is cut at midnights, so that each of its days has its part.
    """
    if _why_unknown(hours):
        return ()
    midnight = datetime.combine(day, time())
    found = [
        piece
        for interval in _open_intervals(hours, midnight - DAY, midnight + 3 * DAY)
        for piece in _cut(interval)
        if midnight <= piece.opens < midnight + DAY
    ]
    return tuple(found)


def opens_at(hours: Hours, day: date) -> datetime | None:
    """When the place first opens on a day; None if it does not or is unknown."""
    intervals = intervals_on(hours, day)
    return intervals[0].opens if intervals else None


def closes_at(hours: Hours, day: date) -> datetime | None:
    """When the place closes after its last opening of a day, maybe after midnight; None as in `opens_at`."""
    intervals = intervals_on(hours, day)
    return intervals[-1].closes if intervals else None


def next_opening(hours: Hours, after: datetime) -> datetime | None:
    """The next moment at which the place opens; None if it never does within a year, or is unknown.

    If it is open at `after`, the opening that follows its closing is meant.
    """
    if _why_unknown(hours):
        return None
    start = after.replace(tzinfo=None)
    openings = (it.opens for it in _open_intervals(hours, start, start + SEARCH_AHEAD) if it.opens > start)
    return next(openings, None)


def closes_after(hours: Hours, at: datetime) -> datetime | None:
    """When the stretch of opening that holds at a moment ends.

    None if it is not open then, does not close within a year, or is unknown.
    """
    if _why_unknown(hours):
        return None
    start = at.replace(tzinfo=None)
    end = start + SEARCH_AHEAD
    first = next(_open_intervals(hours, start, end), None)
    return first.closes if first is not None and first.opens == start and first.closes < end else None


def day_spec_text(hours: Hours, day: date) -> str:
    """The hours of a day for showing: "8:00 AM – 12:00 PM, 1:00 PM – 5:00 PM", "closed", "open 24 hours"."""
    reason = _why_unknown(hours)
    if reason:
        return reason
    intervals = intervals_on(hours, day)
    if any(interval.closes - interval.opens >= DAY for interval in intervals):
        return "open 24 hours"
    if not intervals:
        return _when_not_open(hours, day)
    return ", ".join(f"{format_clock(it.opens)} – {format_clock(it.closes)}" for it in intervals)


def _why_unknown(hours: Hours) -> str:
    """Why nothing can be said at all; empty if something can."""
    if hours.spec is None or not _valid(hours.spec):
        return NOT_STATED
    if any(event in hours.spec for event in _SUN_EVENTS):
        return "depends on the hours of daylight"
    return ""


def _when_not_open(hours: Hours, day: date) -> str:
    """Words for a day on which nothing opens: "closed", or on what it depends."""
    noon = datetime.combine(day, time(12))
    unknown = [
        stretch
        for stretch in _stretches(hours, noon - DAY / 2, noon + DAY / 2)
        if stretch.state is OpenState.UNKNOWN
    ]
    return (unknown[0].comment or OpenState.UNKNOWN.value) if unknown else OpenState.CLOSED.value


def _cut(interval: Interval) -> Iterator[Interval]:
    """The parts of a long stretch between midnights; a shorter one as it is."""
    if interval.closes - interval.opens < DAY:
        yield interval
        return
    opens = interval.opens
    while opens < interval.closes:
        closes = min(datetime.combine(opens.date() + DAY, time()), interval.closes)
        yield Interval(opens, closes)
        opens = closes


def _open_intervals(hours: Hours, start: datetime, end: datetime) -> Iterator[Interval]:
    """Spans of being open in a window, neighbours with different comments joined."""
    pending: Interval | None = None
    for stretch in _stretches(hours, start, end):
        if stretch.state is not OpenState.OPEN:
            continue
        if pending is not None and pending.closes == stretch.start:
            pending = Interval(pending.opens, stretch.end)
            continue
        if pending is not None:
            yield pending
        pending = Interval(stretch.start, stretch.end)
    if pending is not None:
        yield pending


def _stretches(hours: Hours, start: datetime, end: datetime) -> Iterator[_Stretch]:
    """The stretches of one state each, clipped to a window. The hours must be valid."""
    return _evaluated(alternatives_of(hours.spec or ""), start, end)


def _evaluated(specs: tuple[str, ...], start: datetime, end: datetime) -> Iterator[_Stretch]:
    """Stretches by the first specification; where it says closed, by its fallbacks.

    The evaluator applies a fallback to whole days only, and past their end, so it is not given any.
    """
    evaluator = _evaluator(repaired(specs[0]))
    if evaluator is None:
        return
    for first, last, found, comment in evaluator.intervals(start, end):
        stretch = _Stretch(max(first, start), min(last or end, end), OpenState(str(found)), comment)
        if stretch.state is OpenState.CLOSED and len(specs) > 1:
            yield from _evaluated(specs[1:], stretch.start, stretch.end)
        else:
            yield stretch


def _valid(spec: str) -> bool:
    return all(
        parse_week(one) is not None or _evaluator(repaired(one)) is not None for one in alternatives_of(spec)
    )


@lru_cache(maxsize=4096)
def _evaluator(spec: str) -> "OpeningHours | None":
    """The evaluator of the opening-hours-py package; None if it rejects the specification."""
    from opening_hours import OpeningHours, validate

    return OpeningHours(spec, auto_country=False, auto_timezone=False) if validate(spec) else None
