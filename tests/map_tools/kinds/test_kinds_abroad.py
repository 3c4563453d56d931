"""Words of other languages for kinds of places and cuisines."""

from collections.abc import Iterator

import pytest

from map_tools.kinds import concepts
from map_tools.kinds.category_file import read_data, vocabulary
from map_tools.kinds.concepts import cuisine_in, find_in, lookup
from map_tools.kinds.phrases import PhraseIndex


@pytest.mark.parametrize(
    ("words", "category"),
    [
        ("Apotheken", "pharmacy"),
        ("Bäckerei", "bakery"),
        ("Parkbänke", "bench"),
        ("U-Bahn-Haltestellen", "metro"),
        ("öffentliche Toiletten", "toilets"),
        ("distributeurs de billets", "atm"),
        ("hôpitaux", "hospital"),
        ("auberge de jeunesse", "hostel"),
        ("église", "church"),
        ("librairies", "books"),
        ("cajeros automáticos", "atm"),
        ("peluquería", "hairdresser"),
        ("parques infantiles", "playground"),
        ("oficina de correos", "post_office"),
        ("biblioteca", "library"),
        ("ristoranti", "restaurant"),
        ("fermata dell'autobus", "bus_stop"),
        ("spiagge", "beach"),
        ("ufficio postale", "post_office"),
        ("stazioni di ricarica", "charging_station"),
    ],
)
def test_words_of_other_languages_mean_their_category(words: str, category: str) -> None:
    found = lookup(words)
    assert found is not None
    assert found.id == category


@pytest.mark.parametrize(
    ("text", "category", "cuisine"),
    [
        ("italienische Restaurants", "restaurant", "italian"),
        ("restaurant chinois", "restaurant", "chinese"),
        ("restaurante japonés", "restaurant", "japanese"),
        ("ristorante messicano", "restaurant", "mexican"),
    ],
)
def test_cuisines_stand_beside_their_kind(text: str, category: str, cuisine: str) -> None:
    assert [span.value.id for span in find_in(text)] == [category]
    assert cuisine_in(text) == cuisine


@pytest.mark.parametrize(
    "name",
    [
        "Strand",
        "Bad",
        "See",
        "Dom",
        "Place",
        "Tour",
        "China",
        "Indiana",
        "Lagos",
        "Marche",
        "laden",
        "backers",
        "bare",
        "americano",
    ],
)
def test_words_that_mean_another_thing_in_english_or_in_names_are_left_out(name: str) -> None:
    assert lookup(name) is None
    assert cuisine_in(name) is None


def _listed() -> Iterator[tuple[str, str]]:
    for category, tongues in read_data("kinds_abroad.toml")["kinds"].items():
        for words in tongues.values():
            yield from ((category, word.strip()) for word in words.split(","))


def test_no_word_is_lost_to_another_category() -> None:
    taken = [(category, word) for category, word in _listed() if getattr(lookup(word), "id", "") != category]
    assert taken == []


def test_words_of_english_keep_their_meaning() -> None:
    english = PhraseIndex({word: own for own, words in vocabulary().words.items() for word in words})
    changed = [(category, word) for category, word in _listed() if english.get(word) not in {None, category}]
    assert changed == []
    assert {category for category, _ in _listed()} <= set(vocabulary().concepts)


def test_keywords_of_cuisines_are_those_of_the_english_file() -> None:
    assert set(read_data("kinds_abroad.toml")["cuisines"]) <= set(read_data("cuisines.toml")["cuisines"])
    assert concepts.cuisine_in("trattoria") == "italian"
