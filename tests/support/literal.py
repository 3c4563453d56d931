"""A planner for conversations that reads no words: a question is a program, or asks what was said before."""

from pathlib import Path
from typing import Self

import pytest

from mapagent.core.answer import Answer, Status
from mapagent.core.ports import Run
from mapagent.runtime.config import Settings
from tests.support.awkward import install

EARLIER = "earlier?"
MODEL = "literal"
ENTRY_POINTS = "[mapagent.planners]\nliteral = tests.support.literal:Literal\n"
ALKO = 'answer(place("Alko").address)'
"""Two shops of the demo extract have this name."""
ALKOS = ("Mannerheimintie 20, 00100 Helsinki", "Aleksanterinkatu 52, 00100 Helsinki")
"""Their addresses, by the tags addr:* of the nodes in the extract."""


def saying(number: int) -> str:
    """A question whose answer is this number, twice."""
    return f"answer([{number}, {number}])"


def said(*numbers: int) -> str:
    """What `EARLIER` tells after these."""
    return " | ".join(f"{number}, {number}" for number in numbers)


def register(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Installs it for one test as the model "literal"."""
    install(folder, "literal", ENTRY_POINTS)
    monkeypatch.syspath_prepend(str(folder))


class Literal:
    """The planner."""

    name = MODEL

    @classmethod
    def from_settings(cls, settings: Settings) -> Self:
        return cls()

    async def answer(self, run: Run) -> Answer:
        """Runs the question; `EARLIER` tells the answers before it, and "?" where there was none."""
        if run.question.text != EARLIER:
            return await run.execute(run.question.text)
        told = [turn.answer or "?" for turn in run.question.earlier]
        return Answer(status=Status.ANSWERED, text=" | ".join(told) or "nothing")
