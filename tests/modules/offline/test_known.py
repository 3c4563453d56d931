"""Names of several words that the map knows to the letter hold together inside a sentence."""

import pytest

from modules.offline.analyser import analyse
from modules.offline.route_grammar_written import written_names
from tests.modules.offline.test_mentions import KnownNames

NAMES = KnownNames(
    dict.fromkeys(
        (
            "halbig hüte", "have a look", "7 for all mankind", "il sogno", "sila restaurant", "puma store",
            "dr. med. thomas nickel", "upscale", "city park", "mikado",
        ),
        1.0,
    )
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("At what time does my visit to Halbig Hüte end?", ["Halbig Hüte"]),
        ("Which cafe is nearest to Have a Look?", ["Have a Look"]),
        ("How long is the walk from Mikado to 7 for all mankind?", ["Mikado", "7 for all mankind"]),
        ("How far is il sogno from Have a Look?", ["il sogno", "Have a Look"]),
        ("I start at Dr. med. Thomas Nickel on foot.", ["Dr. med. Thomas Nickel"]),
        ("I'd like to call Upscale.", ["Upscale"]),
        ("Does Mikado Lounge have parking?", ["Mikado"]),
        ("have a look at the city park", []),
    ],
)
def test_stretches(text: str, found: list[str]) -> None:
    analysis = analyse(text, NAMES)
    tokens = analysis.tokens
    assert [
        analysis.text[tokens[first].start : tokens[last - 1].end] for first, last in analysis.known
    ] == found


def test_a_known_name_ends_where_the_map_ends_it_but_capitals_carry_on() -> None:
    assert [item.text for item in analyse("When do I leave Halbig Hüte then?", NAMES).places] == [
        "Halbig Hüte"
    ]
    assert [item.text for item in analyse("Is Mikado Lounge open?", NAMES).places] == ["Mikado Lounge"]


def test_without_a_map_nothing_is_known() -> None:
    assert analyse("How far is il sogno from Have a Look?").known == ()


@pytest.mark.parametrize(
    ("known", "found"),
    [
        (("salt & smoke", "lighthouse museum"), ["Salt & Smoke", "Lighthouse Museum"]),
        (("salt & smoke",), ["Salt & Smoke and Lighthouse Museum"]),
        ((), ["Salt & Smoke and Lighthouse Museum"]),
    ],
)
def test_and_joins_no_names_that_the_map_knows_both(known: tuple[str, ...], found: list[str]) -> None:
    text = "In which order do I visit Salt & Smoke and Lighthouse Museum?"
    analysis = analyse(text, KnownNames(dict.fromkeys(known, 1.0)))
    assert [analysis.text[slice(*span)] for span in written_names(analysis)] == found
