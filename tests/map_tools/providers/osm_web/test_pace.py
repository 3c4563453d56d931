"""The pace of a server that others run holds for all processes; what is kept waits for nothing.

The server runs here; the provider is made to take it for one that others run.
"""

import asyncio
import json
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

from map_tools.providers import http_clients
from map_tools.providers.base import ProviderSetting
from map_tools.providers.osm_web.provider import OsmWebProvider
from map_tools.testing.emulate.http import HttpServer, Reply, Request
from tests.map_tools.providers.osm_web.replies import LIGHTHOUSE

CONTACT = "maps@univ.edu"
PER_S = 2.0
TOLERANCE_S = 0.35
"""A request may travel so much longer than the one after it."""

ASKER = """
import asyncio, sys
from pathlib import Path
from map_tools.providers import http_clients
from map_tools.providers.base import ProviderSetting
from map_tools.providers.osm_web.provider import OsmWebProvider

http_clients._HERE = frozenset()

async def main(base, folder, name):
    options = {"nominatim": base, "overpass": base, "routers": {}, "requests_per_s": 2}
    setting = ProviderSetting(
        name="osm-web", options=options, contact="maps@univ.edu", cache_folder=Path(folder)
    )
    provider = OsmWebProvider.from_setting(setting)
    await asyncio.gather(*(provider.find_place(f"{name} {number}") for number in range(3)))
    await provider.close()

asyncio.run(main(*sys.argv[1:]))
"""


class Server:
    """Answers every search, and remembers when it was asked and by whom."""

    def __init__(self) -> None:
        self.at_s: list[float] = []
        self.agents: set[str] = set()
        self._http = HttpServer(self)

    async def __call__(self, request: Request) -> Reply:
        self.at_s.append(time.monotonic())
        self.agents.add(request.headers["user-agent"])
        return Reply(200, json.dumps([LIGHTHOUSE]).encode())

    async def start(self) -> str:
        return f"http://127.0.0.1:{await self._http.start('127.0.0.1', 0)}"

    async def close(self) -> None:
        await self._http.close()


def test_two_processes_keep_one_pace_and_say_who_they_are(tmp_path: Path) -> None:
    async def run() -> Server:
        server = Server()
        base = await server.start()
        askers = [
            await asyncio.create_subprocess_exec(sys.executable, "-c", ASKER, base, tmp_path, name)
            for name in ("one", "two")
        ]
        assert [await asyncio.wait_for(asker.wait(), 60) for asker in askers] == [0, 0]
        await server.close()
        return server

    server = asyncio.run(run())
    assert len(server.at_s) == 6
    gaps_s = [later - earlier for earlier, later in pairwise(server.at_s)]
    assert min(gaps_s) >= 1 / PER_S - TOLERANCE_S
    assert server.at_s[-1] - server.at_s[0] >= 5 / PER_S - TOLERANCE_S
    (agent,) = server.agents
    assert agent.endswith(f"({CONTACT})")


def test_what_is_kept_does_not_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_clients, "_HERE", frozenset())

    async def run() -> int:
        server = Server()
        options = {"nominatim": await server.start(), "overpass": "http://127.0.0.1:1", "routers": {}}
        setting = ProviderSetting(
            name="osm-web",
            options={**options, "requests_per_s": 0.01},
            contact=CONTACT,
            cache_folder=tmp_path,
        )
        provider = OsmWebProvider.from_setting(setting)
        for _ in range(10):
            assert await provider.find_place("Lighthouse Museum")
        await provider.close()
        await server.close()
        return len(server.at_s)

    assert asyncio.run(asyncio.wait_for(run(), 60)) == 1
