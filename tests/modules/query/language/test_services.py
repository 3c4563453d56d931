"""Services under the names that people, services and mappers give them."""

import asyncio

import pytest

from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer
from mapagent.core.question import Question
from mapagent.runtime.config import Settings

TEXT = """Information of <b>Blue Lagoon</b>:
- Location: 12 Harbour St, Porttown(51.5074, -0.1278).
- Serves Dinner.
- Serves Vegetarian Food.
- Dine In Available.
"""


def told(field: str) -> Answer:
    program = f'answer(fact("Blue Lagoon, Porttown", "{field}"))'
    return asyncio.run(MapAgent(Settings()).query(program, question=Question(text="Does it?", context=TEXT)))


@pytest.mark.parametrize(
    "field", ["serves dinner", "dinner", "serve dinner", "vegetarian", "vegetarian food"]
)
def test_a_service_has_many_names(field: str) -> None:
    assert told(field).text == "Yes"


def test_a_service_that_is_not_told_is_not_stated() -> None:
    assert "not stated" in told("breakfast").reason
