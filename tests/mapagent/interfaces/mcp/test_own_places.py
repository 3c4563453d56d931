"""The user's own places over the protocol: an assistant may say their names, and is not told where they are."""

import os
from typing import Any

import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

from map_tools.own_places import OwnPlace, OwnPlaces
from map_tools.providers.osm import OsmProvider
from map_tools.types import LatLng
from mapagent.runtime.config import Settings
from mapagent.runtime.own_places import OwnPlacesFile
from tests.mapagent.interfaces.mcp.conftest import Caller, calling
from tests.mapagent.runtime.test_own_places import Overhearing
from tests.support.cli import PROGRAM
from tests.support.maps import demo_map

pytestmark = pytest.mark.anyio

HOME = LatLng(lat=60.16507, lng=24.94013)
SITE = LatLng(lat=60.17603, lng=24.94207)
PLACES = (
    OwnPlace(name="home", location=HOME),
    OwnPlace(name="Depot North", location=SITE, kind="client sites"),
)
OWN = OwnPlaces(PLACES, listed=False)
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("ask_map", {"question": "How far is home from Ateneum?"}),
    ("ask_map", {"question": "Which cafe is nearest to home?"}),
    ("run_query", {"program": 'answer(place("home"), way=travel("home", "Ateneum", "walk"))'}),
    ("run_query", {"program": 'answer(reachable("home", "5 min", "walk"), at=places("cafe", near="home"))'}),
    ("run_query", {"program": 'answer(buffer(place("home"), "100 m"), at=distance("home", "Ateneum"))'}),
    ("find_nearby", {"query": "cafe", "near": "home"}),
    ("place_info", {"place": "home", "reviews": True}),
    ("resolve_place", {"names": ["home", "Ateneum"]}),
    ("route", {"origin": "home", "destination": "Ateneum", "mode": "walk", "steps": True}),
    ("trip", {"places": ["my home", "Ateneum", "Kiasma"], "modes": ["walk"]}),
    ("recommend_places", {"wish": "a quiet cafe", "near": "home"}),
)


def secrets(told: str) -> list[str]:
    """What of the own places an assistant must not read."""
    positions = (str(number) for place in PLACES for number in (place.location.lat, place.location.lng))
    return [secret for secret in (*positions, "own:", "Depot", "client") if secret in told]


@pytest.mark.parametrize(("tool", "arguments"), CALLS)
async def test_a_name_is_known_and_its_position_is_not_told(
    helsinki: Settings, tool: str, arguments: dict[str, Any]
) -> None:
    async with calling(helsinki, own=OWN) as caller:
        told = await caller(tool, **arguments)
    assert "home" in told.text or tool == "recommend_places"
    assert told.handle is None, "the whole result has positions"
    assert secrets(told.text + repr(told.data)) == []


async def test_what_comes_out_is_measured_from_there(helsinki: Settings) -> None:
    async with calling(helsinki, own=OWN) as caller:
        named = await caller("find_nearby", query="cafe", near="home")
        placed = await caller("find_nearby", query="cafe", near=f"{HOME.lat},{HOME.lng}")
        again = await caller("find_nearby", query="cafe", near=named.data["anchor"]["id"])
    assert named.data["places"] == placed.data["places"] == again.data["places"]
    assert named.data["anchor"] == {"id": "home", "name": "home"}
    assert placed.handle is not None


async def test_lists_are_not_told(helsinki: Settings) -> None:
    async def told(caller: Caller, **arguments: Any) -> str:
        return await caller.refused("find_nearby", query="client sites", **arguments)

    async with calling(helsinki, own=OWN) as caller:
        refused = await told(caller, near="home")
        by_name = await caller("place_info", place="Depot North")
    assert "a language model is not told their names" in refused
    assert "Depot" not in refused
    assert by_name.data["place"] == {"id": "Depot North", "name": "Depot North"}


async def test_the_provider_is_not_told_the_name(helsinki: Settings) -> None:
    overhearing: Any = Overhearing(OsmProvider.open(demo_map()))
    async with calling(helsinki, own=OWN, provider=overhearing) as caller:
        await caller("resolve_place", names=["home"])
        await caller("place_info", place="home", reviews=True)
        await caller("resolve_place", names=["Ateneum"])
    heard = repr(overhearing.heard)
    assert "Ateneum" in heard
    assert "home" not in heard


@pytest.mark.parametrize(("flags", "known"), [((), True), (("--no-own-places",), False)])
async def test_the_command_knows_those_of_its_user(
    helsinki: Settings, flags: tuple[str, ...], known: bool
) -> None:
    OwnPlacesFile(helsinki.data_home).add(PLACES)
    server = StdioServerParameters(
        command=PROGRAM[0],
        args=[*PROGRAM[1:], "mcp", *flags],
        env=os.environ | {"MAPAGENT_DATA_HOME": str(helsinki.data_home)},
    )
    async with Client(server) as client:
        before = await client.call_tool("resolve_place", {"names": ["home"]})
        OwnPlacesFile(helsinki.data_home).add([OwnPlace(name="Zzyzx hut", location=SITE)])
        after = await client.call_tool("place_info", {"place": "Zzyzx hut"})
        listed = await client.call_tool("find_nearby", {"query": "my client sites", "near": "Ateneum"})
        instructions = client.instructions or ""
    assert ("a place of your own" in str(before.content)) is known
    assert (not after.is_error) is known
    assert listed.is_error
    assert secrets(str((before.content, after.content, instructions))) == []
    assert ("The user has places of their own" in instructions) is known
