"""What is asked in a soak: questions over the demo map whose right answers were found without the product."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from evals.generate.mapeval.generator import Generator
from evals.ports import Item, Task
from evals.smoke.judge import is_right
from evals.smoke.questions import questions
from evals.smoke.run import NOON
from evals.suites.choices import score_choice
from evals.suites.mapeval_file import MapEvalRecord
from mapagent.answer import Answer
from mapagent.question import Question

NOW = datetime(2026, 11, 23, 10, 0, tzinfo=UTC)
"""The moment of every clock in a soak: `NOON` in Helsinki."""


@dataclass(frozen=True)
class SoakQuestion:
    """A question and its judge."""

    id: str
    question: Question
    is_right: Callable[[Answer], bool]


def soak_questions(folder: Path, *, written: int, generated: int, seed: int) -> tuple[SoakQuestion, ...]:
    """Hand-written questions (`evals.smoke`) and generated ones (`evals.generate.mapeval`).

    Args:
        folder: The demo map.
        written: At most so many of the hand-written ones.
        generated: So many generated ones, of all families in turn.
        seed: Of what is generated.

    Raises:
        MapStoreError, UsageError: The folder holds no map, or too small a one.
    """
    over_map = (one for one in questions() if one.world == "helsinki" and one.wording == "plain")
    first = [
        SoakQuestion(
            one.id,
            Question(text=one.text, options=one.options, at=NOON),
            partial(is_right, truth=one.truth),
        )
        for one in islice(over_map, written)
    ]
    made = Generator(folder, seed).make(generated)
    return (*first, *(_judged(one.record) for one in made))


def _judged(made: dict[str, Any]) -> SoakQuestion:
    record = MapEvalRecord.model_validate(made)
    question = Question(text=record.question, options=record.answer.options, at=NOON)
    item = Item(
        id=f"g{record.id}",
        category=record.category,
        task=Task(question=question),
        gold=record.answer.correct,
        answerable=record.answerable,
    )
    return SoakQuestion(item.id, question, lambda answer: score_choice(item, answer).correct)
