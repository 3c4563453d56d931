"""Moments: days and times of day in the local time of the map, as programs write them."""

from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

from map_tools.compute.clocks import parse_clock

ANY_MONDAY = date(2025, 3, 3)
"""Monday of an ordinary week, for programs that run at no known moment: opening hours are nearly always
weekly, so any week without public holidays serves."""
_RELATIVE = frozenset({"today", "tonight", "tomorrow"})
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
ORDINARY_DAY = WEEKDAYS.index("Wed")
"""The second such weekday stands for a month without a day: it is midweek and seldom a holiday."""
DAY = timedelta(days=1)
_YEARS_TO_A_LEAP_DAY = 9
"""Any so many years in a row include a 29 February, even at the turn of a century."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment, or a whole day, in local time.

    Attributes:
        at: The moment; midnight of a whole day.
        whole_day: The day is meant and no time of it.
        base: What it was reckoned from (the departure, the asked day), if anything: a bare time beside it is the
            first one at or after that.
        any_day: Only the time of day is known, on whichever day.
    """

    at: datetime
    whole_day: bool = False
    base: datetime | None = None
    any_day: bool = False

    @property
    def day(self) -> date:
        """Its date."""
        return self.at.date()

    def after(self, duration_s: float) -> "Moment":
        """The moment so many seconds later (earlier if negative)."""
        base = self.base or (self.at if duration_s >= 0 else None)
        return replace(self, at=self.at + timedelta(seconds=duration_s), whole_day=False, base=base)

    def days(self) -> tuple["Moment", ...]:
        """The moments it may mean: itself, or the same time on each day of an ordinary week."""
        if not self.any_day:
            return (self,)
        return tuple(replace(self, at=self.at + number * DAY, any_day=False) for number in range(7))


def parse_moment(text: str, now: datetime | None) -> Moment | None:
    """What a text means as a time: "10:00", "Sun 20:00", "Fri", "2026-12-25", "tomorrow 9:00", "Dec 24 16:00", "Aug".

    A weekday is the next one, today included as long as its time has not passed; so are a day of a month, and a month.
    A month is judged by its second Wednesday, or its second Sunday in "Aug Sun"; if it is the present one, by the next.

    Args:
        text: As the program has it.
        now: The present moment in local time; None where none is known. A weekday is then one of an ordinary
            week, and a bare time of day one of any day.

    Returns:
        None if it is no time.
    """
    words = text.strip().split()
    if not words:
        return None
    found = _dated(words, now)
    if found is None:
        clock = parse_clock(text)
        return None if clock is None else _at(clock, now)
    day, used = found
    rest, first = " ".join(words[used:]), words[0].casefold().rstrip(",")
    relative = now is None and first in _RELATIVE
    if not rest:
        return Moment(datetime.combine(day, time()), whole_day=True, any_day=relative)
    clock = parse_clock(rest.removeprefix("at ").strip())
    if clock is None:
        return None
    at = datetime.combine(day, clock)
    past = now is not None and at < now and day == now.date() and _is_weekday(first)
    return Moment(at + timedelta(days=7) if past else at, any_day=relative)


def is_month(text: str) -> bool:
    """Whether a text says a month and no day of it."""
    words = text.split()
    return bool(words) and _month(words[0]) is not None and (len(words) == 1 or not words[1].isdigit())


def beside(text: str, other: Moment) -> Moment | None:
    """What a text means beside another moment: a bare time of day is the first one at or after its base.

    A moment that was reckoned from nothing ("now") has the beginning of its day for a base.
    """
    clock = parse_clock(text)
    if clock is None or not text.strip()[:1].isdigit() or "-" in text:
        return None
    base = other.base or datetime.combine(other.day, time())
    found = datetime.combine(base.date(), clock)
    return Moment(found if found >= base else found + DAY, base=base, any_day=other.any_day)


def _at(clock: time, now: datetime | None) -> Moment:
    if now is None:
        return Moment(datetime.combine(ANY_MONDAY, clock), any_day=True)
    return Moment(datetime.combine(now.date(), clock))


def _dated(words: list[str], now: datetime | None) -> tuple[date, int] | None:
    """The date that the first words of a text tell, and how many they are; None if they tell none."""
    month = _month(words[0])
    if month is None:
        day = _day(words[0], now)
        return None if day is None else (day, 1)
    today = now.date() if now is not None else ANY_MONDAY
    second = words[1].rstrip(",") if len(words) > 1 else ""
    if second.isdigit():
        day = _next_of(month, int(second), today)
        return None if day is None else (day, 2)
    weekday = _weekday(second)
    return _amid(month, ORDINARY_DAY if weekday is None else weekday, today), 1 if weekday is None else 2


def _month(word: str) -> int | None:
    """The number of the month that a word says; None if it says none."""
    small = word.casefold().rstrip(".,")
    found = [number for number, name in enumerate(MONTHS, 1) if name.startswith(small)]
    return found[0] if len(small) >= 3 and found else None


def _next_of(month: int, day: int, today: date) -> date | None:
    """The next such day of a month, today included; None if the month has none."""
    for year in range(today.year, today.year + _YEARS_TO_A_LEAP_DAY):
        try:
            found = date(year, month, day)
        except ValueError:
            continue
        if found >= today:
            return found
    return None


def _amid(month: int, weekday: int, today: date) -> date:
    """The second such weekday of the next such month; of the present month the next one, if there is one left."""
    coming = today + timedelta(days=(weekday - today.weekday()) % 7)
    if coming.month == month == today.month:
        return coming
    first = date(today.year + (month <= today.month), month, 1)
    return first + timedelta(days=(weekday - first.weekday()) % 7 + 7)


def _weekday(word: str) -> int | None:
    abbreviated = word.casefold()[:3].capitalize()
    return WEEKDAYS.index(abbreviated) if abbreviated in WEEKDAYS and _is_weekday(word.casefold()) else None


def _day(word: str, now: datetime | None) -> date | None:
    """The date that the first word of a text tells; None if it tells none."""
    lowered = word.casefold().rstrip(",")
    today = now.date() if now is not None else ANY_MONDAY
    if lowered in _RELATIVE:
        return today + (DAY if lowered == "tomorrow" else timedelta())
    weekday = _weekday(lowered) if lowered.isalpha() else None
    if weekday is not None:
        return today + timedelta(days=(weekday - today.weekday()) % 7)
    try:
        return date.fromisoformat(word.partition("T")[0]) if "-" in word else None
    except ValueError:
        return None


def _is_weekday(word: str) -> bool:
    full = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
    return any(day.startswith(word.rstrip(".")) or word in {f"{day}s"} for day in full) and len(word) >= 3


def is_time(text: str) -> bool:
    """Whether a text is a time at all, whenever the program runs."""
    return parse_moment(text, datetime.combine(ANY_MONDAY, time())) is not None
