"""Tolerant look-up among places in memory."""

import pytest

from map_tools.providers.world_search import NameIndex
from map_tools.types import Place

PLACES = (
    Place(id="park", name="Kestrel Park", address="Salamanca Road, Millport"),
    Place(id="university", name="Université d'Été", aliases=("Summer University",)),
    Place(id="main", name="Corner Bakery", address="1 Main Street, Springfield"),
    Place(id="lake", name="Corner Bakery", address="7 Lake Avenue, Springfield"),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("kestrel park", "park"),
        ("Kestrel Park, Millport", "park"),
        ("Kesterl Park", "park"),
        ("Universite d'Ete", "university"),
        ("Summer University", "university"),
        ("Corner Bakery, Lake Avenue", "lake"),
        ("Corner Bakery on Main Street", "main"),
        ("7 Lake Avenue, Springfield", "lake"),
    ],
)
def test_best_match(text: str, expected: str) -> None:
    assert NameIndex(PLACES).find(text)[0][0].id == expected


def test_equal_names_score_the_same() -> None:
    found = NameIndex(PLACES).find("Corner Bakery")
    assert [(place.id, score) for place, score in found] == [("main", 1.0), ("lake", 1.0)]


@pytest.mark.parametrize("text", ["", "!?", "Harbour Bridge", "Park Avenue Hotel"])
def test_nothing_fits(text: str) -> None:
    assert NameIndex(PLACES).find(text) == []


def test_a_shared_common_word_does_not_flood_the_search() -> None:
    crowd = [Place(id=str(number), name=f"Hotel Number {number}") for number in range(2_000)]
    found = NameIndex([*crowd, Place(id="x", name="Hotel Zanzibar")]).find("Zanzibar Hotel")
    assert found[0][0].id == "x"
