"""On which days the services of a feed run: calendar.txt and calendar_dates.txt."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import date

import numpy as np

from map_tools.transit.archive import FeedArchive
from map_tools.transit.timetable import Flags

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MOST_DAYS = 4_000
"""Days that are kept from the first on: some calendars end in 2099."""
MOST_DATES = 10_000_000
"""Days of services by the week; the timetable of all of Germany has some six million."""
MOST_CELLS = 400_000_000
"""Services times days."""
_ADDED, _REMOVED = "1", "2"


def read_calendar(archive: FeedArchive, services: Mapping[str, int]) -> tuple[int, Flags]:
    """The ordinal of the first service day, and services (rows) by day.

    Args:
        archive: The feed.
        services: The numbers of the services that trips have, by their ids; others do not count.

    Raises:
        InputFileError: There is no calendar, a date is none, or nothing ever runs.
    """
    if not archive.has("calendar") and not archive.has("calendar_dates"):
        raise archive.wrong("it has no calendar (neither calendar.txt nor calendar_dates.txt)")
    days: dict[int, set[int]] = defaultdict(set)
    for number, (service, day) in enumerate(_weekly(archive, services)):
        days[service].add(day)
        if number > MOST_DATES:
            raise archive.wrong(f"its calendar has more than {MOST_DATES} days of services")
    for service, day, added in _exceptions(archive, services):
        (days[service].add if added else days[service].discard)(day)
    running = [day for held in days.values() for day in held]
    if not running:
        raise archive.wrong("by its calendar nothing runs on any day")
    first = min(running)
    if len(services) * min(max(running) - first + 1, MOST_DAYS) > MOST_CELLS:
        raise archive.wrong(f"its calendar has too many services ({len(services)}) for so many days")
    active = np.zeros((len(services), min(max(running) - first + 1, MOST_DAYS)), dtype=np.bool_)
    for service, held in days.items():
        active[service, [day - first for day in held if day - first < active.shape[1]]] = True
    return first, active


def _weekly(archive: FeedArchive, services: Mapping[str, int]) -> Iterator[tuple[int, int]]:
    if not archive.has("calendar"):
        return
    columns = ("service_id", *WEEKDAYS, "start_date", "end_date")
    for line, row in archive.rows("calendar", columns):
        first = _day(archive, "calendar.txt", line, row["start_date"])
        last = _day(archive, "calendar.txt", line, row["end_date"])
        if last < first:
            raise archive.wrong(f"in line {line} of calendar.txt a service ends before it begins")
        service = services.get(row["service_id"].strip())
        if service is None:
            continue
        for day in range(first, min(last, first + MOST_DAYS) + 1):
            if row[WEEKDAYS[(day - 1) % 7]].strip() == "1":  # the first day of the calendar was a Monday
                yield service, day


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
