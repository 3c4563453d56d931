"""What moment a question means: days and times turned into local moments of a place."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from map_tools.types import Place
from modules.offline.intents import When
from modules.solvers.common import title
from modules.view import CannotTellError, View

ANY_MONDAY = date(2025, 3, 3)
"""Monday of an ordinary week, for questions about a weekday where no present moment is known: opening hours
are nearly always weekly, so any week without public holidays serves."""

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass(frozen=True, slots=True)
class Moment:
    """A day, or a time or span on it, in the local time of a place (naive).

    `at` None means the whole day, `until` None a single moment. `until` may lie on the next day.
    """

    day: date
    at: datetime | None = None
    until: datetime | None = None

    def __str__(self) -> str:
        words = WEEKDAYS[self.day.weekday()]
        if self.at is None:
            return words
        words = f"{words} {self.at:%H:%M}"
        return f"{words}-{self.until:%H:%M}" if self.until else words


@dataclass(frozen=True, slots=True)
class Moments:
    """The moments a question may mean: one, or the same time on each of several days.

    `preferred` is the one of today where the question leaves the day open and today is known.
    """

    choices: tuple[Moment, ...]
    preferred: Moment | None = None


def local_now(view: View, place: Place) -> datetime | None:
    """The present moment in the place's local time; None if neither the question nor the clock tells it.

    A moment without a zone is the place's local time already. If the zone of the place is unknown, the zone
    the user wrote the moment in is taken for the place's.
    """
    moment = view.question.at or view.now
    if moment is None:
        return None
    if moment.tzinfo is None:
        return moment
    zone = zone_of(place)
    if zone is None:
        return moment.replace(tzinfo=None) if view.question.at is not None else None
    from zoneinfo import ZoneInfo

    return moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None)


def zone_of(place: Place) -> str | None:
    """IANA name of the place's time zone; None where it is neither stated nor follows from a position."""
    if place.timezone or place.location is None:
        return place.timezone
    from map_tools.compute.zone import local_zone

    return local_zone(place.location)


def moments(view: View, place: Place, when: When) -> Moments:
    """The local moments that `when` means at this place.

    Raises:
        CannotTellError: "Now" or "today" is meant and no present moment is known.
    """
    now = local_now(view, place)
    if when.is_now:
        if now is None:
            raise CannotTellError("The question needs the present time; give it with --at ISO.")
        return Moments((Moment(day=now.date(), at=now),))
    if when.days:
        week = tuple(_on(day, when) for day in week_of(view, place) if day.weekday() in when.days)
        return Moments(week)
    day = _fixed_day(when, now, place)
    if day is not None:
        return Moments((_on(day, when),))
    if now is not None and view.question.at is not None:
        return Moments((_on(now.date(), when),))
    monday = now.date() - timedelta(days=now.weekday()) if now else ANY_MONDAY
    week = tuple(_on(monday + timedelta(days=offset), when) for offset in range(7))
    return Moments(week, week[now.weekday()] if now else None)


def week_of(view: View, place: Place) -> Sequence[date]:
    """The days Monday to Sunday of the present week, or of an ordinary one."""
    now = local_now(view, place)
    monday = now.date() - timedelta(days=now.weekday()) if now else ANY_MONDAY
    return tuple(monday + timedelta(days=offset) for offset in range(7))


def _fixed_day(when: When, now: datetime | None, place: Place) -> date | None:
    if when.day is not None:
        return when.day
    if when.weekday is not None:
        base = now.date() if now else ANY_MONDAY
        return base + timedelta(days=(when.weekday - base.weekday()) % 7)
    if when.relative_days is not None:
        if now is None:
            raise CannotTellError(
                f"The question needs today's date at {title(place)}; give the moment with --at ISO."
            )
        return now.date() + timedelta(days=when.relative_days)
    return None


def _on(day: date, when: When) -> Moment:
    if when.at is None:
        return Moment(day)
    at = datetime.combine(day, when.at)
    if when.until is None:
        return Moment(day, at)
    until = datetime.combine(day, when.until)
    return Moment(day, at, until if until > at else until + timedelta(days=1))
