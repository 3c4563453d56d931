"""A little benchmark in MapEval's format with invented places, and suites and methods made for a test."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evals.ports import EvalContext, Item, OfferRule, Score, Task
from evals.runner.identity import RunRecord
from evals.suites.mapeval import score_choice
from map_tools.errors import MapAgentError
from map_tools.providers.base import Provider
from mapagent.core.answer import Answer, Status
from mapagent.core.ports import RequestContext
from mapagent.core.question import Question
from mapagent.runtime.config import Settings

LITTLE = Path(__file__).resolve().parents[1] / "fixtures" / "evals" / "little.json"


def little() -> list[dict[str, Any]]:
    """The records of the little benchmark."""
    records: list[dict[str, Any]] = json.loads(LITTLE.read_text("utf-8"))
    return records


def write(path: Path, records: Sequence[Any]) -> Path:
    """Writes records, one a line, inside a list: the n-th record is on line n + 1."""
    lines = ",\n".join(json.dumps(record) for record in records)
    path.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    return path


def items(n: int) -> tuple[Item, ...]:
    """Items whose right answer is option 0, in two categories by turns."""
    question = Question(text="Which?", options=("yes", "no"), context="The answer is yes.")
    return tuple(
        Item(id=str(number), category="ab"[number % 2], task=Task(question=question), gold=0)
        for number in range(n)
    )


def run_record(**changes: Any) -> RunRecord:
    """A run record with something in every field."""
    values: dict[str, Any] = {
        "suite": "plain",
        "method": "first",
        "model": "offline",
        "provider": "",
        "protocol": "fair",
        "version": "1",
        "code_sha256": "c",
        "python": "3",
        "packages": {},
        "settings": {},
        "prompts_sha256": "p",
        "data_sha256": "d",
        "items": 3,
        "items_sha256": "i",
    }
    return RunRecord.model_validate(values | changes)


class Plain:
    """A suite of `n` items, right if the first option is chosen."""

    name = "plain"

    def __init__(self, n: int = 4) -> None:
        self._n = n

    def load(self, data: Path, protocol: OfferRule) -> tuple[Item, ...]:
        return items(self._n)

    def provider(self, data: Path, settings: Settings, world: Path | None = None) -> Provider | None:
        return None

    def score(self, item: Item, answer: Answer) -> Score:
        return score_choice(item, answer)

    def metrics(self, judged: Sequence[tuple[Item, Score]]) -> dict[str, Any]:
        return {"judged": len(judged)}


class First:
    """Always takes the first option; counts its calls and what they cost."""

    name = "first"

    def __init__(self, cost_usd: float = 0.0) -> None:
        self.asked = 0
        self.running = 0
        self.most_at_once = 0
        self._cost_usd = cost_usd

    async def answer(self, task: Task, context: EvalContext, request_context: RequestContext) -> Answer:
        self.asked += 1
        self.running += 1
        self.most_at_once = max(self.most_at_once, self.running)
        await asyncio.sleep(0)
        self.running -= 1
        request_context.ledger.charge_tool(self._cost_usd)
        return Answer(status=Status.ANSWERED, text="yes", option="A", option_index=0)


class Failing:
    """Raises what it is given."""

    name = "failing"

    def __init__(self, error: MapAgentError) -> None:
        self._error = error

    async def answer(self, task: Task, context: EvalContext, request_context: RequestContext) -> Answer:
        raise self._error


class Slow:
    """Answers the first two questions, then never: to be killed."""

    name = "slow"

    def __init__(self) -> None:
        self._asked = 0

    async def answer(self, task: Task, context: EvalContext, request_context: RequestContext) -> Answer:
        self._asked += 1
        if self._asked > 2:
            await asyncio.Event().wait()
        return Answer(status=Status.ANSWERED, text="yes", option="A", option_index=0)
