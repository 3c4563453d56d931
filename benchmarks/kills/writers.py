"""What is killed while it writes, one thing after the other: the caches, and a recording.

`python -m benchmarks.kills.writers KIND PATH FIRST` writes without end, and says what is written.

Each thing that is written has a number; the number goes to the output once the write has returned.
"""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from map_tools.clock import SystemClock
from map_tools.files import whole_bytes
from map_tools.wire.cache import ReplyCache
from map_tools.wire.policy import DataKind, Retention
from map_tools.wire.recording import PART_SUFFIX, Entry, Recorder, read
from map_tools.wire.request import Identity, WireReply, WireRequest
from mapagent.llm.cache import ModelCache
from mapagent.llm.reply import ServerReply

MOMENT = datetime(2030, 5, 4, 12, tzinfo=UTC)
BODY_BYTES = 20_000
"""More than a disk writes at once, so that a kill can come in the middle."""


def identity_of(number: int) -> Identity:
    """The request with this number."""
    return Identity.of(WireRequest(url="http://maps.test/", params={"n": str(number)}), "atlas")


def reply_to(number: int) -> WireReply:
    """The reply to the request with this number; it holds the number, and nothing else has its bytes."""
    body = (f"{number} " * BODY_BYTES)[:BODY_BYTES].encode()
    return WireReply(status=200, headers={}, body=body, received_at=MOMENT, address="http://maps.test/")


def model_request(number: int) -> dict[str, object]:
    """The request to a model with this number."""
    return {"prompt": f"question {number}"}


def model_reply(number: int) -> ServerReply:
    """The model's reply to it."""
    return ServerReply(text=f"{number} " * (BODY_BYTES // 10))


def _replies(folder: Path) -> Callable[[int], None]:
    cache = ReplyCache(folder, SystemClock())
    keep = Retention.for_ever()
    return lambda number: cache.put(identity_of(number), DataKind.PAYLOAD, keep, reply_to(number))


def _model(path: Path) -> Callable[[int], None]:
    cache = ModelCache(path)
    return lambda number: cache.put(model_request(number), model_reply(number), now=MOMENT)


def _recording(path: Path) -> Callable[[int], None]:
    recorder = Recorder(path)
    return lambda number: recorder.add(Entry(identity_of(number), MOMENT, reply=reply_to(number)))


KINDS: dict[str, Callable[[Path], Callable[[int], None]]] = {
    "replies": _replies,
    "model": _model,
    "recording": _recording,
}


def main() -> None:
    """Writes until it is killed."""
    kind, path, first = sys.argv[1:]
    write = KINDS[kind](Path(path))
    number = int(first)
    while True:
        write(number)
        os.write(sys.stdout.fileno(), f"{number}\n".encode())
        number += 1


WRITES_S = 0.2
"""The latest kill after the first write; dozens of writes."""


class Store(Protocol):
    """What is written to.

    Attributes:
        name: What is told of it.
        kind: Which of the program's kinds of writing it takes.
        path: What the program is given to write to.
    """

    name: str
    kind: str
    path: Path

    def faults(self, numbers: range) -> list[str]:
        """What is wrong with it, if these numbers have been written since the last look, in words."""
        ...

    def finish(self) -> list[str]:
        """What is wrong with it after a run that was not killed."""
        ...


class Writer:
    """A program that writes numbered things to a store, and tells each number once its write has returned.

    Args:
        store: The store.
        folder: Where the program's words go.
    """

    def __init__(self, store: Store, folder: Path) -> None:
        self.name = store.name
        self.longest_s = WRITES_S
        self._store = store
        self._told = folder / f"{store.kind}.told"
        self._first = 0

    def start(self) -> "subprocess.Popen[bytes]":
        """Goes on with the next number."""
        command = [sys.executable, "-m", "benchmarks.kills.writers", self._store.kind, str(self._store.path)]
        with self._told.open("wb") as told:
            return subprocess.Popen([*command, str(self._first)], stdout=told, start_new_session=True)

    def begun(self) -> bool:
        """Whether a write has returned."""
        return self._told.stat().st_size > 0

    def check(self) -> list[str]:
        """Looks for everything that was written since the last kill."""
        told = self._told.read_bytes()[: whole_bytes(self._told)].split()
        numbers = range(self._first, self._first + len(told))
        # One more may have been written and not been told.
        self._first = numbers.stop + 1
        return self._store.faults(numbers)

    def finish(self) -> list[str]:
        """Looks at the store after a run that is not killed."""
        return self._store.finish()


class Replies:
    """The cache of map services' replies."""

    name = "cache of map services"
    kind = "replies"

    def __init__(self, folder: Path) -> None:
        self.path = folder / "replies"
        self._all = 0

    def faults(self, numbers: range) -> list[str]:
        """A file that is not whole, or a reply that is not there or another."""
        self._all += len(numbers)
        cache = ReplyCache(self.path, SystemClock())
        keep = Retention.for_ever()
        try:
            kept = {number: cache.get(identity_of(number), keep) for number in numbers}
            return [
                *_damage(cache.path),
                *(
                    f"reply {number} is lost"
                    for number, reply in kept.items()
                    if reply is None or reply.body != reply_to(number).body
                ),
                *([f"{self._all - cache.entries()} replies are lost"] if cache.entries() < self._all else []),
            ]
        finally:
            cache.close()

    def finish(self) -> list[str]:
        """The same, for all there is."""
        return self.faults(range(0))


class ModelReplies:
    """The cache of models' replies."""

    name = "cache of models"
    kind = "model"

    def __init__(self, folder: Path) -> None:
        self.path = folder / "model.sqlite"

    def faults(self, numbers: range) -> list[str]:
        """A file that is not whole, or a reply that is not there or another."""
        cache = ModelCache(self.path)
        now = SystemClock().now()
        lost = [
            number for number in numbers if cache.get(model_request(number), now=now) != model_reply(number)
        ]
        return [*_damage(self.path), *(f"reply {number} is lost" for number in lost)]

    def finish(self) -> list[str]:
        """The same, for all there is."""
        return self.faults(range(0))


class Recordings:
    """A recording: the finished one stays, and what each killed run has left can be played."""

    name = "recording"
    kind = "recording"

    def __init__(self, folder: Path) -> None:
        self.path = folder / "recording" / "run.jsonl"
        self._part = self.path.with_name(f"{self.path.name}{PART_SUFFIX}")
        self._left: set[bytes] = set()
        with Recorder(self.path):
            pass
        self._before = self.path.read_bytes()

    def faults(self, numbers: range) -> list[str]:
        """A part that cannot be played or lacks an entry, or a changed recording."""
        faults = [] if self.path.read_bytes() == self._before else ["the recording of before has changed"]
        left = _whole(self._part)
        if not left:  # killed before the first line
            return faults if not numbers else [*faults, "the part is gone"]
        self._left.add(left)
        kept = read(self._part)[1]
        for number in numbers:
            found = [entry.reply and entry.reply.body for entry in kept.get(identity_of(number).key, ())]
            if found != [reply_to(number).body]:
                faults.append(f"entry {number} is there {len(found)} times, or another")
        return faults

    def finish(self) -> list[str]:
        """A run that comes to its end replaces the recording and leaves the parts of all killed runs."""
        with Recorder(self.path):
            pass
        found = {_whole(part) for part in self.path.parent.glob(f"*{PART_SUFFIX}*")}
        return [f"{len(self._left - found)} parts are gone"] if self._left - found else []


def _whole(path: Path) -> bytes:
    """The whole lines of a file; nothing if there is none."""
    return path.read_bytes()[: whole_bytes(path)] if path.exists() else b""


def _damage(path: Path) -> list[str]:
    """What SQLite finds wrong with a file."""
    if not path.exists():
        return []
    with closing(sqlite3.connect(path)) as database:
        (said,) = database.execute("PRAGMA integrity_check").fetchone()
    set_aside = path.with_name(f"{path.name}.damaged")
    return [] if said == "ok" and not set_aside.exists() else [f"{path.name}: {said}"]


if __name__ == "__main__":
    main()
