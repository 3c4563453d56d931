"""Writes down what passes the wire."""

import threading
from collections.abc import Iterator
from datetime import datetime
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Self

from map_tools.clock import Clock, FrozenClock, SystemClock
from map_tools.errors import InputFileError, OutputFileError
from map_tools.journal import Journal
from map_tools.wire.private import FILE_MODE, write_private
from map_tools.wire.recording import PART_SUFFIX, Entry, header_line

_REMEDY = "Make sure that there is space and that you may write there, or name a file in another folder."


class Recorder:
    """Records all wires it is given to, into one file.

    While it runs, lines are appended to `PATH.part` as they come (a kill loses nothing, and that file can be
    played too); `close` sorts them into PATH, replacing what was there. What a killed run has left is kept as
    `PATH.part.1`, `PATH.part.2` and so on. Use as a context manager.

    Args:
        path: The file to write.
        clock: Tells the moment of the recording. Run the agent with `recorder.clock()`: questions of time
            then get the same requests and answers when the recording is played.
        allow_payloads: The user takes it on to record services whose terms forbid keeping their replies; such
            a file must stay on this machine.

    Raises:
        InputFileError: The file cannot be written.
        UsageError: Another process is recording to it.
    """

    def __init__(self, path: Path, *, clock: Clock | None = None, allow_payloads: bool = False) -> None:
        self.path = path
        self.allow_payloads = allow_payloads
        self._moment: datetime = (clock or SystemClock()).now()
        self._lines: dict[tuple[str, int], str] = {}
        self._last: dict[str, tuple[int, str]] = {}
        self._lock = threading.Lock()
        self._part = path.with_name(path.name + PART_SUFFIX)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputFileError(
                f"The recording {path} cannot be written: {error.strerror}.", "Name a file in another folder."
            ) from error
        self._file = _begun(self._part)
        self._closed = False
        try:
            self._append(header_line(self._moment))
        except OutputFileError:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self.close()

    def clock(self) -> FrozenClock:
        """The clock frozen at the moment of the recording."""
        return FrozenClock(self._moment)

    def add(self, entry: Entry) -> None:
        """Writes down what came of a request; the same outcome in a row only once.

        Raises:
            OutputFileError: It cannot be written, as on a full disk.
        """
        content = entry.content()
        with self._lock:
            number, last = self._last.get(entry.identity.key, (-1, None))
            if content == last:
                return
            self._last[entry.identity.key] = (number + 1, content)
            line = entry.line(number + 1)
            self._lines[entry.identity.key, number + 1] = line
            self._append(line)

    def close(self) -> None:
        """Finishes the file. Closing twice is harmless.

        Raises:
            OutputFileError: It cannot be written; `PATH.part` stays.
        """
        with self._lock:
            if self._closed:
                return
            self._closed = True
            with self._file:
                self._finish()

    def _finish(self) -> None:
        try:
            lines = [header_line(self._moment), *(line for _, line in sorted(self._lines.items()))]
            sorted_part = self._part.with_name(f"{self._part.name}.sorted")
            with write_private(sorted_part) as file:
                file.write("\n".join(lines) + "\n")
            sorted_part.replace(self.path)
            self._part.unlink(missing_ok=True)
        except OSError as error:
            raise OutputFileError(
                f"The recording {self.path} cannot be written: {error.strerror}.", _REMEDY
            ) from error

    def _append(self, line: str) -> None:
        self._file.append(f"{line}\n".encode())


def _begun(part: Path) -> Journal:
    """An empty file to record to; what an earlier run has left in it gets another name."""
    while True:
        journal = Journal.open(part, remedy=_REMEDY, mode=FILE_MODE)
        if next(journal.lines(), None) is None:
            return journal
        with journal:
            part.rename(next(name for name in _further_names(part) if not name.exists()))


def _further_names(part: Path) -> Iterator[Path]:
    return (part.with_name(f"{part.name}.{number}") for number in count(1))
