"""Words and types become categories and a keyword."""

import pytest

from map_tools.kinds.wanted import read_wanted


@pytest.mark.parametrize(
    ("query", "kind", "keyword", "category", "expected"),
    [
        ("pharmacy", None, None, "pharmacy", None),
        ("nearest coffee shop", None, None, "cafe", None),
        ("vegan restaurants", None, None, "restaurant", "vegan"),
        ("sushi", "restaurant", None, "restaurant", "sushi"),
        ("gas_station", None, None, "fuel", None),
        ("a quick bite", "fast_food", "", "fast_food", None),
        ("places", "museum, gallery", None, "museum", None),
    ],
)
def test_read_wanted(
    query: str, kind: str | None, keyword: str | None, category: str, expected: str | None
) -> None:
    wanted = read_wanted(query, kind, keyword)
    assert category in wanted.categories
    assert wanted.keyword == expected


def test_a_brand_is_a_keyword_of_any_kind() -> None:
    wanted = read_wanted("Blue Bottle")
    assert (wanted.categories, wanted.keyword) == ((), "Blue Bottle")


def test_several_types() -> None:
    assert {"bar", "cafe"} <= set(read_wanted("a drink", "bar|cafe", "").categories)


def test_an_unknown_type_stands_for_itself() -> None:
    assert read_wanted("x", "volcano_observatory", "").categories == ("volcano_observatory",)


@pytest.mark.parametrize(
    ("words", "category", "keyword"),
    [
        ("pizza restaurant", "restaurant", "pizza"),
        ("Pizzeria", "restaurant", "pizza"),
        ("sushi bars", "restaurant", "sushi"),
        ("steakhouse", "restaurant", "steak house"),
        ("kebab shop", "fast_food", "kebab"),
        ("art museum", "museum", None),
        ("coffee shop", "cafe", None),
    ],
)
def test_what_a_word_tells_beyond_its_kind_is_searched_by(
    words: str, category: str, keyword: str | None
) -> None:
    wanted = read_wanted(words)
    assert (category in wanted.categories, wanted.keyword) == (True, keyword)
