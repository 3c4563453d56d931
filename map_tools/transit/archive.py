"""Opens a feed's zip archive, of which nothing is believed: not its sizes, not its texts, not its columns."""

import csv
import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from map_tools.errors import InputFileError

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
