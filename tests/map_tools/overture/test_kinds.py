"""Overture's categories as ours."""

import pytest

from map_tools.kinds.category_file import read_data, vocabulary
from map_tools.kinds.tag_categories import categories_of
from map_tools.overture.joining import kind_of

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
