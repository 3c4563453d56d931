"""Distances from a park are from its outline and from a street along all of it, whatever the map is kept in.

Expected on the real extract: benches and the park as pyosmium reads them, distances in a plane of pyproj's.
"""

import asyncio
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import osmium
import pyproj
import pytest
import shapely

from map_tools.compute.shapes import area_m2, length_m
from map_tools.errors import PlaceNotFoundError, UnsupportedError
from map_tools.providers.base import Bounded, HasShapes
from map_tools.providers.osm import OsmProvider
from map_tools.providers.recorded import RecordedProvider
from map_tools.providers.world import build_world
from map_tools.providers.world_file import WorldFile
from map_tools.types import LatLng, NearbyPlace, Place
from tests.support.maps import extract, extract_map
from tests.support.village import Objects, lat_lng, village_provider

HELSINKI = "helsinki-centre-2019-04-21"
PARK = 6627217
"""Kaisaniemen puisto, a relation; 28 of the benches of the extract lie in it."""


def run[T](work: Awaitable[T]) -> T:
    async def awaited() -> T:
        return await work

    return asyncio.run(awaited())


def names(found: tuple[NearbyPlace, ...]) -> dict[str, float]:
    return {item.place.name: round(item.distance_m or 0.0) for item in found}


def benches() -> dict[str, shapely.Point]:
    """The benches of the extract by place id: nodes, and ways by their middle are left out."""
    nodes = osmium.FileProcessor(str(extract(HELSINKI)), osmium.osm.NODE)
    wanted = osmium.filter.TagFilter(("amenity", "bench"))
    return {f"osm:n{node.id}": shapely.Point(node.lon, node.lat) for node in nodes.with_filter(wanted)}


def outline() -> shapely.Geometry:
    factory = osmium.geom.WKBFactory()
    wanted = osmium.filter.TagFilter(("leisure", "park"))
    areas = osmium.FileProcessor(str(extract(HELSINKI))).with_areas().with_filter(wanted)
    return next(
        shapely.from_wkb(factory.create_multipolygon(item))
        for item in areas
        if item.is_area() and not item.from_way() and item.orig_id() == PARK
    )


@pytest.mark.parametrize("radius_m", [1.0, 60.0, 400.0])
def test_benches_around_a_real_park(radius_m: float) -> None:
    park = outline()
    plane = pyproj.CRS.from_proj4(
        f"+proj=aeqd +lat_0={park.centroid.y} +lon_0={park.centroid.x} +ellps=WGS84"
    )
    project = pyproj.Transformer.from_crs("EPSG:4326", plane, always_xy=True).transform
    flat = shapely.transform(park, project, interleaved=False)
    away_m = {
        bench: shapely.transform(point, project, interleaved=False).distance(flat)
        for bench, point in benches().items()
    }
    expected = {bench: away for bench, away in away_m.items() if away <= radius_m}
    provider = OsmProvider.open(extract_map(HELSINKI))
    center = run(provider.place_details(f"osm:r{PARK}"))
    found = run(provider.nearby(center, radius_m=radius_m, categories=("bench",), limit=None))
    nodes = {item.place.id: item.distance_m for item in found if item.place.id.startswith("osm:n")}
    assert len(expected) >= 28
    assert nodes == pytest.approx(expected, abs=0.1)
    assert [item.distance_m for item in found] == sorted(item.distance_m or 0.0 for item in found)
    ten = run(provider.nearby(center, radius_m=radius_m, categories=("bench",), limit=10))
    assert [item.distance_m for item in ten] == [item.distance_m for item in found[:10]]
    shape = run(provider.shape(center.id))
    assert shape is not None
    assert shape.kind == "area"
    expected_m2, _ = pyproj.Geod(ellps="WGS84").geometry_area_perimeter(shapely.orient_polygons(park))
    assert area_m2(shape) == pytest.approx(abs(expected_m2), rel=1e-4)
    run(provider.close())


def test_every_pharmacy_of_a_real_map() -> None:
    wanted = osmium.filter.TagFilter(("amenity", "pharmacy"))
    expected = {
        f"osm:n{node.id}"
        for node in osmium.FileProcessor(str(extract(HELSINKI)), osmium.osm.NODE).with_filter(wanted)
    }
    provider = OsmProvider.open(extract_map(HELSINKI))
    found = {place.id for place in run(provider.everywhere(categories=("pharmacy",)))}
    assert expected
    assert {place for place in found if place.startswith("osm:n")} == expected
    box = provider.extent
    assert box.south < 60.17 < box.north
    assert box.west < 24.94 < box.east
    run(provider.close())


@pytest.fixture
def town(tmp_path: Path) -> Any:
    objects = Objects()
    ids = {
        "park": objects.area(
            [(-300, -200), (300, -200), (300, 200), (-300, 200)], leisure="park", name="Green Park"
        ),
        "hotel": objects.house((600, 0), 100, building="yes", tourism="hotel", name="Grand Hotel"),
        "west": objects.line([(-1000, 500), (0, 500)], highway="residential", name="Long Street"),
        "east": objects.line([(0, 500), (1000, 500)], highway="residential", name="Long Street"),
        "inner": objects.node((-250, 150), amenity="cafe", name="Inner Cafe"),
        "outer": objects.node((340, 0), amenity="cafe", name="Outer Cafe"),
        "corner": objects.node((990, 520), amenity="cafe", name="Corner Cafe"),
    }
    provider = village_provider(objects, tmp_path)
    yield provider, ids
    run(provider.close())


def around(provider: Any, place_id: str, radius_m: float, **more: Any) -> dict[str, float]:
    center = run(provider.place_details(place_id))
    kind = {"categories": ("cafe",), **more}
    return names(run(provider.nearby(center, radius_m=radius_m, **kind)))


def test_what_lies_in_a_park_is_near_it(town: Any) -> None:
    provider, ids = town
    assert around(provider, ids["park"], 100) == {"Inner Cafe": 0, "Outer Cafe": 40}
    assert around(provider, ids["park"], 39) == {"Inner Cafe": 0}
    assert around(provider, ids["park"], 100, keyword="outer") == {"Outer Cafe": 40}
    assert around(provider, ids["park"], 100, categories=(), keyword="cafe") == {
        "Inner Cafe": 0,
        "Outer Cafe": 40,
    }


def test_a_street_is_near_along_its_whole_length(town: Any) -> None:
    provider, ids = town
    expected = {"Corner Cafe": 20, "Inner Cafe": 350}
    assert around(provider, ids["west"], 400) == around(provider, ids["east"], 400) == expected
    assert around(provider, ids["west"], 400, limit=1) == {"Corner Cafe": 20}
    shape = run(provider.shape(ids["west"]))
    assert length_m(shape) == pytest.approx(2_000, rel=1e-3)


def test_a_building_keeps_its_point(town: Any) -> None:
    provider, ids = town
    assert around(provider, ids["hotel"], 300) == {"Outer Cafe": 260}
    shape = run(provider.shape(ids["hotel"]))
    assert area_m2(shape) == pytest.approx(10_000, rel=1e-3)


def test_a_point_has_no_shape(town: Any) -> None:
    provider, ids = town
    assert isinstance(provider, HasShapes)
    assert isinstance(provider, Bounded)
    assert run(provider.shape(ids["inner"])) is None
    with pytest.raises(PlaceNotFoundError):
        run(provider.shape("osm:n999"))


def test_a_bare_position_has_no_shape(town: Any) -> None:
    provider, ids = town
    center = run(provider.place_details(ids["park"]))
    found = run(provider.nearby(center.location, radius_m=300, categories=("cafe",)))
    assert names(found) == {"Inner Cafe": 292}


def world(**park: Any) -> RecordedProvider:
    lat, lng = lat_lng((340, 0))
    places = [
        {"name": "Green Park", "location": list(lat_lng((0, 0))), "categories": ["park"], **park},
        {"name": "Outer Cafe", "location": [lat, lng], "categories": ["cafe"]},
        {"name": "Inner Cafe", "location": list(lat_lng((-250, 150))), "categories": ["cafe"]},
    ]
    file = {"format": "mapagent-world", "version": 1, "places": places}
    return RecordedProvider(build_world([WorldFile.model_validate(file)]))


def park_shape() -> shapely.Polygon:
    corners = [(-300, -200), (300, -200), (300, 200), (-300, 200)]
    return shapely.Polygon([lat_lng(corner)[::-1] for corner in corners])


@pytest.mark.parametrize("form", ["wkt", "geojson", "feature", "text"])
def test_a_recorded_shape_in_every_form(form: str) -> None:
    polygon = park_shape()
    geojson = {"type": "Polygon", "coordinates": [list(map(list, polygon.exterior.coords))]}
    forms: dict[str, Any] = {
        "wkt": polygon.wkt,
        "geojson": geojson,
        "feature": {"type": "Feature", "properties": {}, "geometry": geojson},
        "text": shapely.to_geojson(polygon),
    }
    provider = world(shape=forms[form])
    assert around(provider, "green-park", 100) == {"Inner Cafe": 0, "Outer Cafe": 40}
    assert [place.name for place in run(provider.inside("green-park"))] == ["Inner Cafe"]
    assert provider.capabilities.areas
    assert run(provider.find_place("Green Park"))[0].outlined
    shape = run(provider.shape("green-park"))
    assert shape is not None
    assert area_m2(shape) == pytest.approx(240_000, rel=1e-3)


def test_a_recorded_place_without_a_shape() -> None:
    provider = world()
    assert around(provider, "green-park", 300) == {"Inner Cafe": 292}
    assert run(provider.shape("green-park")) is None
    with pytest.raises(UnsupportedError):
        run(provider.inside("green-park"))
    with pytest.raises(PlaceNotFoundError):
        run(provider.shape("nowhere"))


@pytest.mark.parametrize("wrong", ["POINT(8 47)", "a park", {"type": "Point", "coordinates": [8, 47]}, 5])
def test_what_is_no_shape_is_refused(wrong: Any) -> None:
    with pytest.raises(ValueError, match="shape"):
        world(shape=wrong)


def test_everywhere_in_a_recorded_world() -> None:
    provider = world()
    assert [place.name for place in run(provider.everywhere(categories=("cafe",)))] == [
        "Outer Cafe",
        "Inner Cafe",
    ]
    assert [place.name for place in run(provider.everywhere(keyword="green"))] == ["Green Park"]
    box = provider.extent
    assert box is not None
    lats, lngs = zip(*(lat_lng(at) for at in ((0, 0), (340, 0), (-250, 150))), strict=True)
    assert (box.south, box.west, box.north, box.east) == (min(lats), min(lngs), max(lats), max(lngs))
    nothing = RecordedProvider(
        build_world(
            [
                WorldFile.model_validate(
                    {"format": "mapagent-world", "version": 1, "places": [{"name": "Somewhere"}]}
                )
            ]
        )
    )
    assert nothing.extent is None


def test_a_place_that_is_no_feature_of_the_map(town: Any) -> None:
    """As the centre a place of another source still has its position."""
    provider, _ = town
    lat, lng = lat_lng((340, 30))
    here = Place(id="here", name="your position", location=LatLng(lat=lat, lng=lng), categories=("park",))
    assert names(run(provider.nearby(here, radius_m=50, categories=("cafe",)))) == {"Outer Cafe": 30}
