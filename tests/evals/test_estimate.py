"""What a run would cost at most, by sums done by hand: 900 tokens beside each question, 4 letters a token."""

import pytest

from evals.ports import Item, Task
from evals.runner.command import estimate
from mapagent.config import Settings
from mapagent.question import Question
from tests.evals.support import First

SETTINGS = Settings(model="small", base_url="http://localhost:1/v1")
QUESTION = Question(text="W" * 400, options=("a" * 40, "b" * 40), context="c" * 4000)
"""4,480 letters: 1,120 tokens, 2,020 with the method's own."""


def told(name: str, settings: Settings, n: int = 2) -> str:
    method = First()
    method.name = name
    return estimate(
        [Item(id="1", category="a", task=Task(question=QUESTION), gold=0)] * n, [method], settings
    )


@pytest.mark.parametrize(
    ("method", "calls", "read", "written"), [("react", 12, "24,240", "1,800"), ("direct", 2, "4,040", "300")]
)
def test_calls_and_tokens(method: str, calls: int, read: str, written: str) -> None:
    expected = (
        f"{method}: 2 questions, at most about {calls} model calls, {read} tokens read and {written} written"
    )
    assert told(method, SETTINGS).startswith(expected)


def test_money() -> None:
    priced = SETTINGS.model_copy(update={"price_in": 10.0, "price_out": 100.0})
    # 100 questions: 600 calls read 1,212,000 tokens (12.12 USD) and write 90,000 (9 USD).
    assert "at most about 21.12 USD with 'small'" in told("react", priced, 100)


def test_without_a_price_the_remedy_is_named() -> None:
    far = SETTINGS.model_copy(update={"base_url": "https://models.example.org/v1"})
    assert told("react", far).endswith("; set price_in and price_out to see what 'small' would cost.")


def test_the_embedded_model_costs_nothing() -> None:
    assert told("react", Settings()) == "react: 2 questions; the embedded model costs nothing."


def test_a_line_for_each_method() -> None:
    item = Item(id="1", category="a", task=Task(question=QUESTION), gold=0)
    assert len(estimate([item], [First(), First()], Settings()).splitlines()) == 2
