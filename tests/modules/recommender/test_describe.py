"""Descriptions of places in words one can check by eye, and what lies around them, against the raw extract."""

from collections.abc import Iterator

import pytest
from pyproj import Geod

from map_tools.compute.hours import from_osm
from map_tools.maps.home import MapHome
from map_tools.maps.store import MapStore
from map_tools.maps.synth import synth
from map_tools.types import LatLng, Place, Review
from modules.recommender.describe import (
    MAX_SENTENCES,
    Surroundings,
    keys_of,
    metres_per_degree,
    semantic_description,
    semantic_sentences,
    spatial_sentences,
    surroundings_of,
    wanted_kinds,
)
from modules.recommender.understand import surroundings as table
from tests.e2e.truth import RawMap
from tests.support.data import demo_extract
from tests.support.maps import demo_map

# One degree of latitude is 110.6 to 111.7 km long, so 0.001 degrees are 110.6 to 111.7 m.
HERE = LatLng(lat=60.0, lng=25.0)
TRATTORIA = Place(
    id="t",
    name="Trattoria Uno",
    location=HERE,
    categories=("restaurant", "food"),
    address="Harbour Road 5, 00100 Town",
    hours=from_osm("Mo-Sa 08:00-23:30"),
    services={"outdoor_seating": True, "wifi": True, "takeaway": False},
    attributes={"cuisine": "italian;pizza", "fireplace": "yes"},
    reviews=(Review(text="Lovely candlelight."),),
    price_level=2,
)


def test_the_semantic_description_has_what_the_map_states() -> None:
    text = semantic_description(TRATTORIA)
    for stated in ("Trattoria Uno", "restaurant", "italian, pizza", "wifi", "fireplace", "independent"):
        assert stated in text
    for derived in ("open early for breakfast", "open late at night", "moderate", "Lovely candlelight."):
        assert derived in text
    assert "takeaway" not in text
    assert "Harbour Road" not in text


def test_a_chain_is_called_one() -> None:
    chain = TRATTORIA.model_copy(update={"attributes": {"brand": "Uno Group"}})
    assert "chain Uno Group" in semantic_description(chain)
    assert "independent" not in semantic_description(chain)


def test_the_spatial_description_tells_where() -> None:
    where, told = spatial_sentences(TRATTORIA, ("park",))
    assert where == "by a park, green surroundings, outdoor seating, Harbour Road 5"
    assert told == "Lovely candlelight."
    assert spatial_sentences(Place(id="x", name="X"), ()) == ("",)


def test_what_is_told_comes_sentence_by_sentence() -> None:
    told = {"attributes": {"description": "A cellar. Live jazz! Open late?"}}
    sentences = semantic_sentences(TRATTORIA.model_copy(update=told))
    assert sentences[-4:] == ("A cellar.", "Live jazz!", "Open late?", "Lovely candlelight.")
    assert semantic_sentences(Place(id="x", name="")) == ("independent",)


def test_endless_stories_are_cut() -> None:
    story = {"attributes": {"description": " ".join(f"Part {number}." for number in range(100))}}
    sentences = spatial_sentences(TRATTORIA.model_copy(update=story), ())
    assert len(sentences) == 1 + MAX_SENTENCES


def place(identifier: str, category: str, lat: float) -> Place:
    return Place(id=identifier, name=identifier, categories=(category,), location=LatLng(lat=lat, lng=25.0))


def test_surroundings_reach_as_far_as_their_table_says() -> None:
    # The table: parks within 150 m, public transport within 160 m (two minutes at 80 m a minute).
    others = [place("near park", "park", 60.001), place("far park", "park", 59.998)]
    stops = [place("stop", "tram_stop", 60.0014), place("far stop", "tram_stop", 60.0015)]
    assert Surroundings([others[0], stops[0]]).of(TRATTORIA) == ("park", "transit")
    assert Surroundings([others[1], stops[1]]).of(TRATTORIA) == ()


def test_a_place_does_not_surround_itself() -> None:
    bar = place("bar", "bar", 60.0)
    assert Surroundings([bar]).of(bar) == ()
    assert Surroundings([bar, place("pub", "pub", 60.0001)]).of(bar) == ("nightlife",)
    assert Surroundings([bar]).of(Place(id="nowhere", name="Nowhere")) == ()


def test_only_what_is_wished_for_is_searched() -> None:
    categories, reach_m = wanted_kinds(("park", "transit"))
    assert {"park", "tram_stop"} <= set(categories)
    assert "bar" not in categories
    assert reach_m == 160
    assert wanted_kinds(()) == ((), 0.0)


WGS84 = Geod(ellps="WGS84")
PARK_M = 150
"""Reach of "by a park" in the vocabulary."""


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
