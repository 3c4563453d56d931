"""The parts the store is made of: distances, posting lists, the spatial index at the edges of the world."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyproj import Geod

from map_tools.errors import UsageError
from map_tools.maps import spatial
from map_tools.maps.geodesic import SPHERE_ERROR, geodesic_m, sphere_m
from map_tools.maps.home import MapHome
from map_tools.maps.postings import among, build, build_packed, counted, packed
from map_tools.maps.search.finder import one_of_each
from map_tools.maps.synth import synth

WGS84 = Geod(ellps="WGS84")

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
