"""Which agents are open, and for whom."""

import shutil
from pathlib import Path

import pytest

from map_tools.errors import UnknownNameError
from mapagent.interfaces.http.asking import MOST_OPEN, Choice, Offers, agents_of
from mapagent.runtime.config import Settings
from tests.support.maps import demo_map

pytestmark = pytest.mark.anyio


def put(data_home: Path, name: str, build: Path) -> None:
    """Makes a build the map of this name."""
    link = data_home / "maps" / name
    link.parent.mkdir(parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    link.symlink_to(build)


def choice_of(offers: Offers, name: str | None = None) -> Choice:
    return offers.choose(model=None, provider=None, map_name=name, use_map=True)


def test_only_what_is_offered_can_be_chosen() -> None:
    offers = Offers(Settings(model="small", provider="recorded:/a/world.json"), ("large",), ("google",))
    assert offers.models == ("small", "offline", "large")
    assert offers.providers == ("recorded", "osm", "google"), "no path of this machine is told"
    chosen = offers.choose(model="large", provider="recorded", map_name=None, use_map=True)
    assert chosen == Choice("large", "recorded:/a/world.json")
    with pytest.raises(UnknownNameError, match="huge"):
        offers.choose(model="huge", provider=None, map_name=None, use_map=True)


async def test_a_map_that_is_built_anew_is_opened_anew(tmp_path: Path) -> None:
    settings = Settings(data_home=tmp_path)
    offers, agents = Offers(settings, (), ()), agents_of(settings)
    put(tmp_path, "town", demo_map().resolve())
    async with agents.lease(choice_of(offers)) as first:
        put(tmp_path, "town", shutil.copytree(demo_map().resolve(), tmp_path / "town.new"))
        async with agents.lease(choice_of(offers)) as second:
            assert second.agent is not first.agent
    async with agents.lease(choice_of(offers)) as third:
        assert third.agent is second.agent
    await agents.close()


async def test_agents_that_nobody_uses_are_closed(tmp_path: Path) -> None:
    settings = Settings(data_home=tmp_path)
    offers, agents = Offers(settings, (), ()), agents_of(settings)
    names = [f"town-{number}" for number in range(MOST_OPEN + 2)]
    for name in names:
        put(tmp_path, name, demo_map().resolve())
    async with agents.lease(choice_of(offers, names[0])) as used:
        for name in names[1:]:
            async with agents.lease(choice_of(offers, name)) as opened:
                assert opened is not used
        assert used.agent is not None
        async with agents.lease(choice_of(offers, names[0])) as again:
            assert again is used, "the one in use is never closed"
        async with agents.lease(choice_of(offers, names[1])) as reopened:
            assert (await reopened.agent.ask("Which cafe is nearest to Ateneum?")).text
    await agents.close()
