"""The OpenStreetMap provider over the demo extract; positions and counts are read from the extract itself."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import osmium
import pytest

from map_tools.errors import ConfigError, PlaceNotFoundError, UnsupportedError
from map_tools.maps.home import MapHome
from map_tools.maps.synth import synth
from map_tools.providers.base import Provider, ProviderSetting
from map_tools.providers.osm import OsmProvider
from map_tools.types import LatLng, TravelMode
from tests.map_tools.providers.contract import ProviderContract, Sample, geodesic_m, run
from tests.support.data import demo_extract
from tests.support.maps import demo_map

STATION = LatLng(lat=60.1713, lng=24.9414)
"""Helsinki's central railway station."""


@pytest.fixture
def provider() -> Iterator[Provider]:
    opened = OsmProvider.open(demo_map())
    yield opened
    run(opened.close())


def is_cafe(tags: dict[str, str]) -> bool:
    if tags.get("amenity") == "fast_food":
        return "coffee_shop" in tags.get("cuisine", "").split(";")
    return tags.get("amenity") == "cafe" or (
        tags.get("shop") in {"bakery", "pastry", "coffee"} and tags.get("cafe") == "yes"
    )


@lru_cache(maxsize=1)
def cafe_nodes() -> tuple[tuple[str, LatLng], ...]:
    """Named nodes tagged as a café in one of the ways mappers do, straight from the extract."""
    return tuple(
        (node.tags["name"], LatLng(lat=node.lat, lng=node.lon))
        for node in osmium.FileProcessor(str(demo_extract()), osmium.osm.NODE)
        if "name" in node.tags and is_cafe(dict(node.tags))
    )


class TestContract(ProviderContract):
    @pytest.fixture
    def provider(self) -> Iterator[Provider]:
        opened = OsmProvider.open(demo_map())
        yield opened
        run(opened.close())

    @pytest.fixture
    def sample(self) -> Sample:
        return Sample(
            name="Ateneum",
            position=LatLng(lat=60.1701, lng=24.9440),
            category="cafe",
            origin="Ateneum",
            destination="Kiasma",
            mode=TravelMode.WALKING,
            tolerance_m=60,
            radius_m=500,
        )


def test_nearest_cafes_are_those_of_the_extract(provider: OsmProvider) -> None:
    expected = sorted((geodesic_m(STATION, at), name) for name, at in cafe_nodes())[:5]
    found = run(provider.nearby(STATION, radius_m=1_000, categories=("cafe",), limit=None))
    nodes = [
        (item.distance_m, item.place.name)
        for item in found
        if item.place.id.startswith("osm:n") and item.place.name
    ]
    assert [name for _, name in nodes[:5]] == [name for _, name in expected]
    assert [away for away, _ in nodes[:5]] == pytest.approx([away for away, _ in expected], abs=0.5)


@pytest.mark.parametrize("text", ["Eiffel Tower", "Central Park", "Bank of Wellington", "Starbucks Reserve"])
def test_a_wrong_place_is_worse_than_none(provider: OsmProvider, text: str) -> None:
    assert run(provider.find_place(text)) == ()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Atneum", "Ateneum"),
        ("Hotel Kamp", "Hotel Kämp"),
        ("Ateneum, Helsinki, Finland", "Ateneum"),
        ("Helsinki Cathedral", "Helsingin tuomiokirkko"),
    ],
)
def test_slips_qualifiers_and_other_languages(provider: OsmProvider, text: str, name: str) -> None:
    assert run(provider.find_place(text))[0].place.name == name


def test_nothing_is_claimed_that_the_map_does_not_have(provider: OsmProvider) -> None:
    assert not {"rating", "rating_count", "reviews", "price_level"} & provider.capabilities.facts
    assert TravelMode.TRANSIT not in provider.capabilities.modes


def test_terms(provider: OsmProvider) -> None:
    assert provider.terms.attribution == "© OpenStreetMap contributors"
    assert provider.terms.attribution_url == "https://www.openstreetmap.org/copyright"


def test_names_cost_nothing(provider: OsmProvider) -> None:
    assert provider.score("Ateneum") > 0.9
    assert provider.score("Zyxwvut Qqqqqq") == 0


def test_routes_of_all_modes_have_steps_and_geometry(provider: OsmProvider) -> None:
    origin, destination = (run(provider.find_place(name))[0].place for name in ("Ateneum", "Kiasma"))
    for mode in sorted(provider.capabilities.modes):
        (route,) = run(provider.directions(origin, destination, mode=mode))
        assert route.steps[0].maneuver == "depart"
        assert route.steps[-1].maneuver == "arrive"
        assert route.summary
        length_m = sum(map(geodesic_m, route.geometry, route.geometry[1:]))
        assert route.distance_m == pytest.approx(length_m, rel=0.03)


def test_inside_needs_an_outline(provider: OsmProvider) -> None:
    point = next(
        item.place
        for item in run(provider.nearby(STATION, radius_m=500, categories=("cafe",)))
        if item.place.id.startswith("osm:n")
    )
    with pytest.raises(UnsupportedError, match="outline"):
        run(provider.inside(point.id))
    with pytest.raises(PlaceNotFoundError):
        run(provider.inside("osm:w1"))


def test_setting() -> None:
    opened = OsmProvider.from_setting(ProviderSetting(name="osm", map_path=demo_map()))
    assert opened.map_name == "helsinki"
    run(opened.close())
    with pytest.raises(ConfigError, match="mapagent map add"):
        OsmProvider.from_setting(ProviderSetting(name="osm"))


def test_a_map_without_roads_serves_no_mode(home: Path) -> None:
    maps = MapHome(home)
    synth(seed=1, size=200, home=maps, name="plain", roads=False)
    provider = OsmProvider.open(maps.path("plain"))
    assert provider.capabilities.modes == frozenset()
    with pytest.raises(UnsupportedError, match="plain"):
        run(provider.matrix((STATION,), (STATION,), mode=TravelMode.DRIVING))
    run(provider.close())
