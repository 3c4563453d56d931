"""Recorded worlds with mistakes and extracts of OpenStreetMap with damages: read, or refused by name.

Every question over a world that is read ends with a status; a map that comes of an extract is whole.
"""

import asyncio
import json
from pathlib import Path
from typing import Any

import osmium
import pytest
from hypothesis import given

from map_tools.errors import InputFileError
from map_tools.maps.home import MapHome
from map_tools.maps.making.extract import Extract
from map_tools.maps.making.ingest import add_map
from map_tools.maps.store import MapStore
from map_tools.providers.recorded import RecordedProvider
from map_tools.types import LatLng
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, Status
from mapagent.runtime.config import Settings
from tests.fuzz.damage import assert_told, damaged, mistaken
from tests.support.effort import effort

HARBOUR = Path(__file__).resolve().parents[1] / "fixtures" / "worlds" / "harbour.json"
WORLD = json.loads(HARBOUR.read_text(encoding="utf-8"))
WORLD["routes"][0]["routes"][0]["steps"][2]["notes"] = ["Toll road"]
NODES = 30
QUESTIONS = (
    "What is the address of Lighthouse Museum?",
    "Is Lighthouse Museum open at 6 pm on Friday?",
    "Which restaurant is nearest to Customs House?",
    "How many restaurants are within 1 km of Customs House?",
    "How long does it take to drive from Customs House to Lighthouse Museum?",
    "What is the first step of the drive from Customs House to Lighthouse Museum?",
    "Starting at Customs House, in which order should I visit Salt & Smoke and Lighthouse Museum by car?",
)


def opened(path: Path) -> RecordedProvider | None:
    """The world, or None if it is refused as it should be."""
    try:
        return RecordedProvider.open(path)
    except InputFileError as error:
        assert_told(error, str(path))
        return None


async def ask_all(provider: RecordedProvider) -> list[Answer]:
    async with MapAgent(Settings(), provider=provider) as agent:
        return [await agent.ask(question, options=("12 min", "Green Bowl", "No")) for question in QUESTIONS]


@effort(3)
@given(mistaken(WORLD))
def test_mistakes_in_a_world(tmp_path: Path, world: Any) -> None:
    path = tmp_path / "town.json"
    path.write_text(json.dumps(world), encoding="utf-8")
    opened(path)


@effort(0.3)
@given(mistaken(WORLD))
def test_questions_over_a_world_with_mistakes(tmp_path: Path, world: Any) -> None:
    path = tmp_path / "town.json"
    path.write_text(json.dumps(world), encoding="utf-8")
    provider = opened(path)
    if provider is None:
        return
    for answer in asyncio.run(ask_all(provider)):
        assert answer.status in {Status.ANSWERED, Status.UNANSWERABLE, Status.AMBIGUOUS}
        assert answer.text or answer.reason


@effort()
@given(damaged(HARBOUR.read_bytes()))
def test_damaged_worlds(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "town.json"
    path.write_bytes(content)
    opened(path)


WEST, SOUTH, STEP_DEG = 9.52, 47.13, 0.001


def town(path: Path) -> bytes:
    """A street of cafés with a square at its end; the file's content."""
    make = osmium.osm.mutable
    with osmium.SimpleWriter(str(path)) as writer:
        for number in range(1, NODES + 1):
            tags = {"amenity": "cafe", "name": f"Café {number}", "opening_hours": "Mo-Fr 09:00-17:00"}
            spot = (WEST + number * STEP_DEG, SOUTH + number % 3 * STEP_DEG)
            writer.add_node(make.Node(id=number, location=spot, version=1, tags=tags if number % 2 else {}))
        street = {"highway": "residential", "name": "Café Street"}
        square = {"leisure": "park", "name": "Café Square"}
        writer.add_way(make.Way(id=1, nodes=list(range(1, NODES)), version=1, tags=street))
        writer.add_way(make.Way(id=2, nodes=[1, 2, 4, 3, 1], version=1, tags=square))
        members = [("w", 2, "outer")]
        writer.add_relation(
            make.Relation(
                id=1,
                members=members,
                version=1,
                tags={"type": "multipolygon", "name": "Square", "leisure": "park"},
            )
        )
    return path.read_bytes()


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The content of a sound extract."""
    return town(tmp_path_factory.mktemp("sound") / "town.osm.pbf")


def test_the_sample_is_sound(tmp_path: Path) -> None:
    path = tmp_path / "town.osm.pbf"
    town(path)
    names = {feature.tags.get("name") for feature in Extract(path).features()}
    assert {"Café 1", "Café Street", "Café Square"} <= names


def test_damages_are_read_over_or_refused(sound: bytes, tmp_path: Path) -> None:
    path = tmp_path / "town.osm.pbf"

    @effort(3)
    @given(damaged(sound))
    def read(content: bytes) -> None:
        path.write_bytes(content)
        try:
            Extract(path).header()
            for feature in Extract(path).features():
                assert feature.categories
        except InputFileError as error:
            assert_told(error, str(path))

    read()


def test_a_map_of_a_damaged_extract_is_whole_or_is_none(sound: bytes, tmp_path: Path) -> None:
    path, home = tmp_path / "town.osm.pbf", MapHome(tmp_path / "maps")

    @effort(0.1)
    @given(damaged(sound))
    def added(content: bytes) -> None:
        path.write_bytes(content)
        before = home.list()
        try:
            info = add_map(path, name="town", home=home)
        except InputFileError:
            assert home.list() == before
            return
        store = MapStore.open(home.path("town"))
        found = store.nearby(LatLng(lat=SOUTH, lng=WEST), 20_000, (), None, None)
        assert 0 < len(found) <= info.counts["features"]

    added()
