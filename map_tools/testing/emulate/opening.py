"""Opening hours as both generations of the Places API write them.

Days are numbered from Sunday (0) to Saturday (6), lists of texts begin with Monday, a place that never closes
has one period without an end
(https://developers.google.com/maps/documentation/places/web-service/legacy/details#PlaceOpeningHoursPeriod,
https://developers.google.com/maps/documentation/places/web-service/reference/rest/v1/places#OpeningHours).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from map_tools.compute.hours import Interval, OpenState, day_spec_text, intervals_on, open_state
from map_tools.types import Hours

_WEEK = 7
_DAY = timedelta(days=1)
_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_CLOSED = "closed"
_NARROW, _THIN = "\u202f", "\u2009"
"""The spaces Google sets before AM and PM and around the dash."""


@dataclass(frozen=True, slots=True)
class OpenWeek:
    """The hours of seven days in a row, in the place's local time.

    `days` begins with `first`; `always`: it never closes.
    """

    first: date
    days: tuple[tuple[Interval, ...], ...]
    open_now: bool
    always: bool

    def texts(self) -> list[str]:
        """A line for each day, Monday first."""
        by_weekday = {(self.first + index * _DAY).weekday(): spans for index, spans in enumerate(self.days)}
        return [f"{name}: {self._text(by_weekday[index])}" for index, name in enumerate(_NAMES)]

    def periods(self) -> list[Interval]:
        """All spans in order of time."""
        return [interval for spans in self.days for interval in spans]

    def _text(self, spans: Sequence[Interval]) -> str:
        if not spans:
            return "Closed"
        if self.always or any(span.closes - span.opens >= _DAY for span in spans):
            return "Open 24 hours"
        return ", ".join(map(_span_text, spans))


def regular_week(hours: Hours, now_local: datetime) -> OpenWeek | None:
    """The week from Sunday on that holds the present day; see `week_from`."""
    today = now_local.date()
    return week_from(hours, now_local, today - (today.weekday() + 1) % _WEEK * _DAY)


def week_from(hours: Hours, now_local: datetime, first: date) -> OpenWeek | None:
    """Seven days of a place's hours.

    Returns:
        None if what is known does not make a week of spans ("by appointment", daylight, not understood):
        the format cannot say "unknown", and a missing span would say "closed".
    """
    days = [first + index * _DAY for index in range(_WEEK)]
    spans = tuple(intervals_on(hours, day) for day in days)
    if any(
        not found and day_spec_text(hours, day) != _CLOSED for found, day in zip(spans, days, strict=True)
    ):
        return None
    always = all(found and found[0].closes - found[0].opens >= _DAY for found in spans)
    return OpenWeek(first, spans, open_state(hours, now_local) is OpenState.OPEN, always)


def both_weeks(hours: Hours | None, now_local: datetime) -> tuple[OpenWeek, OpenWeek] | None:
    """The regular week, and the seven days from today on; None where the hours do not make weeks of spans."""
    if hours is None:
        return None
    usual, current = regular_week(hours, now_local), week_from(hours, now_local, now_local.date())
    return None if usual is None or current is None else (usual, current)


def legacy_hours(week: OpenWeek, *, dated: bool = False) -> dict[str, Any]:
    """`opening_hours` of a legacy place; `dated`: `current_opening_hours`, whose ends have dates."""

    def end(moment: datetime) -> dict[str, Any]:
        dates = {"date": moment.date().isoformat()} if dated else {}
        return dates | {"day": _day(moment), "time": f"{moment:%H%M}"}

    if week.always:
        start = datetime.combine(week.first, time())
        periods = [{"open": {**end(start), "day": 0, "time": "0000"}}]
    else:
        periods = [{"close": end(span.closes), "open": end(span.opens)} for span in week.periods()]
    return {"open_now": week.open_now, "periods": periods, "weekday_text": week.texts()}


def new_hours(week: OpenWeek, *, dated: bool = False) -> dict[str, Any]:
    """`regularOpeningHours` of a new place; `dated`: `currentOpeningHours`, whose ends have dates."""

    def end(moment: datetime) -> dict[str, Any]:
        day = moment.date()
        dates = {"date": {"year": day.year, "month": day.month, "day": day.day}} if dated else {}
        return {"day": _day(moment), "hour": moment.hour, "minute": moment.minute} | dates

    if week.always:
        periods = [{"open": {"day": 0, "hour": 0, "minute": 0}}]
    else:
        periods = [{"open": end(span.opens), "close": end(span.closes)} for span in week.periods()]
    return {"openNow": week.open_now, "periods": periods, "weekdayDescriptions": week.texts()}


def _day(moment: datetime) -> int:
    """Sunday is 0."""
    return (moment.weekday() + 1) % _WEEK


def _span_text(span: Interval) -> str:
    """As in "9:00 AM – 5:00 PM"; the first half of the day is left out where both are the same."""
    opens, closes = _clock(span.opens), _clock(span.closes)
    if span.opens.date() == span.closes.date() and f"{span.opens:%p}" == f"{span.closes:%p}":
        opens = opens.partition(_NARROW)[0]
    return f"{opens}{_THIN}–{_THIN}{closes}"


def _clock(moment: datetime) -> str:
    return f"{moment.hour % 12 or 12}:{moment:%M}{_NARROW}{moment:%p}"
