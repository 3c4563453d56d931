"""`mapagent cache` shows, explains and clears what is kept of models and of map services."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest

from map_tools.wire.policy import Retention, WirePolicy
from map_tools.wire.request import WireRequest
from map_tools.wire.wire import Wire
from mapagent.llm.cache import ModelCache
from mapagent.llm.open import cache_path
from mapagent.llm.reply import ServerReply
from mapagent.runtime.config import load_settings
from mapagent.runtime.opening import provider_setting
from tests.support.cli import CommandLine
from tests.support.loopback import json_reply, serving

POLICY = WirePolicy(name="atlas", keep=Retention.for_ever())


def test_the_latest_miss_is_explained_and_all_is_forgotten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAPAGENT_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("MAPAGENT_PROVIDER", "google")
    folder = provider_setting(load_settings().settings).cache_folder

    async def ask(url: str) -> None:
        wire = Wire(POLICY, folder=folder)
        for query in ("tea", "tea", "cocoa"):
            await wire.send(WireRequest(url=url, params={"q": query}, secret_params={"key": "hidden-secret"}))
        await wire.close()

    with serving(lambda _: json_reply({})) as server:
        asyncio.run(ask(server.url))
    assert len(server.asked) == 2
    mapagent = CommandLine(capsys)
    explained = mapagent("cache", "explain").out
    assert f"map services: 2 replies kept in {folder}" in explained
    assert "Latest miss of 'atlas'" in explained
    assert 'differs in params.q: wanted "cocoa", stored "tea"' in explained
    assert "hidden-secret" not in explained
    assert "map services: 2 replies forgotten." in mapagent("cache", "clear").out
    assert "map services: 0 replies kept" in mapagent("cache", "explain").out


NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)


def test_explain_and_clear(capsys: pytest.CaptureFixture[str]) -> None:
    command = CommandLine(capsys)
    assert "model: 0 replies kept" in command("cache", "explain").out
    cache = ModelCache(cache_path(load_settings().settings))
    cache.put({"model": "a", "messages": [{"text": "Where?"}]}, ServerReply("here"), now=NOW)
    cache.get({"model": "a", "messages": [{"text": "When?"}]}, now=NOW)
    ran = command("cache", "explain")
    assert ran.code == 0
    assert "model: 1 replies kept" in ran.out
    assert "differs first in 'messages.0.text'" in ran.out
    assert 'wanted: "When?"' in ran.out
    assert 'kept: "Where?"' in ran.out
    assert "model: 1 replies forgotten." in command("cache", "clear").out
    assert cache.entries() == 0
