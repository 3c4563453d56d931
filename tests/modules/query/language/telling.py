"""Runs programs over supplied texts."""

import asyncio
from collections.abc import Sequence
from datetime import datetime

from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer
from mapagent.core.question import Question
from mapagent.runtime.config import Settings


def told(program: str, text: str, *, options: Sequence[str] = (), at: datetime | None = None) -> Answer:
    """The answer of a program over a text, verified as every answer is."""
    question = Question(text="?", context=text, options=tuple(options), at=at)
    return asyncio.run(MapAgent(Settings()).query(program, question=question))


def parts(answer: Answer) -> dict[str, str]:
    """The named parts of an answer as text."""
    return {name: part.text for name, part in answer.parts.items()}
