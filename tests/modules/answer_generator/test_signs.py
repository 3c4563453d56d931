"""Differences are matched with the way they go, and nothing with what says that there is no difference."""

import pytest

from mapagent.core.answer import Quantity
from mapagent.core.question import Question
from modules.answer_generator.matching import Match, NoMatch, match

LONG = ("5 minutes too long", "5 minutes short", "no difference", "12 minutes too long")
LATE = ("late by 10 minutes", "early by 10 minutes", "exactly on time")
FAR = ("Harbour is 300 m farther", "Harbour is 300 m nearer", "they are equally far")


def chosen(value: float, unit: str, options: tuple[str, ...]) -> str | None:
    found = match(Quantity(value=value, unit=unit), (), Question(text="?", options=options))
    return found.text if isinstance(found, Match) else None


@pytest.mark.parametrize(
    ("value", "unit", "options", "expected"),
    [
        (300, "s", LONG, "5 minutes too long"),
        (-300, "s", LONG, "5 minutes short"),
        (0, "s", LONG, "no difference"),
        (600, "s", LATE, "late by 10 minutes"),
        (-600, "s", LATE, "early by 10 minutes"),
        (0, "s", LATE, "exactly on time"),
        (300, "m", FAR, "Harbour is 300 m farther"),
        (-300, "m", FAR, "Harbour is 300 m nearer"),
        (0, "m", FAR, "they are equally far"),
        (-300, "s", ("5 minutes", "10 minutes"), "5 minutes"),
        (-300, "s", ("5 minutes longer", "10 minutes longer"), "5 minutes longer"),
        (540, "s", ("less than 10 minutes", "10 to 20 minutes"), "less than 10 minutes"),
    ],
)
def test_the_way_a_difference_goes(value: float, unit: str, options: tuple[str, ...], expected: str) -> None:
    assert chosen(value, unit, options) == expected


def test_a_difference_that_no_option_says() -> None:
    found = match(Quantity(value=-900, unit="s"), (), Question(text="?", options=LONG))
    assert isinstance(found, NoMatch)
