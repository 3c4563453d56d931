"""Who answers without a model: the reader, and for a picture first what it shows."""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from mapagent.agent import MapAgent
from mapagent.answer import Answer, Status
from mapagent.config import Settings
from mapagent.ports import Run
from mapagent.question import Question
from modules.planner.embedded import EmbeddedPlanner
from modules.query.interpreter.running import Outcome

WORLD = Path(__file__).resolve().parents[2] / "fixtures" / "worlds" / "harbour.json"
PICTURE = Path(__file__).resolve().parents[2] / "fixtures" / "pictures" / "town.png"


@dataclass(eq=False)
class Read:
    """A reader that answers or does not."""

    status: Status = Status.ANSWERED
    name: str = "reader"
    asked: list[str] = field(default_factory=list)

    async def answer(self, run: Run) -> Answer:
        self.asked.append(run.question.text)
        return Answer(status=self.status, text="read" if self.status is Status.ANSWERED else "", reason="none")
