"""Opening hours as time windows of a trip: seconds after midnight of the day on which one leaves."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from map_tools.compute.hours import intervals_on
from map_tools.facts import NoteFact, PlaceFact
from map_tools.types import Hours, Place
from modules.context_reader.situation import weekday_stated
from modules.offline.intents import When
from modules.solvers.common import Trail, title
from modules.solvers.moments import ANY_MONDAY, local_now
from modules.solvers.trip_clock import DAY_S
from modules.view import View

WEEK = tuple(ANY_MONDAY + timedelta(days=offset) for offset in range(7))
"""The days of any week, Monday first."""

type Windows = tuple[tuple[float, float], ...]
"""Spans in which a whole stay must lie."""


def days_meant(view: View, when: When | None, place: Place | None = None) -> tuple[date, ...]:
    """The days a trip may be on: one if the question, the text or `at` fixes it.

    Where nothing does, a trip on a live map is taken to be today; one of supplied text may be on any day.
    """
    when = when or When()
    if when.day is not None:
        return (when.day,)
    today = stated_today(view, place)
    if when.weekday is not None:
        base = today or ANY_MONDAY
        return (base + timedelta(days=(when.weekday - base.weekday()) % 7),)
    live = is_live(view)
    if today is not None and (when.relative_days is not None or view.question.at is not None or live):
        return (today + timedelta(days=when.relative_days or 0),)
    return WEEK


def is_live(view: View) -> bool:
    """True if the places come from a map and not from supplied text."""
    told = any(item.source.tool == "context" for item, _ in view.facts(PlaceFact))
    return view.question.context is None and not told


def stated_today(view: View, place: Place | None = None) -> date | None:
    """Today as the question or the supplied text has it ("Today is Sunday"); the clock's for a live map.

    The clock is read in the time zone of `place`.
    """
    for _, note in view.facts(NoteFact):
        weekday = weekday_stated(note.text)
        if weekday is not None:
            return ANY_MONDAY + timedelta(days=weekday)
    if view.question.at is not None:
        return view.question.at.date()
    if view.question.context is not None:
        return None
    now = local_now(view, place or Place(id="", name=""))
    return now.date() if now else None


@dataclass(frozen=True, slots=True)
class OpenTimes:
    """When a place may be visited: None at any time (or nobody says when).

    `differ` is True if the day is open and the hours differ by day: what the days have in common was taken,
    days of rest left out.
    """

    windows: Windows | None
    differ: bool = False


def open_times(place: Place, days: Sequence[date], trail: Trail) -> OpenTimes:
    """When a place is open on the days meant; hours that cannot be understood bind nothing, and warn."""
    if place.hours is None:
        return OpenTimes(None)
    by_day = [_windows_on(place.hours, day) for day in days]
    known = [windows for windows in by_day if windows is not None]
    if not known:
        trail.warn(f"The opening hours of {title(place)} could not be understood: {place.hours.text}.")
        return OpenTimes(None)
    if len(set(known)) == 1:
        return OpenTimes(known[0])
    return OpenTimes(_common([windows for windows in known if windows]), differ=True)


def opening_s(windows: Windows) -> float:
    """When a place opens that day; a night that began the day before is none of its openings."""
    return next((opens for opens, _ in windows if opens > 0), windows[0][0])


def _windows_on(hours: Hours, day: date) -> Windows | None:
    """The open spans of a day, from midnight on and on beyond the next one; None if the hours say nothing."""
    if hours.spec is None:
        return None
    spans = _joined(span for offset in (-1, 0) for span in _spans(hours, day, offset))
    if spans and spans[-1][1] >= DAY_S:
        spans = _joined([*spans, *(span for span in _spans(hours, day, 1) if span[0] <= spans[-1][1])])
    return spans


def _spans(hours: Hours, day: date, offset: int) -> Iterator[tuple[float, float]]:
    """The spans that begin so many days after the day, in seconds after its midnight."""
    midnight = datetime.combine(day, time())
    for interval in intervals_on(hours, day + timedelta(days=offset)):
        closes = (interval.closes - midnight).total_seconds()
        if closes > 0:
            yield max((interval.opens - midnight).total_seconds(), 0.0), closes


def _joined(spans: Iterable[tuple[float, float]]) -> Windows:
    """Spans in order, those that touch or overlap made one."""
    joined: list[tuple[float, float]] = []
    for opens, closes in sorted(spans):
        if joined and opens <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], closes))
        else:
            joined.append((opens, closes))
    return tuple(joined)


def _common(choices: Sequence[Windows]) -> Windows:
    """The spans that lie in every choice."""
    common = choices[0]
    for other in choices[1:]:
        common = _joined((max(a, c), min(b, d)) for a, b in common for c, d in other if max(a, c) < min(b, d))
    return common
