"""Which words names are to have before trigrams are looked at."""

import pytest

from map_tools.providers.postgis.gazetteer import _word_sets


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("", []),
        ("ateneum", ["ateneum"]),
        ("cafe ekberg", ["cafe ekberg"]),
        ("metro market a", ["metro market a", "metro market", "metro a", "market a"]),
        ("a b c d e f g h i", ["a b c d e f g h i"]),
    ],
)
def test_all_words_come_first_so_that_the_name_itself_is_among_what_is_found(
    name: str, expected: list[str]
) -> None:
    assert _word_sets(name) == expected
