"""Programs that were run, with all that verification is given of them."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from map_tools.clock import FrozenClock
from map_tools.providers.base import Provider
from map_tools.tools.base import ToolContext
from mapagent.core.answer import Answer, Evidence
from mapagent.core.ports import RequestContext
from mapagent.core.question import Question
from mapagent.core.runstate import RunState, ToolBox
from mapagent.runtime.config import Settings
from mapagent.runtime.ledger import Ledger, Limits
from modules.query.answering import _Answering, _Caller
from modules.query.interpreter.context import Facts
from modules.query.interpreter.running import Outcome, run
from modules.query.inventory import Inventory
from modules.query.language import syntax
from modules.query.language.checker import check
from modules.query.language.parser import parse
from modules.query.operators.base import Operator
from modules.query.read_back import plan_of
from modules.query.situation import situation_of
from modules.query.verify import Objection, objections_to

NOW = datetime(2026, 11, 24, 14, 0, tzinfo=UTC)
"""A Tuesday, 15:00 in Vienna."""


@dataclass(frozen=True)
class Worked:
    """A program, what it came to, and the evidence."""

    program: syntax.Program
    outcome: Outcome
    operators: Mapping[str, Operator]
    evidence: tuple[Evidence, ...]
    question: Question

    def objections(
        self, outcome: Outcome | None = None, evidence: tuple[Evidence, ...] | None = None
    ) -> tuple[Objection, ...]:
        """What speaks against it, or against it with another outcome or evidence."""
        told = self.evidence if evidence is None else evidence
        return objections_to(self.program, outcome or self.outcome, self.operators, told)

    @property
    def rejections(self) -> list[str]:
        """The messages of what must not leave."""
        return [one.message for one in self.objections() if one.reject]

    def answer(self, outcome: Outcome | None = None) -> Answer:
        """The answer that leaves."""
        plan = plan_of(self.program, self.operators)
        told = outcome or self.outcome
        return _Answering(self.question, self.program, plan, told, self.operators).answer(self.evidence)


def work(
    text: str,
    provider: Provider,
    *,
    question: Question | None = None,
    faulty: Mapping[str, Operator] | None = None,
    further: Mapping[str, Operator] | None = None,
) -> Worked:
    """Runs a program.

    Args:
        text: The program.
        provider: The map.
        question: What it answers.
        faulty: Operators to run it with instead of the right ones, which verification is given.
        further: Operators beside ours.
    """
    return asyncio.run(_work(text, provider, question or Question(text="?"), faulty or {}, further or {}))


async def _work(
    text: str,
    provider: Provider,
    question: Question,
    faulty: Mapping[str, Operator],
    further: Mapping[str, Operator],
) -> Worked:
    inventory = Inventory.load(Settings())
    inventory.operators.update(further)
    operators: dict[str, Any] = inventory.operators
    program = check(parse(text), operators)
    plan = plan_of(program, operators)
    request_context = RequestContext(Ledger(Limits(max_tool_calls=2_000, max_rounds=50)))
    context = ToolContext(here=question.near, near=question.near)
    state = RunState(
        question, provider, ToolBox(provider, context), FrozenClock(NOW), request_context, Settings()
    )
    caller = _Caller(state, plan, inventory)
    outcome = await run(program, situation_of(state), {**operators, **faulty}, caller, Facts())
    return Worked(program, outcome, operators, caller.evidence, question)
