"""Opening a map and the parts it is made of; its spatial questions against a brute-force scan."""

import json
import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from pyproj import Geod

from map_tools.errors import MapStoreError, UsageError
from map_tools.maps import spatial
from map_tools.maps.geodesic import SPHERE_ERROR, geodesic_m, sphere_m
from map_tools.maps.home import MapHome
from map_tools.maps.places import place_of
from map_tools.maps.postings import among, build, build_packed, counted, packed
from map_tools.maps.search.finder import one_of_each
from map_tools.maps.store import MapStore
from map_tools.maps.synth import synth
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


lats = st.floats(-89.9, 89.9)
lngs = st.floats(-180, 180)


@given(lats, lngs, lats, lngs)
def test_distances_agree_with_pyproj(lat: float, lng: float, lat2: float, lng2: float) -> None:
    expected = WGS84.inv(lng, lat, lng2, lat2)[2]
    there, across = np.array([lat2]), np.array([lng2])
    assert sphere_m(lat, lng, there, across)[0] == pytest.approx(expected, rel=SPHERE_ERROR, abs=0.01)
    if expected < 19_700_000:  # nearly antipodal points (within 300 km) are left to the sphere
        assert geodesic_m(lat, lng, there, across)[0] == pytest.approx(expected, abs=1e-3)


def test_distance_from_a_point_to_itself_is_nothing() -> None:
    assert geodesic_m(60.0, 25.0, np.array([60.0]), np.array([25.0]))[0] == 0.0


pairs = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 30)), max_size=60)


@given(pairs)
def test_postings_are_a_dictionary_of_sorted_lists(given_pairs: list[tuple[int, int]]) -> None:
    keys = np.array([key for key, _ in given_pairs], np.uint32)
    numbers = np.array([number for _, number in given_pairs], np.uint32)
    expected: dict[int, set[int]] = {}
    for key, number in given_pairs:
        expected.setdefault(key, set()).add(number)
    for postings in (build(keys.astype(np.uint64), numbers), build_packed(packed(keys, numbers))):
        for key in range(11):
            assert postings.of(key).tolist() == sorted(expected.get(key, ()))


@given(st.lists(st.sets(st.integers(0, 20)), max_size=5), st.lists(st.integers(0, 25), max_size=10))
def test_counting_and_membership(sets: list[set[int]], numbers: list[int]) -> None:
    lists = [np.array(sorted(one), np.uint32) for one in sets]
    distinct, counts = counted(lists)
    everything = sorted(set().union(*sets)) if sets else []
    assert distinct.tolist() == everything
    assert counts.tolist() == [sum(number in one for one in sets) for number in everything]
    kept = among(np.array(numbers, np.uint32), np.array(everything, np.uint32))
    assert kept.tolist() == [number in everything for number in numbers]


@pytest.mark.parametrize(
    ("lat", "lng"),
    [(0.0, 180.0), (0.0, -179.999), (10.0, 179.99), (89.99, 0.0), (-89.995, 120.0), (0.0, 0.0)],
)
def test_searches_cross_the_antimeridian_and_the_poles(lat: float, lng: float) -> None:
    dice = np.random.default_rng(5)
    count = 3000
    here = np.clip(dice.normal(lat, 0.3, count), -90, 90)
    spread = 180.0 if abs(lat) > 80 else 0.3
    there = (lng + dice.uniform(-spread, spread, count) + 180) % 360 - 180
    index = spatial.build([("cafe",)] * count, here, there, np.ones(count, np.bool_))
    distances = WGS84.inv(np.full(count, lng), np.full(count, lat), there, here)[2]
    for radius in (1_000.0, 30_000.0):
        rows, found = index.near(lat, lng, radius, ("cafe",), None)
        assert set(rows.tolist()) == set(np.flatnonzero(distances <= radius).tolist())
        assert found.tolist() == sorted(found.tolist())
    rows, _ = index.near(lat, lng, 20_000_000.0, (), 10)
    assert sorted(rows.tolist()) == sorted(np.argsort(distances)[:10].tolist())


def test_pieces_of_a_street_are_one_and_two_streets_are_two() -> None:
    here = np.array([60.0, 60.005, 60.01, 61.0])
    there = np.full(4, 25.0)
    assert one_of_each(here, there, None) == [1, 3]


def test_the_same_seed_makes_the_same_map(maps: MapHome) -> None:
    first = synth(seed=3, size=500, home=maps, name="first", roads=False)
    second = synth(seed=3, size=500, home=maps, name="second", roads=False)
    other = synth(seed=4, size=500, home=maps, name="other", roads=False)
    marks = [{name: mark.sha256 for name, mark in info.files.items()} for info in (first, second, other)]
    assert first.counts["features"] == 500
    assert marks[0] == marks[1]
    assert marks[0] != marks[2]


def test_a_size_out_of_range_is_refused(maps: MapHome) -> None:
    with pytest.raises(UsageError, match="cannot have 3 features"):
        synth(seed=1, size=3, home=maps)
