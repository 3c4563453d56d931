"""Amounts in the unit the question asks for."""

import pytest

from mapagent.core.answer import Quantity, Value
from modules.answer_generator.render import render


@pytest.mark.parametrize(
    ("value", "question", "text"),
    [
        (Quantity(value=4346, unit="m"), "How far is it, in miles?", "2.7 miles"),
        (Quantity(value=862, unit="m"), "How many kilometres is it?", "0.86 km"),
        (Quantity(value=1609.344, unit="m"), "How many miles is it?", "1 miles"),
        (Quantity(value=862, unit="m"), "How far is it?", "862 m"),
        (Quantity(value=4500, unit="s"), "How long is it in minutes?", "75 min"),
        (Quantity(value=4500, unit="s"), "How long is it?", "1 h 15 min"),
        (Quantity(value=3, unit="count"), "How many miles of cafes?", "3"),
        (Quantity(value=1309, unit="m"), "What does it cost me in minutes?", "1.31 km"),
        (Quantity(value=1609.344, unit="m"), "How far in mi?", "1 miles"),
    ],
)
def test_units(value: Value, question: str, text: str) -> None:
    assert render(value, question) == text
