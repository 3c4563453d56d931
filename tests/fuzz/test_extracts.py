"""Extracts of OpenStreetMap with damages: read, or refused by name; a map that comes of one is whole."""

from pathlib import Path

import osmium
import pytest
from hypothesis import given

from map_tools.errors import InputFileError
from map_tools.maps.extract import Extract
from map_tools.maps.home import MapHome
from map_tools.maps.ingest import add_map
from map_tools.maps.store import MapStore
from map_tools.types import LatLng
from tests.fuzz.damage import damaged
from tests.fuzz.refusals import assert_told
from tests.support.effort import effort

WEST, SOUTH, STEP_DEG = 9.52, 47.13, 0.001
NODES = 30


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
