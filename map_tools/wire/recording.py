"""The recording, written by `Recorder` and played by `Player`.

It has one JSON line for each reply, after a first line with the moment it was made:

    {"clock":"2030-05-04T12:00:00+00:00","format":1}
    {"at":...,"cached":false,"key":...,"n":0,"reply":{"body":...,"headers":...,"status":200},"request":{...}}
    {"at":...,"cached":false,"error":{"message":...,"remedy":...},"key":...,"n":0,"request":{...}}

`n` counts the different replies to the same request in the order they came. Lines are sorted by key and `n`,
and written in canonical JSON, so recording the same run twice gives the same bytes.
"""

import base64
import binascii
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from map_tools.clock import Clock, FrozenClock, SystemClock
from map_tools.errors import InputFileError, OutputFileError, ProviderError
from map_tools.files import FILE_MODE, Journal, write_private
from map_tools.wire.request import Identity, WireReply, canonical_json, first_difference, nearest

FORMAT = 1
PART_SUFFIX = ".part"
"""What follows the name of a recording while it is being made."""

_REMEDY = "Make sure that there is space and that you may write there, or name a file in another folder."


@dataclass(frozen=True, slots=True)
class Entry:
    """What came of a request.

    Attributes:
        identity: The request.
        at: When it was answered.
        reply: The reply, from the service or the cache; None if there was none.
        error: Why there was none.
    """

    identity: Identity
    at: datetime
    reply: WireReply | None = None
    error: ProviderError | None = None

    def content(self) -> str:
        """What came of it as canonical JSON, without the moment: equal for equal outcomes."""
        return canonical_json(self._outcome())

    def line(self, number: int) -> str:
        """The line of the file, as the `number`-th different outcome of this request."""
        frame = {
            "key": self.identity.key,
            "n": number,
            "at": self.at.isoformat(),
            "request": self.identity.fields,
        }
        return canonical_json(frame | self._outcome())

    @classmethod
    def parse(cls, line: str) -> tuple[int, Self]:
        """The number and the entry of a line.

        Raises:
            AttributeError, KeyError, OverflowError, RecursionError, TypeError, ValueError: It is no line of a
                recording.
        """
        data = json.loads(line)
        identity = Identity(data["request"])
        at = datetime.fromisoformat(data["at"])
        reply = error = None
        if "reply" in data:
            reply = _reply(data, at, identity)
        else:
            error = ProviderError(str(data["error"]["message"]), str(data["error"]["remedy"]))
        return int(data["n"]), cls(identity, at, reply, error)

    def _outcome(self) -> dict[str, Any]:
        if self.reply is None:
            error = self.error or ProviderError("There was no reply.")
            return {"cached": False, "error": {"message": error.message, "remedy": error.remedy}}
        frame = {"status": self.reply.status, "headers": dict(self.reply.headers)}
        return {"cached": self.reply.cached, "reply": frame | _body(self.reply.body)}


def header_line(moment: datetime) -> str:
    """The first line of a recording."""
    return canonical_json({"format": FORMAT, "clock": moment.isoformat()})


def read(path: Path) -> tuple[FrozenClock, dict[str, list[Entry]]]:
    """The clock and the entries of a recording, by key in the order they came.

    Raises:
        InputFileError: The file cannot be read, or a line is not one of a recording (the message says which).
    """
    try:
        lines = _lines(path)
    except OSError as error:
        raise InputFileError(
            f"The recording {path} cannot be read: {error.strerror}.", "Name a file you may read."
        ) from error
    except UnicodeDecodeError as error:
        raise InputFileError(f"The recording {path} is not text.", "Record the run again.") from error
    numbered: dict[str, list[tuple[int, Entry]]] = {}
    reading = 1
    try:
        clock = _clock(lines[0])
        for line in lines[1:]:
            reading += 1
            number, entry = Entry.parse(line)
            numbered.setdefault(entry.identity.key, []).append((number, entry))
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError) as error:
        raise InputFileError(
            f"Line {reading} of the recording {path} is not one of a recording.", "Record the run again."
        ) from error
    return clock, {
        key: [entry for _, entry in sorted(entries, key=lambda item: item[0])]
        for key, entries in numbered.items()
    }


def _lines(path: Path) -> list[str]:
    """The lines of a recording; of a run that was killed, without the line it was about to write."""
    text = path.read_text(encoding="utf-8")
    if PART_SUFFIX in path.suffixes:
        text = text[: text.rfind("\n") + 1]
    return text.removesuffix("\n").split("\n")


def _clock(line: str) -> FrozenClock:
    header = json.loads(line)
    if header["format"] != FORMAT:
        raise ValueError(header["format"])
    return FrozenClock(datetime.fromisoformat(header["clock"]))


def _body(body: bytes) -> dict[str, str]:
    try:
        return {"body": body.decode("utf-8")}
    except UnicodeDecodeError:
        return {"body_base64": base64.b64encode(body).decode("ascii")}


def _reply(line: dict[str, Any], at: datetime, identity: Identity) -> WireReply:
    data = line["reply"]
    if "body" in data:
        body = str(data["body"]).encode()
    else:
        try:
            body = base64.b64decode(data["body_base64"], validate=True)
        except binascii.Error as error:
            raise ValueError("not base64") from error
    return WireReply(
        status=int(data["status"]),
        headers={str(name): str(value) for name, value in data["headers"].items()},
        body=body,
        received_at=at,
        cached=bool(line["cached"]),
        address=identity.fields["url"],
    )


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


class Player:
    """Plays a recording to all wires it is given to.

    A request that was answered differently over time gets these answers in turn; the last one stays.

    Args:
        path: A file that a `Recorder` wrote.

    Raises:
        InputFileError: The file cannot be read or is damaged.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._clock, self._entries = read(path)
        self._next: dict[str, int] = {}
        self._lock = threading.Lock()

    def clock(self) -> FrozenClock:
        """The clock frozen at the moment of the recording: run the agent with it."""
        return self._clock

    def close(self) -> None:
        """Nothing to close: the file was read at once."""

    def play(self, identity: Identity) -> Entry:
        """What came of this request.

        Raises:
            ProviderError: It is not in the recording; the message names the nearest request that is.
        """
        entries = self._entries.get(identity.key)
        if entries is None:
            raise self._miss(identity)
        with self._lock:
            number = self._next.get(identity.key, 0)
            self._next[identity.key] = number + 1
        return entries[min(number, len(entries) - 1)]

    def _miss(self, identity: Identity) -> ProviderError:
        near = nearest(identity.fields, [entries[0].identity.fields for entries in self._entries.values()])
        remedy = "Record the run again, or ask what was recorded."
        if near is None:
            return ProviderError(
                f"The recording {self.path} is empty; {identity.shown} is not in it.", remedy
            )
        return ProviderError(
            f"{identity.shown} is not in the recording {self.path}; the nearest recorded request is "
            f"{Identity(near).shown}, which differs in {first_difference(identity.fields, near)}.",
            remedy,
        )
