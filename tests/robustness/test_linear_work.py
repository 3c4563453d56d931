"""Twice the text is twice the work, whatever it says; and each of the worst requests costs its own answer alone.

Lines of code that run are counted, and no clock is looked at. The worst requests that are known are made among many
ordinary ones.
"""

import base64
import json
import os
import struct
import sys
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import CodeType

import pytest

from mapagent.interfaces.http.schemas import MAX_BODY_BYTES, MAX_CONTEXT_CHARS
from modules.context_reader.world import TextProvider
from tests.support.http_server import Client, served
from tests.support.maps import demo_map

ROOT = str(Path(__file__).resolve().parents[2])
TOOL = sys.monitoring.PROFILER_ID
UNITS = 400
MOST = 2.4
"""What twice the text may cost: twice as much, and what sorting adds."""
ORDINARY = "Which cafe is nearest to Ateneum?"
MANY = int(os.environ.get("ORDINARY_QUESTIONS", "80"))
"""`make soak` asks 1,000."""
AT_ONCE = 8
JSON = {"content-type": "application/json"}
MEMORY_KB = 1_500_000
"""What the server may have: with its map and readers, and nothing asked, it takes some 500 MB."""
PIECES = (
    "a\n",
    "(",
    "via X ",
    "12 km 3 h 14:30 ",
    "The museum is 5 minutes on foot from the hotel. It opens at 9 and closes at 17. ",
    "Museum: Mon-Fri 9-17, Sat 10-18, ",
    "Museum (52.1, 4.3) ",
    "Museum | 4.5 | 9-17\n",
    "- Café Solbær: rated 4.5, open 9-17\n",
    "# Café\n\n",
    "Mill  Quay  Fort\n",
    "Mill    4.5   9-17\n",
    "from,to,min\n",
    '"a": {"b": [',
    "Café Solbær, Café Rød, ",
    "from A to B from ",
    "…“’—",
    "\t;\t,",
    "not ",
)


@pytest.fixture(autouse=True)
def _one_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """The learned marks read a bounded number of windows: that is no question here, and takes long."""
    monkeypatch.setattr("modules.nlu.marks.MOST_WINDOWS", 1)


@contextmanager
def counted() -> Iterator[Callable[[], int]]:
    """Counts the lines of this project that run in the block."""
    count = 0

    def on_line(code: CodeType, _: int) -> object:
        nonlocal count
        if not code.co_filename.startswith(ROOT) or "/.venv" in code.co_filename:
            return sys.monitoring.DISABLE
        count += 1
        return None

    sys.monitoring.use_tool_id(TOOL, "lines")
    sys.monitoring.register_callback(TOOL, sys.monitoring.events.LINE, on_line)
    sys.monitoring.set_events(TOOL, sys.monitoring.events.LINE)
    try:
        yield lambda: count
    finally:
        sys.monitoring.set_events(TOOL, 0)
        sys.monitoring.register_callback(TOOL, sys.monitoring.events.LINE, None)
        sys.monitoring.free_tool_id(TOOL)


def work(text: str) -> int:
    with counted() as lines:
        TextProvider(text)
    return lines()


@pytest.mark.parametrize("piece", PIECES)
def test_reading_a_text(piece: str) -> None:
    TextProvider(piece)  # what is read once is no work of a text
    once, twice = work(piece * UNITS), work(piece * 2 * UNITS)
    assert twice <= MOST * once


def test_numbered_lines_are_different_places() -> None:
    def text(lines: int) -> str:
        return "".join(f"Café {number}: open 9-17, 5 minutes from Inn {number}\n" for number in range(lines))

    TextProvider(text(2))
    assert work(text(400)) <= MOST * work(text(200))


def png(width: int, height: int) -> str:
    """A picture of one colour, which is small however large it is."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    packed = zlib.compressobj(9)
    row = bytes(1 + width // 8)
    rows = b"".join(packed.compress(row) for _ in range(min(height, 50_000))) + packed.flush()
    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    content = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    return base64.b64encode(content).decode()


def asked(**more: object) -> tuple[str, bytes]:
    return "/api/ask", json.dumps({"question": ORDINARY, **more}).encode()


WORST = {
    "short lines": asked(context="a\n" * (MAX_CONTEXT_CHARS // 2)),
    "figures": asked(context=("12 km 3 h 14:30 " * MAX_CONTEXT_CHARS)[:MAX_CONTEXT_CHARS]),
    "brackets": asked(question="(" * 19_999),
    "stops": asked(question="How do I get from A to B " + "via X " * 470 + "?"),
    "a thin picture": asked(image=png(1, 2_000_000)),
    "a huge picture": asked(image=png(30_000, 30_000)),
    "no picture": asked(image="A" * 1_000_000),
    "no character": asked(question="Which cafe\0 is nearest?", map="a\0b"),
    "the last moment": asked(at="9999-12-31T23:59:59-12:00"),
    "options": asked(options=["a" * 1_000] * 1_000),
    "deep JSON": ("/api/ask", b'{"question": ' + b"[" * 200_000),
    "no JSON": ("/api/ask", b"\xff" * 1_000_000),
    "too much": ("/api/ask", b" " * (MAX_BODY_BYTES + 1)),
    "a deep program": ("/api/query", json.dumps({"program": "answer(" + "(" * 60_000}).encode()),
    "a long program": ("/api/query", json.dumps({"program": "answer(" + "1+" * 30_000 + "1)"}).encode()),
    "a great number": ("/api/query", json.dumps({"program": f"answer({'9' * 60_000})"}).encode()),
}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A client of a server over the demo map, without a rate and with little memory."""
    home = tmp_path_factory.mktemp("worst")
    (home / "maps").symlink_to(demo_map().parent)
    limited = served("--rate", "0", "--state", str(home / "serve"), data_home=home, memory_kb=MEMORY_KB)
    with limited as client:
        client.timeout = 120
        yield client


def test_each_costs_its_own_answer(client: Client) -> None:
    expected = client.ask(ORDINARY).json()["answer"]
    with ThreadPoolExecutor(AT_ONCE) as ordinary, ThreadPoolExecutor(2) as hostile:
        worst = [
            hostile.submit(client.post, path, content=body, headers=JSON) for path, body in WORST.values()
        ]
        replies = list(ordinary.map(lambda _: client.ask(ORDINARY), range(MANY)))
        told = {name: reply.result() for name, reply in zip(WORST, worst, strict=True)}
    assert {reply.status_code for reply in replies} == {200}
    assert {reply.json()["answer"] for reply in replies} == {expected}
    for name, reply in told.items():
        assert reply.status_code in {200, 400, 413, 422, 504}, (name, reply.text[:200])
        assert reply.status_code == 200 or reply.json()["error"]["message"], name
