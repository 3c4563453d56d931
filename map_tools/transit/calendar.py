"""On which days the services of a feed run: calendar.txt and calendar_dates.txt."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import date

import numpy as np

from map_tools.transit.archive import FeedArchive
from map_tools.transit.timetable import Flags

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MOST_DAYS = 4_000
"""Days that are kept: some calendars begin in 1900, others end in 2999."""
PAST_DAYS = 400
"""Of a calendar that is longer, those before today that are kept."""
MOST_CELLS = 400_000_000
"""Services times days."""
_ADDED, _REMOVED = "1", "2"
_WEEK = np.dtype([("service", "i4"), ("first", "i4"), ("last", "i4"), ("runs", "?", (7,))])
_DATE = np.dtype([("service", "i4"), ("day", "i4"), ("added", "?")])


def read_calendar(archive: FeedArchive, services: Mapping[str, int], today: int) -> tuple[int, Flags]:
    """The ordinal of the first service day, and services (rows) by day.

    Args:
        archive: The feed.
        services: The numbers of the services that trips have, by their ids; others do not count.
        today: An ordinal; of a calendar of more than `MOST_DAYS` days those around it are kept.

    Raises:
        InputFileError: There is no calendar, a date is none, or nothing ever runs on the days that are kept.
    """
    if not archive.has("calendar") and not archive.has("calendar_dates"):
        raise archive.wrong("it has no calendar (neither calendar.txt nor calendar_dates.txt)")
    weeks = np.fromiter(_weekly(archive, services), dtype=_WEEK)
    dates = np.fromiter(_exceptions(archive, services), dtype=_DATE)
    ends = np.concatenate((weeks["first"], weeks["last"], dates["day"][dates["added"]]))
    if not len(ends):
        raise archive.wrong("by its calendar nothing runs on any day")
    first, last = int(ends.min()), int(ends.max())
    first = max(first, min(today - PAST_DAYS, last - MOST_DAYS + 1))
    length = min(last - first + 1, MOST_DAYS)
    if len(services) * length > MOST_CELLS:
        raise archive.wrong(f"its calendar has too many services ({len(services)}) for so many days")
    active = np.zeros((len(services), length), dtype=np.bool_)
    weekdays = (np.arange(first, first + length) - 1) % 7  # the first day of the calendar was a Monday
    columns = (weeks[name].tolist() for name in ("service", "first", "last"))
    for service, begin, end, runs in zip(*columns, weeks["runs"], strict=True):
        span = slice(max(begin - first, 0), max(end - first + 1, 0))
        active[service, span] |= runs[weekdays[span]]
    kept = dates[(dates["day"] >= first) & (dates["day"] < first + length)]
    active[kept["service"], kept["day"] - first] = kept["added"]
    running = np.flatnonzero(active.any(axis=0))
    if not len(running):
        days = f"from {date.fromordinal(first)} to {date.fromordinal(first + length - 1)}"
        raise archive.wrong(f"by its calendar nothing runs on any day {days}")
    return first + int(running[0]), active[:, running[0] : running[-1] + 1]


def _weekly(
    archive: FeedArchive, services: Mapping[str, int]
) -> Iterator[tuple[int, int, int, tuple[bool, ...]]]:
    if not archive.has("calendar"):
        return
    columns = ("service_id", *WEEKDAYS, "start_date", "end_date")
    for line, row in archive.rows("calendar", columns):
        first = _day(archive, "calendar.txt", line, row["start_date"])
        last = _day(archive, "calendar.txt", line, row["end_date"])
        if last < first:
            raise archive.wrong(f"in line {line} of calendar.txt a service ends before it begins")
        service = services.get(row["service_id"].strip())
        runs = tuple(row[name].strip() == "1" for name in WEEKDAYS)
        if service is not None and any(runs):
            yield service, first, last, runs


def _exceptions(archive: FeedArchive, services: Mapping[str, int]) -> Iterator[tuple[int, int, bool]]:
    if not archive.has("calendar_dates"):
        return
    for line, row in archive.rows("calendar_dates", ("service_id", "date", "exception_type")):
        day = _day(archive, "calendar_dates.txt", line, row["date"])
        kind = row["exception_type"].strip()
        if kind not in {_ADDED, _REMOVED}:
            raise archive.wrong(
                f"in line {line} of calendar_dates.txt the exception '{kind[:20]}' is unknown"
            )
        service = services.get(row["service_id"].strip())
        if service is not None:
            yield service, day, kind == _ADDED


def _day(archive: FeedArchive, name: str, line: int, text: str) -> int:
    digits = text.strip()
    found = None
    if len(digits) == 8 and digits.isdecimal():
        with suppress(ValueError):
            found = date(int(digits[:4]), int(digits[4:6]), int(digits[6:])).toordinal()
    if found is None:
        raise archive.wrong(f"in line {line} of {name} '{text[:20]}' is no date (YYYYMMDD)")
    return found
