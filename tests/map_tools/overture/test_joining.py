"""Places of Overture in a map: which are one with OpenStreetMap's, which are new, and that questions see them."""

import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from map_tools.kinds.category_file import read_data, vocabulary
from map_tools.kinds.tag_categories import categories_of
from map_tools.maps.home import MapHome
from map_tools.maps.info import MapInfo, read_info
from map_tools.maps.making.ingest import add_map
from map_tools.maps.search.names import canonical
from map_tools.maps.store import MapStore
from map_tools.overture.joining import OvertureChoice, kind_of
from map_tools.overture.source import OvertureFile
from map_tools.spatial_db.load import from_map
from map_tools.testing.emulate.osm import places
from map_tools.testing.emulate.osm.world import OsmWorld
from map_tools.types import LatLng, Place
from tests.support.data import demo_extract
from tests.support.maps import demo_map
from tests.support.overture import ADDED, COUNTS, ELIEL, ENGEL, ROWS, UNITED, row, write_places

CREDIT = "© OpenStreetMap contributors, Overture Maps Foundation"


@lru_cache(maxsize=1)
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="mapagent-overture-map-")


@lru_cache(maxsize=1)
def joined() -> Path:
    """The demo map with the places of `overture_truth`."""
    home = MapHome(Path(_folder().name))
    file = write_places(home.root / "places.parquet", ROWS)
    info = add_map(demo_extract(), name="joined", home=home, overture=OvertureChoice(OvertureFile(file)))
    return home.path(info.name)


@pytest.fixture
def store() -> Iterator[MapStore]:
    with closing(MapStore.open(joined())) as opened:
        yield opened


def _place(store: MapStore, place_id: str) -> Place:
    found = store.row_of(place_id)
    assert found is not None, place_id
    return store.place(found)


def test_every_row_is_accounted_for(store: MapStore) -> None:
    told = store.info.overture
    assert told is not None
    assert told.counts == COUNTS
    assert sum(told.counts.values()) == len(ROWS)
    assert store.info.attribution == CREDIT


def test_a_map_without_overture_has_openstreetmaps_credit() -> None:
    info = read_info(demo_map())
    assert (info.attribution, info.overture) == ("© OpenStreetMap contributors", None)


@pytest.mark.parametrize("united", UNITED, ids=lambda each: each["id"])
def test_what_both_have_is_one_place_of_openstreetmap(store: MapStore, united: dict[str, object]) -> None:
    place = _place(store, f"overture:{united['id']}")
    assert place.id.startswith("osm:")
    assert f"overture:{united['id']}" in place.merged_from


def test_it_gains_what_it_lacks_and_keeps_what_it_has(store: MapStore) -> None:
    place = _place(store, "overture:same-engel")
    assert place.id == "osm:n307465178"
    assert place.name == "Cafe Engel"
    assert place.phone == "+3589652776"
    assert (place.website, place.email) == ("https://www.cafeengel.fi/", "info@cafeengel.fi")
    assert place.attributes["overture:facts"] == "website;email"
    assert place.attributes["overture:sources"] == "meta"


def test_an_address_is_gained_whole_or_completed_in_its_street(store: MapStore) -> None:
    fabian, edge = _place(store, "overture:same-fabian"), _place(store, "overture:same-edge")
    assert fabian.address == "Fabianinkatu 7, 00130 Helsinki"
    assert edge.address == "Liisankatu 29, 00170 Helsinki"
    assert edge.attributes["overture:facts"] == "addr:housenumber"
    assert [store.place(found).id for found, _ in store.find("Fabianinkatu 7", limit=1)] == [fabian.id]


def test_a_building_becomes_what_is_in_it(store: MapStore) -> None:
    place = _place(store, "overture:same-hall")
    assert place.categories[0] == "events_venue"
    assert "building" in place.categories


@pytest.mark.parametrize("added", ADDED, ids=lambda each: each["id"])
def test_what_openstreetmap_lacks_is_a_place_of_its_own(store: MapStore, added: dict[str, object]) -> None:
    place = _place(store, f"overture:{added['id']}")
    assert place.id == f"overture:{added['id']}"
    assert not place.merged_from
    assert store.place(store.find(place.name, near=place.location)[0][0]).name == place.name


@pytest.mark.parametrize(
    ("key", "categories", "attributes"),
    [
        ("new-cafe", ("cafe", "food"), {"amenity": "cafe"}),
        ("new-by-words", ("stationery", "shop"), {"shop": "stationery"}),
        ("new-thai", ("restaurant", "food"), {"amenity": "restaurant", "cuisine": "thai"}),
        ("new-alternate", ("dentist", "healthcare"), {"amenity": "dentist"}),
    ],
)
def test_it_is_of_our_kinds(
    store: MapStore, key: str, categories: tuple[str, ...], attributes: dict[str, str]
) -> None:
    place = _place(store, f"overture:{key}")
    assert place.categories == categories
    assert attributes.items() <= place.attributes.items()


def test_the_pharmacy_gains_nothing_from_a_bookshop_of_its_name(store: MapStore) -> None:
    found = _place(store, "osm:n1369465553")
    assert "pharmacy" in found.categories
    assert found.merged_from == ()
    assert "books" in _place(store, "overture:other-kind").categories


def test_what_is_left_out_is_not_there(store: MapStore) -> None:
    for key in ("unsure", "shut", "kindless", "nowhere", "away"):
        assert store.row_of(f"overture:{key}") is None
    assert store.row_of("overture:a,b\n") is None
    assert not store.has_name("Haamukahvila")


def test_what_openstreetmap_has_is_all_still_there(store: MapStore) -> None:
    with closing(MapStore.open(demo_map())) as before:
        ids = {place.id for place in before.places(before.rows())}
        now = {place.id for place in store.places(store.rows())}
    assert ids <= now
    assert now - ids == {f"overture:{added['id']}" for added in ADDED}


def test_what_openstreetmap_says_itself_is_all_united(tmp_path: Path) -> None:
    """Each named place of the map with a kind that Overture has too, told again where it is."""
    names = {category: name for name, category in read_data("overture_kinds.toml")["kinds"].items()}
    told: dict[str, str] = {}
    rows = []
    with closing(MapStore.open(demo_map())) as before:
        for place in before.places(before.rows()):
            kind = next((names[category] for category in place.categories if category in names), None)
            if place.name and kind is not None and before.info.bbox.south < place.location.lat:
                told[f"k{len(rows)}"] = place.name
                rows.append(row(f"k{len(rows)}", place.name, (place.location.lat, place.location.lng), kind))
    info = _add(tmp_path, rows)
    assert len(rows) > 1_000
    assert info.overture is not None
    assert info.overture.counts["united"] + info.overture.counts["outside"] == len(rows)
    assert info.overture.counts["outside"] < 10
    with closing(MapStore.open(tmp_path / "maps" / "town")) as store:
        found = {key: store.row_of(f"overture:{key}") for key in told}
        united = {key: store.place(number).name for key, number in found.items() if number is not None}
    assert all(canonical(name) == canonical(told[key]) for key, name in united.items())


def test_the_tables_of_the_sql_database_have_them_too(store: MapStore) -> None:
    rows = [found for table in from_map(store) for found in table.rows() if "Testikahvila Orvokki" in found]
    assert len(rows) == 1
    assert "cafe" in rows[0]


def test_an_emulated_service_of_openstreetmap_has_none_of_them() -> None:
    async def asked() -> tuple[set[str], list[dict[str, Any]], list[dict[str, Any]]]:
        world = OsmWorld.open(joined())
        try:
            names = {
                thing.tags.get("name", "") for thing in world.around(LatLng(lat=60.1702, lng=24.9437), 200)
            }
            new = await places.search(world, {"q": "Testikahvila Orvokki"})
            return names, new, await places.search(world, {"q": "Cafe Engel"})
        finally:
            await world.close()

    names, new, old = asyncio.run(asked())
    assert "Ateneum" in names
    assert "Testikahvila Orvokki" not in names
    assert (new, [hit["osm_id"] for hit in old][:1]) == ([], [307465178])


def _add(folder: Path, rows: list[dict[str, object]], confidence: float = 0.5) -> MapInfo:
    home = MapHome(folder / "maps")
    file = write_places(folder / "places.parquet", rows)
    return add_map(
        demo_extract(), name="town", home=home, overture=OvertureChoice(OvertureFile(file), confidence)
    )


def test_the_same_place_twice_in_overture_is_one(tmp_path: Path) -> None:
    twice = [
        row("one", "Testikahvila Orvokki", (60.1702, 24.9437), "coffee_shop"),
        row("two", "Orvokki Testikahvila", (60.1703, 24.9438), "cafe", phone="+358 40 1"),
    ]
    info = _add(tmp_path, twice)
    assert info.overture is not None
    assert (info.overture.counts["added"], info.overture.counts["united"]) == (1, 1)
    with closing(MapStore.open(tmp_path / "maps" / "town")) as store:
        place = _place(store, "overture:two")
    assert (place.id, place.phone, place.merged_from) == ("overture:one", "+358 40 1", ("overture:two",))


def test_hostile_strings_are_data(tmp_path: Path) -> None:
    name = "Bar \x1b[31m\n'; DROP TABLE features; --\u202e<script>"
    hostile = [
        row("hostile", name, (60.1702, 24.9437), "bar", website="javascript:alert(1)", email="no\x00thing"),
        row("endless", "x" * 100_000, (60.1702, 24.9437), "bar"),
        row("tags", "Rauha", (60.1703, 24.9437), "bar", phone="1;2\t3", address=("\n,,;5", "a\x07b", "%%")),
    ]
    info = _add(tmp_path, hostile)
    assert info.overture is not None
    assert (info.overture.counts["added"], info.overture.counts["unreadable"]) == (2, 1)
    with closing(MapStore.open(tmp_path / "maps" / "town")) as store:
        place = _place(store, "overture:hostile")
        assert place.name == "Bar [31m '; DROP TABLE features; -- <script>"
        assert (place.website, place.email) == (None, None)
        assert _place(store, "overture:tags").phone == "1;2 3"


def test_the_confidence_is_a_choice(tmp_path: Path) -> None:
    rows = [row(f"c{sure}", f"Kahvila {sure}", ENGEL, "cafe", confidence=sure / 10) for sure in range(11)]
    info = _add(tmp_path, rows, confidence=0.8)
    assert info.overture is not None
    assert info.overture.counts["unsure"] == 8
    assert info.overture.confidence == 0.8


def test_nothing_held_needs_no_credit(tmp_path: Path) -> None:
    info = _add(tmp_path, [row("far", "Kaukana", (0.0, 0.0), "cafe")])
    assert info.attribution == "© OpenStreetMap contributors"
    assert info.overture is not None
    assert info.overture.counts["outside"] == 1


def test_ids_of_overture_are_the_same_in_every_map(tmp_path: Path) -> None:
    _add(tmp_path, [row("new-cafe", "Testikahvila Orvokki", ELIEL, "coffee_shop")])
    with (
        closing(MapStore.open(tmp_path / "maps" / "town")) as other,
        closing(MapStore.open(joined())) as store,
    ):
        assert _place(other, "overture:new-cafe").name == _place(store, "overture:new-cafe").name


TABLE: dict[str, str] = read_data("overture_kinds.toml")["kinds"]


@pytest.mark.parametrize("name", TABLE)
def test_each_is_a_category_that_its_tags_say_too(name: str) -> None:
    kind = kind_of([name])
    assert kind.categories[0] == TABLE[name]
    assert TABLE[name] in vocabulary().concepts
    if kind.tags:
        assert TABLE[name] in categories_of(kind.tags)


@pytest.mark.parametrize(
    ("name", "category", "tags"),
    [
        ("shoe_store", "shoes", {"shop": "shoes"}),
        ("thai_restaurant", "restaurant", {"amenity": "restaurant", "cuisine": "thai"}),
        ("bakery", "bakery", {"shop": "bakery"}),
        ("mosque", "mosque", {"amenity": "place_of_worship", "religion": "muslim"}),
    ],
)
def test_by_table_or_words(name: str, category: str, tags: dict[str, str]) -> None:
    kind = kind_of([name])
    assert kind.categories[0] == category
    assert tags.items() <= dict(kind.tags).items()


def test_the_first_that_is_known_counts() -> None:
    assert kind_of(["b2b_something", "hotel", "cafe"]).categories == ("hotel", "lodging")


@pytest.mark.parametrize("names", [[], [""], ["professional_services"], ["'; DROP TABLE"], ["_"]])
def test_unknown_ones_are_none(names: list[str]) -> None:
    assert kind_of(names).categories == ()
