"""Caches and recordings whose files are damaged: never a crash.

A cache gives a reply or none, and keeps again after it; a recording of what passes the wire is played as it was
recorded, or refused with the line's number.
"""

import asyncio
import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from map_tools.clock import FrozenClock
from map_tools.errors import InputFileError, ProviderError
from map_tools.wire.cache import CACHE_FILE, ReplyCache
from map_tools.wire.policy import DataKind, Retention, WirePolicy
from map_tools.wire.recording import Player, Recorder
from map_tools.wire.request import Identity, WireReply, WireRequest
from map_tools.wire.wire import Recording, Wire
from mapagent.llm.cache import ModelCache
from mapagent.llm.reply import FunctionCall, ServerReply
from tests.fuzz.damage import assert_told, damaged, mistaken
from tests.support.effort import effort
from tests.support.loopback import Asked, Loopback, Scripted, serving

NOON = datetime(2030, 5, 4, 12, tzinfo=UTC)
KEEP = Retention.for_ever()
ASKED = [Identity.of(WireRequest(url="https://maps.test", params={"q": q}), "atlas") for q in ("a", "b", "c")]
TOLD = WireReply(
    status=200, headers={"content-type": "application/json"}, body=b'{"id": 1}', received_at=NOON
)
PARTS = [{"url": "http://127.0.0.1:1/v1", "words": words} for words in ("a", "b", "c")]
SAID = ServerReply("here", (FunctionCall("find", "{}"),), "stop", 10, 2, "small-1")


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a cache of services with three replies."""
    folder = tmp_path_factory.mktemp("services")
    cache = ReplyCache(folder, FrozenClock(NOON))
    for identity in ASKED:
        cache.put(identity, DataKind.PAYLOAD, KEEP, TOLD)
    cache.close()
    return (folder / CACHE_FILE).read_bytes()


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a cache of models with three replies."""
    path = tmp_path_factory.mktemp("models") / "model.sqlite"
    cache = ModelCache(path)
    for parts in PARTS:
        cache.put(parts, SAID, now=NOON)
    return path.read_bytes()


def test_replies_of_services(services: bytes, tmp_path: Path) -> None:
    @effort(1.5)
    @given(damaged(services))
    def read(content: bytes) -> None:
        (tmp_path / CACHE_FILE).write_bytes(content)
        cache = ReplyCache(tmp_path, FrozenClock(NOON))
        try:
            for identity in ASKED:
                found = cache.get(identity, KEEP)
                assert found is None or isinstance(found.body, bytes)
                cache.note_miss(identity, DataKind.PAYLOAD, KEEP)
            cache.purge("atlas", KEEP)
            cache.explain(ASKED[0], DataKind.PAYLOAD, KEEP)
            cache.latest_misses()
            cache.put(ASKED[0], DataKind.PAYLOAD, KEEP, TOLD)
            cache.clear()
        finally:
            cache.close()

    read()


def test_replies_of_models(models: bytes, tmp_path: Path) -> None:
    path = tmp_path / "model.sqlite"

    @effort(1.5)
    @given(damaged(models))
    def read(content: bytes) -> None:
        path.write_bytes(content)
        cache = ModelCache(path)
        for parts in PARTS:
            found = cache.get(parts, now=NOON)
            assert found is None or isinstance(found, ServerReply)
            cache.put(parts, SAID, now=NOON)
        cache.latest_miss()
        cache.clear()

    read()


ATLAS = WirePolicy(name="atlas", title="Atlas", attempts=1, json_replies=False, keep=Retention.for_ever())
QUERIES = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=8)


def echo(asked: Asked) -> Scripted:
    """Says the same to the same question: words, noise, an error, or nothing at all."""
    (query,) = asked.params["q"]
    kind = len(query.encode()) % 5
    if kind == 4:
        return Scripted(drop=True)
    body = query.encode() if kind < 3 else bytes(range(256))
    return Scripted((200, 404, 200, 503)[kind], body, {"content-type": "text/plain"})


@pytest.fixture(scope="module")
def server() -> Iterator[Loopback]:
    """The server that is recorded."""
    with serving(echo) as running:
        yield running


def run(recording: Recording, url: str, queries: Sequence[str]) -> list[Any]:
    """What each question comes to."""

    async def ask(wire: Wire, query: str) -> Any:
        try:
            reply = await wire.send(WireRequest(url=url, params={"q": query}))
        except ProviderError as error:
            return error.message, error.remedy
        return reply.status, reply.body, reply.received_at

    async def ask_all() -> list[Any]:
        wire = Wire(ATLAS, recording=recording)
        try:
            return await asyncio.gather(*(ask(wire, query) for query in queries))
        finally:
            await wire.close()

    return asyncio.run(ask_all())


@effort(0.15)
@given(st.lists(QUERIES, max_size=6), st.randoms(use_true_random=False))
def test_what_is_played_is_what_was_recorded(
    server: Loopback, tmp_path: Path, queries: list[str], dice: Any
) -> None:
    path = tmp_path / "run.jsonl"
    with Recorder(path, clock=FrozenClock(NOON)) as recorder:
        recorded = dict(zip(queries, run(recorder, server.url, queries), strict=True))
    asked = len(server.asked)
    shuffled = list(queries)
    dice.shuffle(shuffled)
    played = dict(zip(shuffled, run(Player(path), server.url, shuffled), strict=True))
    assert played == recorded
    assert len(server.asked) == asked


def recorded_lines(tmp_path: Path, url: str) -> list[str]:
    path = tmp_path / "sound.jsonl"
    if not path.exists():
        with Recorder(path, clock=FrozenClock(NOON)) as recorder:
            run(recorder, url, ("a", "bc", "", "tea", "coffee"))
    return path.read_text(encoding="utf-8").splitlines()


def assert_played_or_refused(path: Path, url: str) -> None:
    try:
        player = Player(path)
    except InputFileError as error:
        assert_told(error, str(path), remedy=False)
        return
    run(player, url, ("a", "tea", "cocoa"))


@effort()
@given(st.data())
def test_a_line_with_mistakes(server: Loopback, tmp_path: Path, data: st.DataObject) -> None:
    lines = recorded_lines(tmp_path, server.url)
    at = data.draw(st.integers(0, len(lines) - 1))
    lines[at] = json.dumps(data.draw(mistaken(json.loads(lines[at]))))
    path = tmp_path / "run.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert_played_or_refused(path, server.url)


@effort()
@given(st.data())
def test_damaged_recordings(server: Loopback, tmp_path: Path, data: st.DataObject) -> None:
    whole = "\n".join(recorded_lines(tmp_path, server.url)).encode()
    path = tmp_path / "run.jsonl"
    path.write_bytes(data.draw(damaged(whole)))
    assert_played_or_refused(path, server.url)
