"""The verbs of the database in memory, over a small world with round numbers."""

from pathlib import Path

import pytest
import shapely
from pyproj import Geod

from map_tools.errors import MapStoreError
from map_tools.spatial_db.memory.build import CATALOGUE, build_memory
from map_tools.spatial_db.memory.engine import FeatureRef, MemoryEngine
from map_tools.spatial_db.memory.points import Sector
from map_tools.spatial_db.memory.table import Condition
from map_tools.types import LatLng
from tests.map_tools.spatial_db.world import tables

WGS84 = Geod(ellps="WGS84")
CAFE = (Condition(column="amenity", value="cafe"),)
CENTRE = LatLng(lat=50.0, lng=10.0)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> MemoryEngine:
    """The small world, written and opened again."""
    return MemoryEngine.open(
        build_memory(tables(), tmp_path_factory.mktemp("memory") / "world", note={"a": 1})
    )


def named(engine: MemoryEngine, table: str, rows: object) -> list[str]:
    """The names of some rows."""
    return [engine.name(FeatureRef(table, int(row))) for row in rows]  # type: ignore[attr-defined]


def test_nearest_by_kind_and_direction(engine: MemoryEngine) -> None:
    hits = engine.nearest("pois", CAFE, CENTRE, k=2)
    assert [engine.name(hit.ref) for hit in hits] == ["East Cafe", "North Cafe"]
    assert hits[0].distance_m == pytest.approx(WGS84.inv(10.0, 50.0, 10.1, 50.0)[2], abs=0.01)
    north = engine.nearest("pois", CAFE, CENTRE, sector=Sector(0, 22.5))
    assert [engine.name(hit.ref) for hit in north] == ["North Cafe"]


def test_what_is_left_out_is_not_given(engine: MemoryEngine) -> None:
    first = engine.nearest("pois", CAFE, CENTRE)[0]
    again = engine.nearest("pois", CAFE, CENTRE, but=frozenset({first.ref}))
    assert [engine.name(hit.ref) for hit in again] == ["North Cafe"]


def test_within_a_radius_and_with_a_word_of_a_list(engine: MemoryEngine) -> None:
    shop = (*CAFE, Condition(column="cuisine", value="coffee_shop", match="has"))
    assert named(engine, "pois", engine.within("pois", shop, CENTRE, 20_000)) == ["North Cafe"]
    assert len(engine.within("pois", shop, CENTRE, 300_000)) == 2
    assert len(engine.within("pois", (Condition(column="no_such", value="x"),), CENTRE, 1e6)) == 0


def test_inside_a_region(engine: MemoryEngine) -> None:
    middle = engine.geometry(engine.find_name("Middle")[0].ref)
    assert named(engine, "pois", engine.inside("pois", CAFE, middle)) == ["North Cafe", "East Cafe"]
    assert named(engine, "parks", engine.inside("parks", (), middle)) == ["Square Park", "Twin Park"]


def test_what_only_meets_a_region_is_in_it_unless_all_of_it_must_be(engine: MemoryEngine) -> None:
    half = shapely.box(10.0, 49.0, 10.065, 51.0)
    assert named(engine, "parks", engine.inside("parks", (), half)) == ["Square Park", "Twin Park"]
    assert named(engine, "parks", engine.inside("parks", (), half, whole=True)) == ["Square Park"]


def test_sizes_are_metres(engine: MemoryEngine) -> None:
    rows = engine.inside("parks", (), shapely.box(9, 49, 11, 51))
    square = shapely.box(10.0, 50.0, 10.01, 50.01)
    wanted = abs(WGS84.geometry_area_perimeter(square)[0])
    assert engine.sizes("parks", rows, "area")[0] == pytest.approx(wanted, rel=1e-5)
    river = engine.tables["lakes"].rows_where((Condition(column="waterway", value="river"),))
    length = engine.sizes("lakes", river, "length")[0]
    assert length == pytest.approx(WGS84.line_length([9.5, 10.5], [50, 50]), rel=1e-5)
    assert engine.sizes("pois", rows, "area").tolist() == [0] * len(rows)


def test_names_are_found_to_the_letter_and_by_likeness(engine: MemoryEngine) -> None:
    (hit,) = engine.find_name("north cafe")
    assert (hit.score, engine.name(hit.ref)) == (1.0, "North Cafe")
    assert engine.find_name("Nrth Cafe", fuzzy=False) == []
    assert engine.name(engine.find_name("Nrth Cafe")[0].ref) == "North Cafe"


def test_features_are_found_by_id(engine: MemoryEngine) -> None:
    ref = engine.ref("pois", 2)
    assert ref is not None
    assert engine.name(ref) == "East Cafe"
    assert engine.ref("pois", 99) is None
    assert engine.ref("nowhere", 1) is None
    assert engine.note == {"a": 1}


def test_what_has_no_geometry_is_left_out(engine: MemoryEngine) -> None:
    assert len(engine.tables["pois"]) == 7


def test_a_folder_of_another_version_is_refused(tmp_path: Path) -> None:
    folder = build_memory(tables(), tmp_path / "world")
    text = (folder / CATALOGUE).read_text("utf-8").replace('"layout": 1', '"layout": 0')
    (folder / CATALOGUE).write_text(text, "utf-8")
    with pytest.raises(MapStoreError, match="version"):
        MemoryEngine.open(folder)
    with pytest.raises(MapStoreError, match="damaged"):
        MemoryEngine.open(tmp_path)


def test_building_again_replaces_and_leaves_nothing_beside(tmp_path: Path) -> None:
    for _ in range(2):
        build_memory(tables(), tmp_path / "world")
    assert [path.name for path in tmp_path.iterdir()] == ["world"]
