"""Google's opening periods → opening hours in the OpenStreetMap grammar.

Both generations say when a place opens and closes as days of the week (0 is Sunday) with times; a place that
never closes has one period without an end. See `regularOpeningHours` in
https://developers.google.com/maps/documentation/places/web-service/reference/rest/v1/places#OpeningHours and
https://developers.google.com/maps/documentation/places/web-service/details#PlaceOpeningHours.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from map_tools.compute.hours import from_weekly_text
from map_tools.compute.opening_spec import DAY_MIN, DAYS, Minutes, Week, format_week, repaired
from map_tools.types import Hours

WEEK_MIN = 7 * DAY_MIN
ALWAYS = "24/7"
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
CLOSED_WORDS = {
    "CLOSED_PERMANENTLY": "permanently closed",
    "CLOSED_TEMPORARILY": "temporarily closed",
    "FUTURE_OPENING": "not opened yet",
}
"""Business statuses of places that are open at no time
(https://developers.google.com/maps/documentation/places/web-service/reference/rest/v1/places#BusinessStatus)."""


@dataclass(frozen=True, slots=True)
class Period:
    """A span of being open, in minutes after Sunday 00:00; `closes` None: it never closes."""

    opens: int
    closes: int | None


@dataclass(frozen=True, slots=True)
class SpecialDay:
    """What holds on one date instead of the usual hours; no spans: closed all day."""

    day: date
    spans: tuple[Minutes, ...]


def week_minute(day: int, hour: int, minute: int) -> int:
    """Minutes after Sunday 00:00 for Google's day number (0 = Sunday)."""
    return day * DAY_MIN + hour * 60 + minute


def hours_of(
    periods: Sequence[Period], texts: Sequence[str], special: Iterable[SpecialDay] = ()
) -> Hours | None:
    """The hours of a place.

    Args:
        periods: Its usual periods; none with texts: the texts are read instead.
        texts: Lines for people, one a day.
        special: Days of other hours.

    Returns:
        None if nothing is said.
    """
    text = ", ".join(texts)
    if not periods:
        return _from_text(text) if text else None
    spec = ALWAYS if any(period.closes is None for period in periods) else format_week(_week(periods))
    rules = [_special_rule(each) for each in special]
    if rules:
        spec = "; ".join([repaired(spec), *rules])
    return Hours(spec=spec, text=text or spec)


def closed_for_good(status: str | None, usual: Hours | None) -> Hours | None:
    """The usual hours, or "closed" with the reason for a business that is not in operation now."""
    words = CLOSED_WORDS.get(status or "")
    if words is None:
        return usual
    return Hours(spec=f'off "{words}"', text=words)


def by_date(periods: Mapping[date, Sequence[Period]], days: Iterable[date]) -> tuple[SpecialDay, ...]:
    """The special days with the spans that the dated periods of the coming week give them."""
    return tuple(SpecialDay(day, tuple(sorted(map(_span_of, periods.get(day, ()))))) for day in days)


def _week(periods: Iterable[Period]) -> Week:
    table: dict[str, list[Minutes]] = {day: [] for day in DAYS}
    for period in periods:
        if period.closes is not None:
            for day, span in _daily(period.opens, period.closes):
                table[DAYS[(day - 1) % 7]].append(span)
    return Week({day: tuple(sorted(spans)) for day, spans in table.items()})


def _daily(opens: int, closes: int) -> Iterable[tuple[int, Minutes]]:
    """A period as spans of days (0 = Sunday): a night is one span, a longer one is cut at midnights."""
    length = (closes - opens) % WEEK_MIN or WEEK_MIN
    day, start = divmod(opens, DAY_MIN)
    if length <= DAY_MIN:
        yield day % 7, (start, start + length)
        return
    while length > 0:
        end = min(start + length, DAY_MIN)
        yield day % 7, (start, end)
        length -= end - start
        day, start = day + 1, 0


def _special_rule(special: SpecialDay) -> str:
    """A rule for one date, in the grammar's form: "2026 Dec 24 09:00-14:00"."""
    spans = ",".join(f"{_clock(opens)}-{_clock(closes, end=True)}" for opens, closes in special.spans)
    day = special.day
    return f"{day.year} {MONTHS[day.month - 1]} {day.day:02d} {spans or 'off'}"


def _clock(minutes: int, *, end: bool = False) -> str:
    shown = minutes - DAY_MIN if minutes > DAY_MIN else minutes
    return f"{shown // 60:02d}:{shown % 60:02d}" if end else f"{minutes // 60:02d}:{minutes % 60:02d}"


def _from_text(text: str) -> Hours:
    return from_weekly_text(text)


def _span_of(period: Period) -> Minutes:
    """A period as minutes after midnight of the day it begins on."""
    start = period.opens % DAY_MIN
    closes = period.opens + DAY_MIN if period.closes is None else period.closes
    return start, start + (closes - period.opens) % WEEK_MIN
