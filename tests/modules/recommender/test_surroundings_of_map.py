"""What lies around all places of a map, against shapely and pyproj on the raw extract."""

from collections.abc import Iterator

import pytest
from pyproj import Geod

from map_tools.maps.home import MapHome
from map_tools.maps.store import MapStore
from map_tools.maps.synth import synth
from modules.recommender.surroundings import keys_of, metres_per_degree, surroundings_of
from modules.recommender.vocabulary import surroundings as table
from tests.e2e.truth import RawMap
from tests.support.data import demo_extract
from tests.support.maps import demo_map

WGS84 = Geod(ellps="WGS84")
PARK_M = 150
"""Reach of "by a park" in the vocabulary."""


@pytest.fixture(scope="module")
def store() -> Iterator[MapStore]:
    opened = MapStore.open(demo_map())
    yield opened
    opened.close()


def test_the_bits_of_keys() -> None:
    names = keys_of(2**16 - 1)
    assert len(set(names)) == len(names)
    for number, name in enumerate(names):
        assert keys_of(1 << number) == (name,)
    assert keys_of(0) == ()


def test_parks_count_by_their_outline(store: MapStore) -> None:
    raw = RawMap(demo_extract(), demo_map() / "tiles")
    green = raw.all(leisure=("park", "garden"))
    bits = surroundings_of(store)
    judged = {True: 0, False: 0}
    for hotel in raw.all(tourism="hotel", name=True):
        row = store.row_of(f"osm:{hotel.kind[0]}{hotel.osm_id}")
        nearest_m = min(raw.span(one, hotel)[0] for one in green)
        if row is None or hotel.shape is not None or abs(nearest_m - PARK_M) < 2:
            continue
        by_park = nearest_m < PARK_M
        assert ("park" in keys_of(int(bits[row]))) is by_park, (hotel.name, nearest_m)
        judged[by_park] += 1
    assert min(judged.values()) >= 3


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MapStore]:
    """A synthetic town, without water."""
    home = MapHome(tmp_path_factory.mktemp("maps"))
    synth(seed=1, size=2000, home=home, name="town")
    opened = MapStore.open(home.path("town"))
    yield opened
    opened.close()


def test_nothing_surrounds_itself(town: MapStore) -> None:
    bits = surroundings_of(town)
    alone = [
        row
        for row in town.spatial.members(("viewpoint",)).tolist()
        if len(town.nearby(town.location(row), 200, ("viewpoint",))) == 1
    ]
    assert alone
    for row in alone:
        assert "view" not in keys_of(int(bits[row]))
        others = {other for other, _ in town.nearby(town.location(row), 149)} - {row}
        assert all("view" in keys_of(int(bits[other])) for other in others)


def test_nobody_is_near_what_the_map_does_not_have(town: MapStore) -> None:
    keys = {key for number in surroundings_of(town).tolist() for key in keys_of(number)}
    assert {"marina", "castle"}.isdisjoint(town.spatial.slices)
    for key, entry in table().items():
        if town.spatial.slices.keys().isdisjoint(entry["categories"]):
            assert key not in keys
    assert "nightlife" in keys


@pytest.mark.parametrize("lat", [-60.0, 0.0, 48.0, 65.0])
def test_lengths_of_a_degree(lat: float) -> None:
    per_lng, per_lat = metres_per_degree(lat)
    step = 1e-4
    assert per_lng * step == pytest.approx(WGS84.inv(11, lat, 11 + step, lat)[2], rel=1e-6)
    assert per_lat * step == pytest.approx(WGS84.inv(11, lat - step / 2, 11, lat + step / 2)[2], rel=1e-6)
