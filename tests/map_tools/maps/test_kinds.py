"""Kinds that mappers tag in several ways, and tags as kinds: counted in the extracts by pyosmium itself."""

from collections.abc import Callable, Iterable
from pathlib import Path

import osmium
import pytest

from map_tools.kinds.wanted import read_wanted
from map_tools.maps.making.extract import kept_as
from map_tools.maps.store import MapStore
from map_tools.providers.recorded import RecordedProvider
from map_tools.providers.world import build_world
from map_tools.providers.world_file import WorldFile
from map_tools.types import ADDRESS, LatLng
from tests.map_tools.providers.contract import run
from tests.support.maps import extract, extract_map
from tests.support.village import Objects, village, village_provider

type Tags = dict[str, str]


def values(tags: Tags, key: str) -> set[str]:
    return {value.strip() for value in tags.get(key, "").split(";")}


def is_ice_cream(tags: Tags) -> bool:
    sold = "ice_cream" in values(tags, "cuisine") and {"cafe", "fast_food"} & values(tags, "amenity")
    return bool(sold) or "ice_cream" in values(tags, "amenity") | values(tags, "shop")


def is_atm(tags: Tags) -> bool:
    return "atm" in values(tags, "amenity") or tags.get("atm") == "yes"


def is_bakery(tags: Tags) -> bool:
    eaten = "bakery" in values(tags, "cuisine") and {"cafe", "fast_food"} & values(tags, "amenity")
    return bool(eaten) or "bakery" in values(tags, "shop") | values(tags, "craft")


def is_bike_rental(tags: Tags) -> bool:
    shop = {"bicycle", "sports"} & values(tags, "shop") and tags.get("service:bicycle:rental") == "yes"
    return bool(shop) or "bicycle_rental" in values(tags, "amenity")


def is_place(tags: Tags) -> bool:
    return kept_as(tags) not in {(), (ADDRESS,)}


KINDS: dict[str, Callable[[Tags], bool]] = {
    "ice_cream": is_ice_cream,
    "atm": is_atm,
    "bakery": is_bakery,
    "bicycle_rental": is_bike_rental,
    "playground": lambda tags: "playground" in values(tags, "leisure") | values(tags, "amenity"),
    "taxi": lambda tags: "taxi" in values(tags, "amenity"),
    "pharmacy": lambda tags: "pharmacy" in values(tags, "amenity") | values(tags, "healthcare"),
    "amenity=bench": lambda tags: "bench" in values(tags, "amenity"),
    "cuisine=pizza": lambda tags: "pizza" in values(tags, "cuisine") and "amenity" in tags,
    "shop=hairdresser": lambda tags: "hairdresser" in values(tags, "shop"),
    "sport=tennis": lambda tags: "tennis" in values(tags, "sport") and tags.get("leisure") == "pitch",
    "takeaway=yes": lambda tags: "yes" in values(tags, "takeaway") and is_place(tags),
    "internet_access=wlan": lambda tags: "wlan" in values(tags, "internet_access") and is_place(tags),
}


def nodes(name: str, is_one: Callable[[Tags], bool]) -> set[str]:
    found = osmium.FileProcessor(str(extract(name)), osmium.osm.NODE).with_filter(
        osmium.filter.EmptyTagFilter()
    )
    return {f"osm:n{node.id}" for node in found if is_one(dict(node.tags))}


@pytest.mark.parametrize(
    "name", ["helsinki-centre-2019-04-21", "porto-2020-07-20", "munich-centre-2020-07-20"]
)
def test_kinds_of_real_maps_are_found_however_they_are_tagged(name: str) -> None:
    store = MapStore.open(extract_map(name))
    for kind, is_one in KINDS.items():
        expected = nodes(name, is_one)
        rows = store.everywhere((kind,))
        places = store.places(rows)
        found = {place.id for place in places} | {other for place in places for other in place.merged_from}
        assert {one for one in found if one.startswith("osm:n")} >= expected, kind
        strangers = {place.id for place in places if place.id.startswith("osm:n") and not place.merged_from}
        assert strangers <= expected, kind
    assert sum(len(nodes(name, is_one)) for is_one in KINDS.values()) > 100
    assert not any("=" in kind for kind in store.kinds)
    store.close()


@pytest.mark.parametrize(
    ("tags", "kind"),
    [
        ({"amenity": "coffee_shop"}, "cafe"),
        ({"amenity": "fast_food", "cuisine": "coffee_shop"}, "cafe"),
        ({"shop": "bakery", "cafe": "yes"}, "cafe"),
        ({"amenity": "cafe", "cuisine": "ice_cream;cake"}, "ice_cream"),
        ({"shop": "chemist", "dispensing": "yes"}, "pharmacy"),
        ({"amenity": "post_office", "atm": "yes"}, "atm"),
        ({"amenity": "bank", "atm": "yes"}, "bank"),
        ({"railway": "station", "toilets": "yes"}, "toilets"),
        ({"man_made": "water_tap", "drinking_water": "yes"}, "drinking_water"),
        ({"shop": "bicycle", "service:bicycle:rental": "yes"}, "bicycle_rental"),
        ({"amenity": "town_hall"}, "townhall"),
        ({"shop": "jewellery"}, "jewelry"),
        ({"craft": "jeweller"}, "jewelry"),
        ({"shop": "optics"}, "optician"),
        ({"leisure": "sports_hall"}, "sports_centre"),
        ({"aerialway": "drag_lift"}, "chair_lift"),
        ({"emergency": "life_ring"}, "lifebuoy"),
        ({"amenity": "vending_machine", "vending": "public_transport_tickets"}, "ticket_machine"),
    ],
)
def test_ways_to_tag_a_kind(tags: Tags, kind: str, tmp_path: Path) -> None:
    objects = Objects()
    place = objects.node((0, 0), name="One", **{key.replace(":", "__"): value for key, value in tags.items()})
    objects.node((10, 0), name="Other", shop="candles", atm="no", toilets="no")
    store = MapStore.open(village(objects.features, tmp_path / "map"))
    assert [found.id for found in store.places(store.everywhere((kind,)))] == [place]
    store.close()


def test_a_tag_is_a_kind_of_every_map(tmp_path: Path) -> None:
    objects = Objects()
    place = objects.node((0, 0), name="One", shop="candles", craft="soap_maker")
    objects.node((10, 0), name="Other", shop="soap", craft="no")
    provider = village_provider(objects, tmp_path)
    world = {"format": "mapagent-world", "version": 1}
    world |= {"places": [{"name": "One", "location": [47, 8], "attributes": {"shop": "candles"}}]}
    recorded = RecordedProvider(build_world([WorldFile.model_validate(world)]))
    wanted = read_wanted("shop=candles")
    assert (wanted.categories, wanted.keyword) == (("shop=candles",), None)
    for source in (provider, recorded):
        found = run(source.everywhere(categories=wanted.categories))
        assert [each.name for each in found] == ["One"]
        assert run(source.everywhere(categories=("shop=books",))) == ()
    assert [each.id for each in run(provider.everywhere(categories=("craft=soap_maker",)))] == [place]
    assert run(provider.everywhere(categories=("craft=no",))) == ()
    run(provider.close())


def test_a_tag_of_which_no_list_is_kept_is_found_by_every_search(tmp_path: Path) -> None:
    objects = Objects()
    park = objects.house((0, 0), 200, leisure="park", name="Park", dog="leashed")
    inside = objects.node((20, 0), name="Corner", amenity="cafe", dog="no; leashed")
    outside = objects.node((400, 0), name="Mill", amenity="pub", dog="leashed")
    objects.node((10, 0), name="Silent", amenity="cafe", note='"dog":"leashed"')
    objects.node((12, 0), dog="leashed", addr__street="Lane", addr__housenumber="1")
    store = MapStore.open(village(objects.features, tmp_path / "map"))
    tag, at = ("dog=leashed",), LatLng(lat=47.0, lng=8.0)

    def ids(rows: Iterable[int]) -> list[str]:
        return [place.id for place in store.places(list(rows))]

    row, shape = store.row_of(park), store.shape(store.row_of(park) or 0)
    assert row is not None
    assert shape is not None
    assert ids(store.everywhere(tag)) == [park, inside, outside]
    assert ids(store.everywhere(tag, "mill")) == [outside]
    assert ids(store.inside(row, tag)) == [inside]
    assert ids(one for one, _ in store.nearby(at, 1_000, tag)) == [park, inside, outside]
    assert ids(one for one, _ in store.nearby(at, 1_000, tag, limit=2)) == [park, inside]
    assert ids(one for one, _ in store.nearby_shape(shape, at, 350, categories=tag)) == [
        park,
        inside,
        outside,
    ]
    assert store.everywhere(("dog=unleashed",)) == []
    store.close()


def test_a_church_called_cathedral_is_one(tmp_path: Path) -> None:
    objects = Objects()
    church = {"amenity": "place_of_worship", "religion": "christian"}
    called = [
        objects.node((0, 0), name="Christ Church Cathedral", **church),
        objects.node((300, 0), name="Sé", name__en="Aston Cathedral", **church),
        objects.node((600, 0), name="Dom", building="cathedral", **church),
    ]
    objects.node((900, 0), name="Basilica of Aston", **church)
    objects.house((1200, 0), 100, name="Cathedral Square", leisure="park")
    store = MapStore.open(village(objects.features, tmp_path / "map"))
    found = store.places(store.everywhere(("cathedral",)))
    assert [place.id for place in found] == called
    assert {place.categories[:2] for place in found} == {("cathedral", "church")}
    store.close()


def test_a_tag_is_looked_for_beside_a_type() -> None:
    assert read_wanted("amenity=bench", "cafe").categories == ("cafe", "amenity=bench")
