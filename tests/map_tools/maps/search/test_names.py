"""Finding places by name, address and area, and misspelt names among many."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.map_engine.tasks import misspelt
from map_tools.maps.home import MapHome
from map_tools.maps.making.ingest import add_map
from map_tools.maps.search import name_index
from map_tools.maps.search.finder import addresses, readings
from map_tools.maps.search.name_index import NameIndex, build_names
from map_tools.maps.search.names import canonical, likeness
from map_tools.maps.store import MapStore
from map_tools.maps.tags import house_numbers
from map_tools.types import LatLng
from tests.support.data import shared


def top(store: MapStore, text: str, near: LatLng | None = None) -> str:
    found = store.find(text, near)
    return store.place(found[0][0]).name if found else ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Robson St", "robson street"),
        ("St. Mary's Rd.", "Saint Marys Road"),
        ("The Keg", "keg"),
        ("Bahnhofstr.", "Bahnhofstraße"),
        ("Café  d’Été", "cafe dete"),
        ("City Center", "City Centre"),
        ("Sankt Luziweg", "saint Luziweg"),
        ("Neuhauser Str.", "Neuhauser Straße"),
        ("Museo de Arte", "Musée de Arte"),
    ],
)
def test_spellings_of_one_name(one: str, other: str) -> None:
    assert canonical(one) == canonical(other)


@given(st.text(max_size=40))
def test_the_canonical_form_is_final(text: str) -> None:
    form = canonical(text)
    assert canonical(form) in {form, canonical(canonical(form))}
    assert form == form.strip()


@given(st.text(alphabet="abcde 12", max_size=20), st.text(alphabet="abcde 12", max_size=20))
def test_likeness_is_a_share_and_full_only_for_equals(one: str, other: str) -> None:
    a, b = canonical(one), canonical(other)
    if a and b:
        assert 0 <= likeness(a, b) <= 1
        assert (likeness(a, b) == 1.0) == (a == b or sorted(a.split()) == sorted(b.split()))


def test_what_all_streets_end_in_makes_no_two_alike() -> None:
    street = canonical("Bürkleinstraße")
    assert likeness(canonical("Türkenstraße"), street) < 0.75
    assert likeness(canonical("Bürkleinnstr."), street) > 0.9


def test_likeness_orders_what_people_would() -> None:
    name = canonical("Ateneum Art Museum")
    assert likeness(canonical("Ateneum Art Museum"), name) > likeness(canonical("Ateneum"), name)
    assert likeness(canonical("Ateneum"), name) > likeness(canonical("Kiasma"), name)
    assert likeness("gate 5", "gate 5") > likeness("gate 5", "gate 6") + 0.15
    assert likeness("artmuseum", "artmuseum alpland") > likeness("artmuseum", "cafe artmuseum")


@pytest.mark.parametrize(
    "text",
    ["Ateneum", "ateneum", "Atenum", "Ateneumm", "Ateneum museum", "Ateneum in Kluuvi", "Ateneum, Helsinki",
     "Ateneum Helsinki", "Ateneum, Kaivokatu 2, 00100 Helsinki"],
)  # fmt: skip
def test_one_place_in_many_wordings(helsinki: MapStore, text: str) -> None:
    assert top(helsinki, text) == "Ateneum"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Helsinki Cathedral", "Helsingin tuomiokirkko"),
        ("Manerheimintie", "Mannerheimintie"),
        ("Forum shopping centre", "Forum"),
        ("Mannerheimvagen", "Mannerheimintie"),
    ],
)
def test_other_languages_and_slips(helsinki: MapStore, text: str, name: str) -> None:
    assert top(helsinki, text) == name


@pytest.mark.parametrize("text", ["", "   ", "!?", "qwertyuiop", "Sokos Hotel Presidentti", ","])
def test_what_is_not_on_the_map_is_not_found(helsinki: MapStore, text: str) -> None:
    assert helsinki.find(text) == []
    assert helsinki.name_score(text) < 0.86


def test_a_street_in_pieces_is_found_once(helsinki: MapStore) -> None:
    assert sum(place.name == "Mannerheimintie" for place in helsinki.places(range(len(helsinki)))) > 10
    names = [helsinki.place(row).name for row, _ in helsinki.find("Mannerheimintie")]
    assert names.count("Mannerheimintie") == 1


def test_addresses_need_their_house_number(helsinki: MapStore) -> None:
    place = helsinki.place(helsinki.find("Mannerheimintie 5")[0][0])
    assert place.address is not None
    assert place.address.startswith("Mannerheimintie 5,")
    for row, score in helsinki.find("Mannerheimintie 999"):
        assert score < 0.7, helsinki.place(row)


def test_a_misspelt_street_still_has_its_numbers(helsinki: MapStore) -> None:
    place = helsinki.place(helsinki.find("Alexanterinkatu 52, Helsinki")[0][0])
    assert place.address is not None
    assert place.address.startswith("Aleksanterinkatu 52")


def test_of_equal_names_the_nearer_one_comes_first(helsinki: MapStore) -> None:
    rows = [row for row, score in helsinki.find("Alepa", limit=20) if score > 0.9]
    assert len(rows) > 1
    for row in rows:
        assert helsinki.find("Alepa", near=helsinki.location(row), limit=1)[0][0] == row


def test_misspelt_names_are_found(town: MapStore) -> None:
    dice = random.Random(11)
    named = [row for row in range(len(town)) if len(town.place(row).name) >= 9 and town.shapes[row] == 0]
    picked = dice.sample(named, 60)
    hits = sum(row in [found for found, _ in town.find(slip(town.place(row).name, dice))] for row in picked)
    assert hits >= 57  # 95 %: the share trigram look-up is known to reach on names of real maps


def slip(name: str, dice: random.Random) -> str:
    """A letter dropped, doubled or swapped with its neighbour."""
    at = dice.randrange(1, len(name) - 2)
    kind = dice.randrange(3)
    if kind == 0:
        return name[:at] + name[at + 1 :]
    if kind == 1:
        return name[:at] + name[at] + name[at:]
    return name[:at] + name[at + 1] + name[at] + name[at + 2 :]


def test_scores_are_shares_in_descending_order(helsinki: MapStore) -> None:
    for text in ("Stockmann", "park", "Helsinki"):
        scores = [score for _, score in helsinki.find(text, limit=30)]
        assert scores == sorted(scores, reverse=True)
        assert all(0 <= score <= 1 for score in scores)


def test_ways_to_read_a_query() -> None:
    read = readings("Hotel Kämp in Kluuvi")
    assert read[0].name == "hotel kamp in kluuvi"
    assert ("hotel kamp", ("kluuvi",)) in [(reading.name, reading.areas) for reading in read]
    assert readings("Museum, 00100 Helsinki")[1].areas == ("helsinki",)


@pytest.mark.parametrize(
    ("text", "street", "number"),
    [
        ("Aleksanterinkatu 52 B, 00100 Helsinki", "aleksanterinkatu", "52b"),
        ("800 Robson St, Vancouver", "robson street", "800"),
        ("Unter den Linden 5-7", "unter den linden", "5-7"),
    ],
)
def test_addresses_are_read(text: str, street: str, number: str) -> None:
    assert (street, number) in [(found.street, found.number) for found in addresses(text)]


def test_texts_without_a_number_are_no_addresses() -> None:
    assert addresses("Aleksanterinkatu") == []
    assert addresses("52") == []


def test_house_numbers_of_a_tag() -> None:
    assert list(house_numbers("12-14")) == ["12-14", "12", "14"]
    assert list(house_numbers("3; 5 A")) == ["3", "5a"]


@pytest.mark.parametrize("text", ["Vaduz", "municipality of Vaduz", "Gemeinde Vaduz", "Vaduz municipality"])
def test_the_words_for_an_area_are_no_part_of_its_name(liechtenstein: MapStore, text: str) -> None:
    row = liechtenstein.find(text)[0][0]
    assert liechtenstein.tags(row)["boundary"] == "administrative"
    assert liechtenstein.tags(row)["name"] == "Vaduz"


def test_a_name_in_another_language_is_the_same_name(liechtenstein: MapStore) -> None:
    row = liechtenstein.find("Vaduz Castle")[0][0]
    assert liechtenstein.tags(row)["historic"] == "castle"


def test_a_station_asked_for_by_its_kind_is_among_the_best(liechtenstein: MapStore) -> None:
    found = liechtenstein.find("Schaan-Vaduz station", limit=3)
    # The hall "Bahnhof Schaan-Vaduz" has exactly this name, the stop itself only its first half.
    assert any(
        "station" in liechtenstein.categories(row) and found[0][1] - score < 0.02 for row, score in found
    )


def test_a_district_on_the_map_by_its_full_name_is_found_by_its_plain_one(maps: MapHome) -> None:
    add_map(shared("osm/munich-centre-2020-07-20.osm.pbf"), name="munich", home=maps)
    store = MapStore.open(maps.path("munich"))
    for text in ("Kreuzviertel", "the Kreuzviertel district", "Stadtteil Kreuzviertel"):
        row = store.find(text)[0][0]
        assert store.tags(row)["name"] == "Bezirksteil Kreuzviertel"
        assert store.has_outline(row)


SYLLABLES = ["ka", "lo", "mi", "ren", "sta", "vik", "po", "har", "ned", "osk", "tur", "bel"]
COUNT, ASKED = 20_000, 60


@pytest.fixture(scope="module")
def names() -> list[str]:
    chance = random.Random(3)
    return sorted({"".join(chance.choices(SYLLABLES, k=6)) for _ in range(COUNT)})


@pytest.fixture(scope="module")
def index(names: list[str]) -> NameIndex:
    numbers = np.arange(len(names), dtype=np.uint32)
    return build_names(names, numbers, numbers)


def test_a_misspelt_name_is_found_however_many_there_are(
    names: list[str], index: NameIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The proportion of a map with millions of names: much more names than postings that are read anyway."""
    monkeypatch.setattr(name_index, "_LEAST_POSTINGS", 250)
    chance = random.Random(5)
    missed = 0
    for name in chance.sample(names, ASKED):
        found = {index.name(hit.name) for hit in index.search(misspelt(chance, name), at_least=0.68)}
        missed += name not in found
    assert missed <= 1


def test_an_exact_name_comes_first(names: list[str], index: NameIndex) -> None:
    name = names[len(names) // 2]
    best, *_ = index.search(name, at_least=0.68)
    assert (index.name(best.name), best.score) == (name, 1.0)
