"""A suite and a method of somebody else's, all in one file, as `docs/evaluation.md` describes it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from evals.ports import EvalContext, Item, OfferRule, Score, Task
from map_tools.providers.base import Provider
from mapagent.core.answer import Answer, Status
from mapagent.core.ports import RequestContext
from mapagent.core.question import Question
from mapagent.runtime.config import Settings

ENTRY_POINTS = """
[mapagent.suites]
capitals = tests.evals.outside:Capitals

[mapagent.methods]
parrot = tests.evals.outside:Parrot
stuck = tests.evals.support:Slow
"""


class Capitals:
    """Open questions: COUNTRY;CAPITAL a line."""

    name = "capitals"

    def load(self, data: Path, protocol: OfferRule) -> tuple[Item, ...]:
        pairs = (line.split(";") for line in data.read_text("utf-8").splitlines())
        return tuple(
            Item(
                id=country,
                category="capital",
                task=Task(
                    question=Question(text=f"What is the capital of {country}?", context=f"It is {capital}.")
                ),
                gold=capital,
            )
            for country, capital in pairs
        )

    def provider(self, data: Path, settings: Settings, world: Path | None = None) -> Provider | None:
        return None

    def score(self, item: Item, answer: Answer) -> Score:
        right = answer.text == item.gold
        return Score(correct=right, values={"letters": float(len(answer.text))})

    def metrics(self, judged: Sequence[tuple[Item, Score]]) -> dict[str, Any]:
        return {"letters_mean": sum(score.values["letters"] for _, score in judged) / len(judged)}


class Parrot:
    """Repeats what the context says."""

    name = "parrot"

    async def answer(self, task: Task, context: EvalContext, request_context: RequestContext) -> Answer:
        words = (task.question.context or "").removeprefix("It is ").rstrip(".")
        return Answer(status=Status.ANSWERED, text=words)


def register(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Installs both for one test, as a distribution of their own."""
    info = folder / "outside-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: outside\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    monkeypatch.syspath_prepend(str(folder))
