"""Opens a feed's zip archive, of which nothing is believed: not its sizes, not its texts, not its columns.

Its calendar, calendar.txt and calendar_dates.txt, says on which days the services run.
"""

import csv
import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path
from types import TracebackType
from typing import IO, Self

import numpy as np

from map_tools.errors import InputFileError
from map_tools.transit.timetable import Flags

MOST_ENTRIES = 500
"""Files in the archive; the specification knows some thirty."""
MOST_BYTES = 2_000_000_000
"""Bytes of a file when unpacked; the largest national feeds have stop times of about 1.5 GB."""
_REMEDY = "Get the feed anew from whoever publishes it."

type Row = Mapping[str, str]


class FeedArchive:
    """The tables of a feed. Files are read as streams and never written to disk.

    Args:
        path: The zip file.

    Raises:
        InputFileError: It is missing, no zip archive, or has too many files.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._zip = zipfile.ZipFile(path)
        except FileNotFoundError as error:
            raise InputFileError(f"There is no feed '{path}'.", "Check the path.") from error
        except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError) as error:
            raise self.wrong("it is no zip archive, or it is cut short") from error
        self._names = frozenset(self._zip.namelist())
        if len(self._zip.infolist()) > MOST_ENTRIES:
            self._zip.close()
            raise self.wrong(f"it has more than {MOST_ENTRIES} files")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._zip.close()

    def has(self, table: str) -> bool:
        """Whether the feed has a table ("stops")."""
        return f"{table}.txt" in self._names

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[tuple[int, Row]]:
        """The rows of a table with their line numbers; absent values are empty.

        Args:
            table: Its name without ".txt".
            columns: Those that it must have.

        Raises:
            InputFileError: It is missing, damaged, too large, not UTF-8, or lacks a column.
        """
        name = f"{table}.txt"
        if name not in self._names:
            raise self.wrong(f"it has no {name} at its top level")
        try:
            with self._zip.open(name) as packed:
                counted = io.BufferedReader(_Counted(packed, self, name))
                text = io.TextIOWrapper(counted, encoding="utf-8-sig", newline="")
                yield from self._read(text, name, columns)
        except UnicodeDecodeError as error:
            raise self.wrong(f"{name} is not in UTF-8") from error
        except csv.Error as error:
            raise self.wrong(f"{name} is no table of comma-separated values ({error})") from error
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            RuntimeError,
            NotImplementedError,
            OSError,
        ) as error:
            raise self.wrong(f"{name} is damaged, encrypted or packed in an unknown way") from error

    def _read(self, text: io.TextIOWrapper, name: str, columns: Sequence[str]) -> Iterator[tuple[int, Row]]:
        reader = csv.DictReader(text, restval="")
        header = [field.strip() for field in reader.fieldnames or ()]
        lacking = [column for column in columns if column not in header]
        if lacking:
            raise self.wrong(f"{name} has no column '{lacking[0]}'")
        reader.fieldnames = header
        for row in reader:
            yield reader.line_num, row

    def wrong(self, why: str) -> InputFileError:
        """The error for a feed that cannot be used."""
        return InputFileError(f"The feed '{self._path.name}' cannot be used: {why}.", _REMEDY)


class _Counted(io.RawIOBase):
    """Passes on what is unpacked, up to a size."""

    def __init__(self, inner: IO[bytes], archive: FeedArchive, name: str) -> None:
        self._inner, self._archive, self._name = inner, archive, name
        self._left = MOST_BYTES

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._inner.read(len(buffer))
        self._left -= len(data)
        if self._left < 0:
            raise self._archive.wrong(f"{self._name} is larger than {MOST_BYTES / 1e9:.0f} GB when unpacked")
        buffer[: len(data)] = data
        return len(data)


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
