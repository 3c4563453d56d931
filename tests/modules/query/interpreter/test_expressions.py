"""What expressions come to, and values that cannot be what is wanted: each by hand."""

from typing import Any

import pytest

from map_tools.errors import ProgramError
from modules.query.values.amount import Amount
from modules.query.values.unknown import Unknown
from tests.modules.query.language.running import run


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ('distance([place("Opera"), place("Zoo")][0:2], "Zoo")', "one place"),
        ('places("cafe", near="Zoo", within="0 m")', "above 0"),
        ('is_open("Zoo", "soonish")', "no time"),
        ('travel("Zoo", "Opera", "fly").duration', "mode"),
        ('trip(["Opera"], start="Zoo", mode="walk", order="any").travel', "fixed"),
        ("count(5)", "list"),
        ('-place("Zoo")', "negative"),
    ],
)
def test_what_cannot_be(expression: str, words: str) -> None:
    with pytest.raises(ProgramError) as caught:
        run(f"answer({expression})")
    assert words in str(caught.value)


def plain(expression: str) -> Any:
    found = run(f"answer({expression})").outcome.finished.value
    return None if isinstance(found, Unknown) else found.low if isinstance(found, Amount) else found


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("[1, 2, 3][1]", 2),
        ("[1, 2, 3][-1]", 3),
        ("[1, 2, 3][-3]", 1),
        ("[1, 2, 3][3]", None),
        ("[1, 2, 3][-4]", None),
        ("count([1, 2, 3][1:])", 2),
        ("count([1, 2, 3][:-1])", 2),
        ("-(2 - 5)", 3),
        ("1 < 2 < 3", True),
        ("1 < 2 < 2", False),
        ("1 < 2 and not 3 < 2", True),
        ("1 > 2 or 3 > 2", True),
        ("5 if 1 < 2 else 6", 5),
        ("5 if 1 > 2 else 6", 6),
        ("count([x for x in [1, 2, 3] if x > 1])", 2),
        ("sum([x * x for x in [1, 2, 3]])", 14),
        ("2 in [1, 2]", True),
        ("2 not in [1, 2]", False),
        ('"Opera" in area("Old Town")', True),
        ('"Zoo" in area("Old Town")', False),
        ('"Zoo" not in area("Old Town")', True),
        ('distance("Opera", "Opera")', 0),
        ('known(place("Castle").phone)', False),
        ('known(place("Town Hall").phone)', True),
    ],
)
def test_what_expressions_come_to(expression: str, value: object) -> None:
    assert plain(expression) == value
