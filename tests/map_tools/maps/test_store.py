"""Opening a map, its spatial questions against a brute-force scan, and what the tags of a feature tell of the place."""

import json
import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from pyproj import Geod

from map_tools.errors import MapStoreError
from map_tools.maps.places import place_of
from map_tools.maps.store import MapStore
from map_tools.types import LatLng
from tests.support.effort import effort

WGS84 = Geod(ellps="WGS84")

type Row = tuple[int, dict[str, str], tuple[str, ...]]


@pytest.fixture(scope="module")
def rows(town: MapStore) -> list[Row]:
    """All features, read from the table past the indexes."""
    with sqlite3.connect(town.folder / "features.sqlite") as database:
        return [
            (row, json.loads(tags), tuple(categories.split(",")))
            for row, tags, categories in database.execute(
                "SELECT row, tags, categories FROM features ORDER BY row"
            )
        ]


def scan(
    store: MapStore,
    rows: list[Row],
    center: LatLng,
    radius_m: float,
    categories: tuple[str, ...],
    cuisine: str | None,
) -> list[tuple[float, int]]:
    found = []
    for row, tags, own in rows:
        if (categories and not set(categories) & set(own)) or own == ("address",):
            continue
        if cuisine and tags.get("cuisine") != cuisine:
            continue
        point = store.location(row)
        distance = WGS84.inv(center.lng, center.lat, point.lng, point.lat)[2]
        if distance <= radius_m:
            found.append((distance, row))
    return sorted(found)


@effort(0.4)
@given(
    east=st.floats(-0.03, 0.03),
    north=st.floats(-0.02, 0.02),
    radius_m=st.floats(0, 4000),
    categories=st.sampled_from(
        [(), ("cafe",), ("food",), ("restaurant", "shop"), ("food", "cafe"), ("nonsense",)]
    ),
    cuisine=st.sampled_from([None, None, "italian"]),
    limit=st.sampled_from([None, 1, 7, 40]),
)
def test_nearby_is_what_a_scan_finds(
    town: MapStore,
    rows: list[Row],
    east: float,
    north: float,
    radius_m: float,
    categories: tuple[str, ...],
    cuisine: str | None,
    limit: int | None,
) -> None:
    middle = town.info.bbox.center
    center = LatLng(lat=middle.lat + north, lng=middle.lng + east)
    expected = scan(town, rows, center, radius_m, categories, cuisine)[:limit]
    found = town.nearby(center, radius_m, categories, cuisine, limit)
    assert [distance for _, distance in found] == pytest.approx(
        [distance for distance, _ in expected], abs=1e-3
    )
    assert {row for row, _ in found} == {row for _, row in expected}


def test_inside_is_what_a_polygon_test_of_every_feature_finds(town: MapStore, rows: list[Row]) -> None:
    district = [row for row, tags, _ in rows if tags.get("admin_level") == "10"][5]  # one near the centre
    outline = town.outline(district)
    assert outline is not None
    area = shapely.from_wkb(outline)
    expected = [
        row
        for row, _, own in rows
        if "cafe" in own and area.contains(shapely.Point(town.location(row).lng, town.location(row).lat))
    ]
    assert expected
    assert town.inside(district, ("cafe",)) == expected
    assert district not in town.inside(district)
    assert set(town.inside(district, ("restaurant",), "italian")) < set(
        town.inside(district, ("restaurant",))
    )


def test_museums_of_a_real_district(liechtenstein: MapStore) -> None:
    vaduz = liechtenstein.find("Vaduz")[0][0]
    names = {liechtenstein.place(row).name for row in liechtenstein.inside(vaduz, ("museum",))}
    assert "Kunstmuseum Liechtenstein" in names
    triesen = liechtenstein.find("Triesen")[0][0]
    assert not names & {liechtenstein.place(row).name for row in liechtenstein.inside(triesen, ("museum",))}


def test_points_and_lines_have_no_outline(town: MapStore, rows: list[Row]) -> None:
    street = next(row for row, tags, _ in rows if "highway" in tags and tags["highway"] == "residential")
    cafe = next(row for row, _, own in rows if "cafe" in own)
    assert town.outline(street) is None
    assert town.geometry(street) is not None
    assert town.inside(cafe) == []


def test_ids_and_rows(town: MapStore) -> None:
    for row in (0, 1, len(town) - 1):
        assert town.row_of(town.place(row).id) == row
    for unknown in ("osm:n999999999999", "osm:x1", "osm:n", "n1", "", "google:abc", "osm:n-1"):
        assert town.row_of(unknown) is None
    with pytest.raises(IndexError):
        town.place(len(town))


def test_many_threads_may_read_at_once(town: MapStore) -> None:
    center = town.info.bbox.center

    def work(seed: int) -> tuple[str, int]:
        found = town.nearby(center, 500 + seed, ("food",), limit=5)
        return town.place(found[0][0]).name, len(town.find(town.place(seed).name))

    with ThreadPoolExecutor(8) as pool:
        first = list(pool.map(work, range(100, 164)))
        second = list(pool.map(work, range(100, 164)))
    assert first == second


@pytest.fixture
def copy(town: MapStore, tmp_path: Path) -> Path:
    return Path(shutil.copytree(town.folder, tmp_path / "copy"))


@pytest.mark.parametrize("victim", ["features.sqlite", "index/lats.npy", "index/trigram_keys.npy"])
def test_a_file_cut_short_is_noticed(copy: Path, victim: str) -> None:
    path = copy / victim
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(MapStoreError, match="map add"):
        MapStore.open(copy)


def test_a_database_that_is_none_is_noticed(copy: Path) -> None:
    path = copy / "features.sqlite"
    path.write_bytes(b"x" * path.stat().st_size)
    with pytest.raises(MapStoreError, match="map add"):
        MapStore.open(copy)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"schema_version": 999}', '{"schema_version": 1}'])
def test_a_foreign_description_is_refused(copy: Path, content: str) -> None:
    (copy / "map.json").write_text(content, "utf-8")
    with pytest.raises(MapStoreError, match="cannot be used"):
        MapStore.open(copy)


def test_a_folder_without_a_map_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MapStoreError):
        MapStore.open(tmp_path)


@pytest.mark.parametrize(
    ("tags", "services"),
    [
        ({"diet:vegetarian": "yes"}, {"serves_vegetarian": True}),
        ({"diet:vegan": "only"}, {"serves_vegan": True, "serves_vegetarian": True}),
        ({"diet:vegan": "no"}, {"serves_vegan": False}),
        ({"diet:halal": "yes", "diet:kosher": "no"}, {"halal": True, "kosher": False}),
        ({"diet:gluten_free": "yes"}, {"gluten_free": True}),
        ({"cuisine": "indian;vegetarian"}, {"serves_vegetarian": True}),
        ({"cuisine": "vegan"}, {"serves_vegan": True, "serves_vegetarian": True}),
        ({"cuisine": "vegetarian", "diet:vegetarian": "no"}, {"serves_vegetarian": False}),
        ({"wheelchair": "yes", "takeaway": "unknown"}, {"wheelchair": True}),
    ],
)
def test_services(tags: dict[str, str], services: dict[str, bool]) -> None:
    place = place_of("osm:n1", tags, ("restaurant",), LatLng(lat=1, lng=2), "Europe/Vaduz")
    assert place.services == services
