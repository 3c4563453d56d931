"""Who answers without a model: the reader, and for a picture first what it shows."""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest

from mapagent.core.answer import Answer, Status
from mapagent.core.ports import Run
from mapagent.core.question import Question
from modules.planner.embedded import EmbeddedPlanner

SEEN, GUESSED = 'answer(seen("Which \\"Inn\\"?"))', 'answer(seen("Which \\"Inn\\"?", guess=True))'


@dataclass
class Running:
    """A run that notes the programs and answers some of them."""

    question: Question
    answered: frozenset[str]
    programs: list[str] = field(default_factory=list)

    async def execute(self, program: str, **_: Any) -> Answer:
        self.programs.append(program)
        if program in self.answered:
            return Answer(status=Status.ANSWERED, text=program)
        return Answer(status=Status.UNANSWERABLE, reason="not seen")


@dataclass(eq=False)
class Reading:
    """A reader that has an answer or none."""

    text: str = ""
    name: str = "reader"

    async def answer(self, run: Run) -> Answer:
        del run
        status = Status.ANSWERED if self.text else Status.NOT_UNDERSTOOD
        return Answer(status=status, text=self.text, reason="not read")


def told(reader: Reading, *answered: str, image: Path | None = Path("map.png")) -> tuple[Answer, list[str]]:
    run = Running(Question(text='Which "Inn"?', image=image), frozenset(answered))
    return asyncio.run(EmbeddedPlanner(reader).answer(cast("Run", run))), run.programs


def test_without_a_picture_the_reader_answers() -> None:
    answer, programs = told(Reading("read"), SEEN, image=None)
    assert (answer.text, programs) == ("read", [])


@pytest.mark.parametrize(
    ("reader", "answered", "text", "programs"),
    [
        (Reading("read"), (SEEN, GUESSED), SEEN, [SEEN]),
        (Reading("read"), (GUESSED,), "read", [SEEN]),
        (Reading(), (GUESSED,), GUESSED, [SEEN, GUESSED]),
    ],
)
def test_a_picture_is_looked_at_then_the_question_read_then_an_option_guessed(
    reader: Reading, answered: tuple[str, ...], text: str, programs: list[str]
) -> None:
    answer, ran = told(reader, *answered)
    assert (answer.text, ran) == (text, programs)


def test_where_nothing_answers_it_is_told_what_was_not_seen() -> None:
    answer, _ = told(Reading())
    assert (answer.status, answer.reason) == (Status.UNANSWERABLE, "not seen")
