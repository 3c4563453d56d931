"""When two wordings are the same name."""

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from map_tools.kinds.concepts import plain_area
from map_tools.kinds.phrases import PhraseIndex
from map_tools.maps.search.names import canonical
from map_tools.maps.store import MapStore
from map_tools.maps.tags import keyword_words
from map_tools.providers.recorded import RecordedProvider
from map_tools.providers.world import build_world
from map_tools.providers.world_file import WorldFile
from map_tools.text import normalise, same_name, same_words, similarity, slug
from tests.support.village import Objects, village


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Café d'Été", "cafe d ete"),
        ("Kestrel Park", "Kestrel Park, Millport"),
        ("Bridges Millport", "Bridgs Millport"),
        ("Museum of Art", "Art Museum of"),
    ],
)
def test_same(a: str, b: str) -> None:
    assert same_name(a, b)


@pytest.mark.parametrize(
    ("a", "b"), [("North Street", "South Avenue"), ("Inn", "Inner Harbour Hotel"), ("", "X")]
)
def test_different(a: str, b: str) -> None:
    assert not same_name(a, b)


LETTERS = (
    ("Għajn Tuffieħa", "Ghajn Tuffieha"),
    ("Ħal Saflieni", "HAL SAFLIENI"),
    ("Ġgantija", "Ggantija"),
    ("Ċirkewwa", "Cirkewwa"),
    ("Żurrieq", "Zurrieq"),
    ("Bahnhofstraße", "Bahnhofstrasse"),
    ("Łódź", "Lodz"),
    ("København", "Kobenhavn"),
    ("Đurđevac", "Durdevac"),
    ("Sacré Cœur", "Sacre Coeur"),
    ("Ærø", "Aero"),
    ("Þingvellir", "Thingvellir"),
    ("Diyarbakır", "Diyarbakir"),
    ("İzmir", "Izmir"),
    ("Kárášjohka ŋ", "Karasjohka n"),
    ("Ангарск Ёлкино", "ангарск елкино"),
    ("گلستان ۳", "گلستان 3"),
)
"""Names with letters of their languages, and as people write them who lack these letters."""


@pytest.mark.parametrize(("name", "plain"), LETTERS)
def test_letters_of_single_languages(name: str, plain: str) -> None:
    assert normalise(name) == normalise(plain)
    assert canonical(name) == canonical(plain)
    assert keyword_words(name) == keyword_words(plain)
    assert PhraseIndex({name: 1}).get(plain) == 1
    assert plain_area(f"{name} district") == plain_area(f"{plain} district")


def test_keyboards_without_them_find_places_on_every_map(tmp_path: Path) -> None:
    objects = Objects()
    for number, (name, _) in enumerate(LETTERS):
        objects.node((500 * number, 0), amenity="library", name=name)
    store = MapStore.open(village(objects.features, tmp_path / "map"))
    center = store.info.bbox.center
    for name, plain in LETTERS:
        best, score = store.find(plain)[0]
        assert (store.place(best).name, store.has_name(plain)) == (name, True)
        assert score > 0.9
        assert [store.place(row).name for row, _ in store.nearby(center, 10_000, keyword=plain)] == [name]
    store.close()
    places = [{"name": name, "location": [47, 8]} for name, _ in LETTERS]
    file = {"format": "mapagent-world", "version": 1, "places": places}
    world = RecordedProvider(build_world([WorldFile.model_validate(file)]))
    for name, plain in LETTERS:
        assert asyncio.run(world.find_place(plain))[0].place.name == name
        assert world.exact(plain)


def test_an_exact_name_beats_a_containing_one() -> None:
    assert similarity("Kestrel Park", "kestrel PARK") == 1
    assert 0.86 < similarity("Kestrel Park", "Kestrel Park Café") < 1


@given(st.text(max_size=30), st.text(max_size=30))
def test_similarity_is_symmetric_and_bounded(a: str, b: str) -> None:
    assert similarity(a, b) == pytest.approx(similarity(b, a))
    assert 0 <= similarity(a, b) <= 1


@given(st.text(max_size=30))
def test_normalise_is_stable(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


def test_slug() -> None:
    assert slug("Café d'Été!") == "cafe-d-ete"


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("Sacred Heart Basilica", "Basilique du Sacre Heart", True),
        ("Angel of Independence", "El Ángel de la Independencia", True),
        ("Old Mill", "The Old Mill Museum", True),
        ("Old Mill", "New Mill", False),
        ("Mill", "Old Mill", False),
        ("Central Park", "Central Station", False),
    ],
)
def test_the_same_words_in_another_language(a: str, b: str, same: bool) -> None:
    assert same_words(a, b) is same
    assert same_words(b, a) is same
