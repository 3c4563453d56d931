"""The worst requests that are known, among many ordinary ones: each costs its own answer and nothing else."""

import base64
import json
import os
import struct
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from mapagent.interfaces.http.schemas import MAX_BODY_BYTES, MAX_CONTEXT_CHARS
from tests.support.http_server import Client, served
from tests.support.maps import demo_map

ORDINARY = "Which cafe is nearest to Ateneum?"
MANY = int(os.environ.get("ORDINARY_QUESTIONS", "80"))
"""`make soak` asks 1,000."""
AT_ONCE = 8
JSON = {"content-type": "application/json"}
MEMORY_KB = 1_500_000
"""What the server may have: with its map and readers, and nothing asked, it takes some 500 MB."""


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
