"""Which servers are asked, what is refused before anybody is, and the pace that all processes keep together.

The server runs here; the provider is made to take it for one that others run.
"""

import asyncio
import json
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from map_tools.errors import ConfigError, UnsupportedError
from map_tools.providers import http_clients
from map_tools.providers.base import ProviderSetting
from map_tools.providers.http_clients import HttpClients, policy_for, user_agent
from map_tools.providers.osm_web.provider import OsmWebProvider
from map_tools.providers.osm_web.servers import OsmWebOptions
from map_tools.testing.emulate.http import HttpServer, Reply, Request
from map_tools.types import LatLng, TravelMode
from map_tools.validation import read_options
from map_tools.wire import Recorder, Retention
from tests.map_tools.providers.osm_web.replies import LIGHTHOUSE

HERE = LatLng(lat=60.17, lng=24.94)
THERE = LatLng(lat=60.18, lng=24.95)
FOOT = {"engine": "osrm", "url": "https://foot.example.org"}


def setting(folder: Path | None = None, **more: Any) -> ProviderSetting:
    return ProviderSetting(name="osm-web", cache_folder=folder, **more)


@pytest.mark.parametrize(
    ("contact", "said"),
    [
        ("", "operators want to know whom to write to"),
        ("  ", "operators want to know whom to write to"),
        ("me", "'me' is not an address"),
        ("someone@example.com", "is not an address"),
        ("https://www.example.org/bot", "is not an address"),
        ("me@home.net\r\nX-Evil: 1", "is not an address"),
    ],
)
def test_public_servers_are_not_asked_without_a_contact(tmp_path: Path, contact: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said) as caught:
        OsmWebProvider.from_setting(setting(tmp_path, contact=contact))
    assert "MAPAGENT_CONTACT" in caught.value.remedy


@pytest.mark.parametrize("contact", ["maps@univ.edu", "https://maps.univ.edu/bot"])
def test_the_contact_stands_in_the_user_agent(contact: str) -> None:
    agent = user_agent(contact, "osm-web")
    assert agent.startswith("mapagent/")
    assert agent.endswith(f"({contact})")


def test_servers_on_this_machine_need_no_contact() -> None:
    here = "http://127.0.0.1:8080"
    options = {"nominatim": here, "overpass": f"{here}/api", "routers": {}}
    assert OsmWebProvider.from_setting(setting(options=options)).capabilities.modes == frozenset()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"nominatin": "https://geo.univ.edu"}, "providers.osm-web.nominatin"),
        ({"nominatim": "geo.univ.edu"}, "providers.osm-web.nominatim.*not the address of a server"),
        ({"overpass": "https://geo.univ.edu/api?key=1"}, "no query"),
        ({"requests_per_s": 0}, "providers.osm-web.requests_per_s"),
        ({"routers": {"flying": FOOT}}, "providers.osm-web.routers"),
        ({"routers": {"walking": {**FOOT, "engine": "otp"}}}, "routers.walking.engine"),
        ({"routers": {"transit": FOOT}}, "no timetables"),
        ({"routers": {"walking": FOOT, "driving": FOOT}}, "the graph of one mode"),
        (
            {"routers": {"walking": {"engine": "osrm", "url": "https://router.project-osrm.org"}}},
            "cars alone",
        ),
    ],
)
def test_wrong_options(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        read_options(OsmWebOptions, options, "osm-web")


def test_one_valhalla_serves_several_modes() -> None:
    server = {"engine": "valhalla", "url": "https://valhalla.univ.edu/"}
    options = read_options(OsmWebOptions, {"routers": {"walking": server, "driving": server}}, "osm-web")
    assert options.routers[TravelMode.WALKING].url == "https://valhalla.univ.edu"


def test_a_mode_without_a_server_is_refused() -> None:
    options = {"nominatim": "http://localhost:1", "overpass": "http://localhost:1", "routers": {}}
    provider = OsmWebProvider.from_setting(setting(options=options))

    async def ask() -> None:
        for mode in TravelMode:
            with pytest.raises(UnsupportedError, match=f"no server for {mode.value}"):
                await provider.directions(HERE, THERE, mode=mode)
            with pytest.raises(UnsupportedError, match=f"no server for {mode.value}"):
                await provider.matrix((HERE,), (THERE,), mode=mode)
        await provider.close()

    asyncio.run(ask())


def test_public_servers_are_asked_once_a_second_by_all_processes_together() -> None:
    for url in OsmWebOptions().addresses():
        policy = policy_for(url, provider="osm-web", agent="test", own_per_s=50, keep=Retention())
        assert policy.requests_per_s == 1
        assert policy.across_processes
        assert policy.concurrency == 1
        assert policy.rest_s >= 30  # what Overpass asks for after a 429
    own = policy_for("https://geo.univ.edu", provider="osm-web", agent="test", own_per_s=50, keep=Retention())
    assert (own.requests_per_s, own.across_processes) == (50, True)


def test_machines_divide_the_pace_that_each_keeps_by_a_file(tmp_path: Path) -> None:
    several = setting(tmp_path, contact="maps@univ.edu", processes=8, machines=4)
    http_clients = HttpClients.of(several, addresses=["https://geo.univ.edu"], own_per_s=2, keep=Retention())
    policies = [
        http_clients._wire(url).policy for url in ("https://geo.univ.edu", "https://overpass-api.de/api")
    ]
    assert [policy.requests_per_s for policy in policies] == [0.5, 0.25]


def test_each_host_has_a_pace_of_its_own() -> None:
    names = {
        policy_for(url, provider="osm-web", agent="test", own_per_s=1, keep=Retention()).name
        for url in OsmWebOptions().addresses()
    }
    assert names == {
        "osm-web nominatim.openstreetmap.org",
        "osm-web overpass-api.de",
        "osm-web routing.openstreetmap.de",
    }


def test_a_recording_may_be_made_for_open_data(tmp_path: Path) -> None:
    with Recorder(tmp_path / "run.jsonl") as recorder:
        OsmWebProvider.from_setting(setting(tmp_path, contact="maps@univ.edu", recording=recorder))


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
