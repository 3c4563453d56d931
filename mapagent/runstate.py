"""The state of one question while it is being answered."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from map_tools.clock import Clock
from map_tools.errors import LimitError
from map_tools.facts import Fact, FailureFact
from map_tools.providers.base import Provider
from map_tools.wire.meter import CallMeter, metered
from mapagent.answer import Answer, Solution
from mapagent.evidence import Evidence, Source
from mapagent.plan import Plan, Step
from mapagent.ports import Account, Reasoner, StepResult, ToolCall, Understanding
from mapagent.question import Question
from mapagent.toolbox import ToolBox


@dataclass
class RunState:
    """Implements `mapagent.ports.Run`.

    Evidence is kept by step and read in the plan's order, so the result does not depend on which step happens
    to finish first.
    """

    question: Question
    reasoner: Reasoner
    understanding: Understanding
    provider: Provider | None
    tools: ToolBox
    clock: Clock
    account: Account
    extras: Mapping[str, Any] = field(default_factory=dict)
    solution: Solution | None = None
    answer: Answer | None = None
    out_of_time: bool = False

    def __post_init__(self) -> None:
        self._by_step: dict[str, tuple[Evidence, ...]] = {}
        self._drafts: dict[str, list[Evidence]] = {}
        self._counters: dict[str, int] = {}
        self._order: tuple[str, ...] = ()
        self._slots = asyncio.Semaphore(self.account.ledger.limits.concurrency)

    def start(self, plan: Plan) -> None:
        """Fixes the order in which evidence is read, and tells the plan to whoever watches."""
        self._order = tuple(step.id for step in plan.steps)
        self.account.watcher.planned(plan)

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """All evidence so far, step by step in the plan's order."""
        return tuple(item for step_id in self._order for item in self._by_step.get(step_id, ()))

    def evidence_of(
        self,
        step: Step,
        fact: Fact,
        source: Source,
        *,
        derived_from: tuple[str, ...] = (),
        warnings: tuple[str, ...] = (),
    ) -> Evidence:
        """Makes a piece of evidence with an id of its own."""
        return Evidence(
            id=self._next_id(step),
            step_id=step.id,
            value=fact,
            source=source,
            derived_from=derived_from,
            warnings=warnings,
        )

    def partial(self, step: Step) -> tuple[Evidence, ...]:
        """What the tools had already brought when a step failed; nothing that was found is lost."""
        return tuple(self._drafts.get(step.id, ()))

    def finish(self, step: Step, result: StepResult) -> None:
        """Takes over what a step brought back."""
        self._by_step[step.id] = result.evidence
        if result.solution is not None:
            self.solution = result.solution
        if result.answer is not None:
            self.answer = result.answer
        self.account.watcher.finished(step, result.evidence)

    async def call_tool(self, step: Step, call: ToolCall) -> tuple[Evidence, ...]:
        """Runs a map tool within budget and limits; failures come back as evidence.

        The facts of the n-th call are numbered n.1, n.2, ...; a single one n. The call is counted before
        anything is waited for, so ids do not depend on which reply comes first.
        """
        call_id = self._next_id(step)
        async with self._slots:
            with (
                self.account.trace.span("tool", tool=call.tool, arguments=call.arguments) as span,
                metered(self.account.ledger, left_s=lambda: self.account.ledger.left_s) as meter,
            ):
                try:
                    facts = await self._call(call)
                finally:
                    span.attributes |= _billing(meter)
                span.attributes["facts"] = len(facts)
        source = Source(
            tool=call.tool,
            provider=self.provider.name if self.provider else "",
            arguments=call.arguments,
            time=self.clock.now(),
        )
        ids = [call_id] if len(facts) == 1 else [f"{call_id}.{number}" for number in range(1, len(facts) + 1)]
        evidence = tuple(
            Evidence(id=fact_id, step_id=step.id, value=fact, source=source)
            for fact_id, fact in zip(ids, facts, strict=True)
        )
        self._drafts.setdefault(step.id, []).extend(evidence)
        self.account.watcher.found(step, evidence)
        return evidence

    def _next_id(self, step: Step) -> str:
        number = self._counters.get(step.id, 0) + 1
        self._counters[step.id] = number
        return f"{step.id}.{number}"

    async def _call(self, call: ToolCall) -> tuple[Fact, ...]:
        try:
            self.account.ledger.charge_tool()
        except LimitError as error:
            return (FailureFact(code=error.code, message=error.message, remedy=error.remedy),)
        return await self.tools.call(call)


def _billing(meter: CallMeter) -> dict[str, Any]:
    """What a tool call asked of services on the network, for the trace; nothing if it asked none."""
    if not meter.calls + meter.cached:
        return {}
    return {
        "requests": meter.calls,
        "cached": meter.cached,
        "retries": meter.retries,
        "cost_usd": round(meter.cost_usd, 6),
        "skus": dict(meter.skus),
    }
