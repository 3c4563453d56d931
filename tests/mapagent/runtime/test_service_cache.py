"""`mapagent cache` shows and clears what is kept of map services."""

import asyncio
from pathlib import Path

import pytest

from map_tools.wire.policy import Retention, WirePolicy
from map_tools.wire.request import WireRequest
from map_tools.wire.wire import Wire
from mapagent.runtime.config import load_settings
from mapagent.runtime.providers import provider_setting
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
