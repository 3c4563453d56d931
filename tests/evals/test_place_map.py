"""Maps made of lists of places."""

import asyncio
from pathlib import Path

from evals.worlds.maps import Extract, ListedPlace, build_place_map, kept_place_map
from map_tools.maps.home import MapHome
from map_tools.providers.osm import OsmProvider
from map_tools.types import LatLng, Place, TravelMode
from tests.support.data import demo_extract

SPOT = LatLng(lat=60.1699, lng=24.9410)
LISTED = [
    ListedPlace(SPOT.lat, SPOT.lng, {"name": "Moss House", "amenity": "restaurant", "description": "Plain."}),
    ListedPlace(SPOT.lat, SPOT.lng + 0.001, {"name": "Fern Corner"}),
]


def nearby(provider: OsmProvider, category: str) -> list[Place]:
    found = asyncio.run(provider.nearby(SPOT, radius_m=3000, categories=(category,), limit=None))
    return [item.place for item in found]


def find(provider: OsmProvider, name: str) -> Place:
    (found,) = asyncio.run(provider.find_place(name, limit=1))
    return found.place


def test_places_alone_are_a_map_without_ways(tmp_path: Path) -> None:
    home = MapHome(tmp_path)
    info = build_place_map(LISTED, name="alone", home=home, source="test", attribution="Somebody")
    assert (info.routable, info.timezone, info.attribution) == (False, "Europe/Helsinki", "Somebody")
    provider = OsmProvider.open(home.path("alone"))
    try:
        assert provider.capabilities.modes == frozenset()
        assert [place.name for place in nearby(provider, "restaurant")] == ["Moss House"]
        assert find(provider, "Moss House").attributes["description"] == "Plain."
        assert find(provider, "Fern Corner").location == LatLng(lat=SPOT.lat, lng=SPOT.lng + 0.001)
    finally:
        asyncio.run(provider.close())


def test_places_in_an_extract_have_its_streets_and_not_its_places(tmp_path: Path) -> None:
    home = MapHome(tmp_path)
    extract = Extract(demo_extract(), kept=lambda feature: "restaurant" not in feature.categories)
    build_place_map(LISTED, name="town", home=home, source="test", attribution="", extract=extract)
    provider = OsmProvider.open(home.path("town"))
    try:
        assert [place.name for place in nearby(provider, "restaurant")] == ["Moss House"]
        assert len(nearby(provider, "cafe")) > 10
        ways = asyncio.run(
            provider.directions(SPOT, LatLng(lat=60.1750, lng=24.9450), mode=TravelMode.WALKING)
        )
        assert ways
    finally:
        asyncio.run(provider.close())


def test_a_map_is_kept_under_the_hash_of_its_places(tmp_path: Path) -> None:
    home = MapHome(tmp_path)
    same = {"prefix": "kept", "home": home, "source": "test", "attribution": ""}
    first = kept_place_map(LISTED, **same)
    built = first.resolve()
    assert kept_place_map(list(LISTED), **same).resolve() == built
    other = kept_place_map(LISTED[:1], **same)
    assert other.name != first.name
    assert set(home.list()) == {first.name, other.name}
