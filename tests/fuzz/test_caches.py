"""Caches whose files are damaged: a reply or none, never a crash, and after it they keep again."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given

from map_tools.clock import FrozenClock
from map_tools.wire.cache import CACHE_FILE, ReplyCache
from map_tools.wire.identity import Identity
from map_tools.wire.policy import DataKind, Retention
from map_tools.wire.request import WireReply, WireRequest
from mapagent.llm.cache import ModelCache
from mapagent.llm.reply import FunctionCall, ServerReply
from tests.fuzz.damage import damaged
from tests.support.effort import effort

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
