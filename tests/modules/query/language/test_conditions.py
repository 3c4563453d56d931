"""Properties among the words for a kind: conditions, never words that a map must hold."""

import pytest

from mapagent.runtime.config import Settings
from modules.query.inventory import Inventory
from modules.query.language.checker import check
from modules.query.language.parser import parse
from modules.query.read_back import read_back

OPERATORS = Inventory.load(Settings()).operators


def _understood(program: str, *, listed: bool = False) -> str:
    return read_back(check(parse(program), OPERATORS, listed=listed), OPERATORS)


@pytest.mark.parametrize(
    ("program", "same"),
    [
        ('nearest("cafe with wifi", to=here)', 'nearest("cafe", to=here, where=lambda p: p.wifi)'),
        (
            'places("hotel with parking", near=here)',
            'places("hotel", near=here, where=lambda p: p.parking)',
        ),
        (
            'places("dog friendly cafe", near=here, where=lambda x: x.stars > 2)',
            'places("cafe", near=here, where=lambda x: x.dog and x.stars > 2)',
        ),
        (
            'count(places("cafe with wifi and outdoor seating", near=here, within="1 km"))',
            'count(places("cafe", near=here, within="1 km", where=lambda p: p.wifi and p.outdoor_seating))',
        ),
    ],
)
def test_properties_are_conditions(program: str, same: str) -> None:
    assert _understood(f"answer({program})") == _understood(f"answer({same})")


@pytest.mark.parametrize("kind", ["internet cafe", "vegan restaurant", "Wifi Cafe", "amenity=cafe", "wifi"])
def test_what_names_no_property_stays(kind: str) -> None:
    program = f'answer(nearest("{kind}", to=here))'
    assert check(parse(program), OPERATORS) == parse(program)


def test_in_a_supplied_text_words_are_as_the_text_has_them() -> None:
    program = parse('answer(nearest("cafe with wifi", to=here))')
    assert check(program, OPERATORS, listed=True) == program


def test_a_fact_reads_back_as_its_field() -> None:
    one = _understood('answer(nearest("cafe", to=here, where=lambda p: fact(p, "wifi")))')
    assert one == _understood('answer(nearest("cafe", to=here, where=lambda p: p.wifi))')
    assert "has wifi" in one
