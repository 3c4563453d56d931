"""One thing once: what is mapped twice is one place, and what only bears one name stays apart.

On the real extracts pyosmium reads the objects on its own, and the distance of two is pyproj's.
"""

import asyncio
import re
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import osmium
import pyproj
import pytest
import shapely

from map_tools.maps.store import MapStore
from map_tools.types import Place
from tests.support.maps import extract, extract_map
from tests.support.village import Objects, village, village_provider

GEOD = pyproj.Geod(ellps="WGS84")


@pytest.fixture
def objects() -> Objects:
    return Objects()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "map"


def places(objects: Objects, folder: Path) -> dict[str, set[str]]:
    """The ids of the places of the map, each with those of the entries it is made of besides."""
    store = MapStore.open(village(objects.features, folder))
    found = {place.id: set(place.merged_from) for place in store.places(store.everywhere())}
    store.close()
    return found


def test_a_point_and_its_building(objects: Objects, folder: Path) -> None:
    node = objects.node(
        (3, 0),
        tourism="hotel",
        name="Hotel Adler",
        phone="+41 44 123 45 67",
        addr__street="Gasse",
        addr__housenumber="3",
    )
    house = objects.house((0, 0), building="yes", name="Hotel Adler", wheelchair="yes")
    assert places(objects, folder) == {node: {house}}
    store = MapStore.open(folder)
    row = store.row_of(house)
    assert row is not None
    assert row == store.row_of(node)
    place = store.place(row)
    assert place.phone == "+41 44 123 45 67"
    assert place.services == {"wheelchair": True}
    assert place.categories == ("hotel", "lodging", "building")
    shape = store.shape(row)
    assert shape is not None
    assert shapely.from_wkt(shape.wkt).equals(shapely.from_wkb(objects.features[1].wkb))
    assert store.has_outline(row)
    assert [store.place(found).id for found, _ in store.find("Hotel Adler")] == [node]
    assert [store.place(found).id for found, _ in store.find("Gasse 3")] == [node]
    assert [row for row, _ in store.nearby(store.location(row), 100)] == [row]
    assert [row for row, _ in store.nearby(store.location(row), 100, keyword="adler")] == [row]
    assert store.rows() == [row]
    store.close()


def test_the_place_that_says_more_stays(objects: Objects, folder: Path) -> None:
    bare = objects.node((0, 0), amenity="library", name="Book House")
    house = objects.house(
        (0, 0), amenity="library", building="yes", name="Book House", opening_hours="Mo-Fr 09:00-17:00"
    )
    assert places(objects, folder) == {house: {bare}}


def test_a_town_and_its_label_in_the_smallest_area(objects: Objects, folder: Path) -> None:
    admin = {"boundary": "administrative", "name": "Bergdorf"}
    county = objects.house((0, 0), 8_000, kind="r", admin_level="6", **admin)
    town = objects.house((0, 0), 2_000, kind="r", admin_level="8", **admin)
    label = objects.node((100, 100), place="town", name="Bergdorf", population="1200")
    state = objects.node((50, 50), place="state", name="Bergdorf")
    assert places(objects, folder) == {county: {state}, town: {label}}
    store = MapStore.open(folder)
    row = store.row_of(label)
    assert row is not None
    place = store.place(row)
    assert place.categories == ("town", "admin")
    assert place.attributes["population"] == "1200"
    store.close()


def test_settlements_of_two_ranks_stay_apart(objects: Objects, folder: Path) -> None:
    city = objects.node((0, 0), place="city", name="Berg")
    village = objects.node((20, 0), place="village", name="Berg")
    quarter = objects.node((40, 0), place="suburb", name="Berg", population="5")
    same = objects.node((60, 0), place="neighbourhood", name="Berg")
    assert places(objects, folder) == {city: set(), village: set(), quarter: {same}}


def test_one_border_drawn_twice(objects: Objects, folder: Path) -> None:
    admin = {"boundary": "administrative", "name": "Bergdorf", "admin_level": "8"}
    relation = objects.house((0, 0), 2_000, kind="r", wikidata="Q1", **admin)
    way = objects.house((5, 0), 2_000, **admin)
    ward = objects.house((0, 0), 900, kind="r", **{**admin, "admin_level": "9"})
    assert places(objects, folder) == {relation: {way}, ward: set()}


def test_platforms_belong_to_the_stop_of_their_means(objects: Objects, folder: Path) -> None:
    name = "Market"
    tram = objects.node((0, 0), railway="tram_stop", public_transport="stop_position", tram="yes", name=name)
    bus = objects.node((40, 0), highway="bus_stop", name=name)
    tram_platform = objects.node((30, 5), public_transport="platform", tram="yes", name=name)
    bus_platform = objects.node((20, 5), public_transport="platform", bus="yes", name=name)
    unsaid = objects.node((38, 5), public_transport="stop_position", name=name)
    station = objects.node((60, 0), railway="station", name=name)
    train = objects.house((60, 20), 10, public_transport="platform", train="yes", name=name)
    far = objects.node((400, 0), public_transport="stop_position", bus="yes", name=name)
    assert places(objects, folder) == {
        tram: {tram_platform},
        bus: {bus_platform, unsaid},
        station: {train},
        far: set(),
    }


def test_two_outlines_of_one_airport_are_one_area(objects: Objects, folder: Path) -> None:
    airport = {"aeroway": "aerodrome", "name": "Field"}
    field = objects.area([(0, 0), (500, 0), (500, 300), (0, 300)], iata="XYZ", **airport)
    apron = objects.area([(540, 0), (800, 0), (800, 300), (540, 300)], **airport)
    assert places(objects, folder) == {field: {apron}}
    store = MapStore.open(folder)
    outline = store.outline(store.row_of(apron) or 0)
    assert outline is not None
    expected = shapely.union_all([shapely.from_wkb(feature.wkb) for feature in objects.features])
    assert shapely.from_wkb(outline).equals(expected)
    store.close()


def test_branches_stay_apart(objects: Objects, folder: Path) -> None:
    cafe = {"amenity": "cafe", "name": "Bean"}
    apart = [
        objects.node((0, 0), **cafe),
        objects.node((60, 0), **cafe),
        objects.node((1000, 0), addr__street="Gasse", addr__housenumber="3", **cafe),
        objects.node((1005, 0), addr__street="Gasse", addr__housenumber="5", **cafe),
        objects.house((2000, 0), addr__street="Weg", addr__housenumber="1", building="yes", **cafe),
        objects.node((2000, 0), addr__street="Weg", addr__housenumber="2", **cafe),
        objects.node((3000, 0), phone="+358 20 759 0317", level="3", **cafe),
        objects.node((3005, 0), phone="+358 20 759 0327", level="0", **cafe),
        objects.node((4000, 0), level="0", **cafe),
        objects.node((4005, 0), level="2", **cafe),
        objects.house((5000, 0), building="yes", name="Bean", operator="The University"),
        objects.node((5000, 0), operator="Bean Ltd", **cafe),
    ]
    assert places(objects, folder) == {place: set() for place in apart}


def test_at_one_address_or_on_one_spot(objects: Objects, folder: Path) -> None:
    cafe = {"amenity": "cafe", "name": "Bean"}
    address = {"addr__street": "Gasse", "addr__housenumber": "3"}
    first = objects.node((0, 0), website="https://example.org", **cafe, **address)
    second = objects.node((70, 0), **cafe, **address)
    spot = objects.node((1000, 0), website="https://example.org", phone="044 123 45 67", **cafe)
    same = objects.node((1010, 0), phone="+41 44 1234567", **cafe)
    assert places(objects, folder) == {first: {second}, spot: {same}}


def test_other_things_of_one_name(objects: Objects, folder: Path) -> None:
    name = "Lindenhof"
    apart = [
        objects.node((0, 0), place="neighbourhood", name=name),
        objects.node((0, 0), highway="bus_stop", name=name),
        objects.house((0, 0), 200, leisure="park", name=name),
        objects.node((0, 0), shop="bakery", name=name),
        objects.node((0, 0), shop="hairdresser", name=name),
        objects.node((3, 0), tourism="information", information="guidepost", name=name),
        objects.node((6, 0), tourism="information", information="guidepost", name=name),
        objects.node((9, 0), amenity="charging_station", name=name),
        objects.node((12, 0), amenity="charging_station", name=name),
        objects.house((100, 0), building="yes", name=name),
        objects.house((140, 0), building="yes", name=name),
        objects.line([(0, 0), (50, 0)], highway="residential", name=name),
    ]
    assert places(objects, folder) == {place: set() for place in apart}


def test_a_lone_point_and_building_some_way_apart(objects: Objects, folder: Path) -> None:
    node = objects.node((0, 0), tourism="hotel", name="The Burrard", stars="3")
    house = objects.house((130, 0), building="hotel", name="The Burrard")
    chain = objects.node((1000, 0), tourism="hotel", name="Inn")
    near = objects.house((1100, 0), building="hotel", name="Inn")
    other = objects.node((3000, 0), tourism="hotel", name="Inn")
    assert places(objects, folder) == {node: {house}, chain: set(), near: set(), other: set()}


def test_every_id_leads_to_the_place(objects: Objects, tmp_path: Path) -> None:
    node = objects.node((0, 0), amenity="library", name="Book House", website="https://example.org")
    house = objects.house((0, 0), building="yes", name="Book House")

    async def told() -> list[Place]:
        provider = village_provider(objects, tmp_path)
        found = [await provider.place_details(place_id) for place_id in (node, house)]
        await provider.close()
        return found

    first, second = asyncio.run(told())
    assert first == second
    assert (first.id, first.merged_from) == (node, (house,))


EXTRACTS = (
    "helsinki-centre-2019-04-21",
    "liechtenstein-2022-12-15",
    "porto-2020-07-20",
    "vancouver-2015-05-02",
)


@lru_cache(maxsize=1)
def tags_of(name: str) -> dict[str, tuple[dict[str, str], shapely.Geometry]]:
    """Tags and geometry of all named nodes and areas of an extract, by place id."""
    factory = osmium.geom.WKBFactory()
    named = osmium.filter.KeyFilter("name")
    found = {}
    for item in osmium.FileProcessor(str(extract(name))).with_areas().with_filter(named):
        if item.is_node():
            found[f"osm:n{item.id}"] = (dict(item.tags), shapely.Point(item.lon, item.lat))
        elif item.is_area():
            kind = "w" if item.from_way() else "r"
            with suppress(RuntimeError):  # a border that the extract cuts through
                shape = shapely.from_wkb(factory.create_multipolygon(item))
                found[f"osm:{kind}{item.orig_id()}"] = (dict(item.tags), shape)
    return found


def letters(name: str) -> str:
    """A name without accents, capitals, punctuation and article."""
    decomposed = unicodedata.normalize("NFKD", name.casefold().removeprefix("the "))
    return "".join(char for char in decomposed if char.isalnum())


def houses(number: str) -> set[str]:
    """The house numbers that a tag names: "2-18" holds 2 and 18, "77;79" both."""
    return set(re.split(r"[-;,/–]", number.casefold().replace(" ", "")))


def united(name: str) -> Iterator[Place]:
    store = MapStore.open(extract_map(name))
    yield from (place for place in store.places(store.everywhere()) if place.merged_from)
    store.close()


@pytest.mark.parametrize("name", EXTRACTS)
def test_what_is_united_on_a_real_map_bears_one_name_and_is_near(name: str) -> None:
    known = tags_of(name)
    checked = 0
    for place in united(name):
        ids = [place.id, *place.merged_from]
        objects = [known[one] for one in ids if one in known]
        if len(objects) < len(ids):
            continue  # named by its brand
        assert len({letters(tags["name"]) for tags, _ in objects}) == 1, ids
        numbers = [houses(tags["addr:housenumber"]) for tags, _ in objects if "addr:housenumber" in tags]
        assert all(one & other for one in numbers for other in numbers), ids
        for _, shape in objects:
            others = shapely.union_all([other for _, other in objects if other is not shape])
            line = shapely.shortest_line(shape, others)
            assert GEOD.geometry_length(line) <= 150.5, ids
        checked += 1
    assert checked > 10


@pytest.mark.parametrize("name", EXTRACTS)
def test_no_town_of_a_real_map_is_there_twice(name: str) -> None:
    """Of an area and the label in it, of one name, one is left."""
    known = tags_of(name)
    areas = [
        (tags["name"], shape)
        for tags, shape in known.values()
        if tags.get("boundary") == "administrative" and tags.get("admin_level", "0") in {"8", "9", "10"}
    ]
    store = MapStore.open(extract_map(name))
    labels = 0
    for place_id, (tags, point) in known.items():
        is_label = place_id.startswith("osm:n") and tags.get("place") in {"town", "village", "suburb"}
        if is_label and any(tags["name"] == named and area.contains(point) for named, area in areas):
            row = store.row_of(place_id)
            assert row is not None
            assert place_id in store.place(row).merged_from
            labels += 1
    store.close()
    assert labels or name in {"porto-2020-07-20", "vancouver-2015-05-02"}
