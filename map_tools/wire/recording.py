"""The recording: one JSON line for each reply, after a first line with the moment it was made.

    {"clock":"2030-05-04T12:00:00+00:00","format":1}
    {"at":...,"cached":false,"key":...,"n":0,"reply":{"body":...,"headers":...,"status":200},"request":{...}}
    {"at":...,"cached":false,"error":{"message":...,"remedy":...},"key":...,"n":0,"request":{...}}

`n` counts the different replies to the same request in the order they came. Lines are sorted by key and `n`,
and written in canonical JSON, so recording the same run twice gives the same bytes.
"""

import base64
import binascii
import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Self

from map_tools.clock import FrozenClock
from map_tools.errors import InputFileError, ProviderError
from map_tools.wire.identity import Identity, canonical_json
from map_tools.wire.request import WireReply

FORMAT = 1
PART_SUFFIX = ".part"
"""What follows the name of a recording while it is being made."""


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
