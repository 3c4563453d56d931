"""`python -m evals.bench.kills.writing KIND PATH FIRST`: writes without end, and says what is written.

Each thing that is written has a number; the number goes to the output once the write has returned.
"""

import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from map_tools.clock import SystemClock
from map_tools.wire.cache import ReplyCache
from map_tools.wire.identity import Identity
from map_tools.wire.policy import DataKind, Retention
from map_tools.wire.recorder import Recorder
from map_tools.wire.recording import Entry
from map_tools.wire.request import WireReply, WireRequest
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


if __name__ == "__main__":
    main()
