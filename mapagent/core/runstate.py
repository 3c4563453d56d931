"""The state of one question while it is being answered, and its map tools."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import ValidationError

from map_tools.clock import Clock
from map_tools.errors import LimitError, MapAgentError, ToolError
from map_tools.facts import Fact, FailureFact, NearbyFact, PlaceFact
from map_tools.own_places import OwnPlaces
from map_tools.providers.base import Provider
from map_tools.providers.wrappers import remembering
from map_tools.tools import INNER_TOOLS, TOOLS
from map_tools.tools.base import ToolContext
from map_tools.types import Place
from map_tools.wire.meter import CallMeter, metered
from mapagent.core.answer import Answer, Evidence, Source, Step
from mapagent.core.ports import Interpreter, NameHints, RequestContext, ToolCall
from mapagent.core.question import Question
from mapagent.runtime.config import Settings


@dataclass
class RunState:
    """Implements `mapagent.core.ports.Run`.

    Evidence ids begin with the step they were fetched for; the calls of a step are numbered in the order in
    which they are made, so nothing depends on which reply comes first.
    """

    question: Question
    provider: Provider | None
    tools: "ToolBox"
    clock: Clock
    request_context: RequestContext
    settings: Settings
    interpreter: Interpreter | None = None
    kept: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._evidence: list[list[Evidence]] = []
        self._counters: dict[str, int] = {}
        self._slots = asyncio.Semaphore(self.request_context.ledger.limits.concurrency)

    @property
    def names(self) -> NameHints | None:
        """The names of the map, if looking one up is free; else None."""
        known = self.provider
        return known if isinstance(known, NameHints) and known.capabilities.cheap_names else None

    @property
    def own_names(self) -> tuple[str, ...]:
        """The own places that the conversation names; see `mapagent.core.ports.Run.own_names`."""
        return self.tools.own.named_in("\n".join(self.question.said))

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """All evidence so far, in the order in which it was asked for."""
        return tuple(item for items in self._evidence for item in items)

    async def execute(self, program: str) -> Answer:
        """Runs a program; see `mapagent.core.ports.Run.execute`."""
        if self.interpreter is None:
            raise RuntimeError("this run has no interpreter")
        return await self.interpreter.answer(program, self)

    def over(self, provider: Provider, question: Question) -> "RunState":
        """This run over another source of facts; see `mapagent.core.ports.Run.over`."""
        other = copy(self)  # evidence and slots are the same
        other.request_context = replace(self.request_context, ledger=self.request_context.ledger.apart())
        other.question, other.provider, other.kept = question, provider, {}
        other.tools = ToolBox(provider, ToolContext(here=question.near, near=question.near))
        return other

    def describe(self, *, picture: bool = False, examples: int = 0) -> str:
        """Describes the language for models; see `mapagent.core.ports.Run.describe`."""
        return (
            "" if self.interpreter is None else self.interpreter.describe(picture=picture, examples=examples)
        )

    def evidence_of(
        self,
        step: Step,
        fact: Fact,
        source: Source,
        *,
        derived_from: tuple[str, ...] = (),
        warnings: tuple[str, ...] = (),
    ) -> Evidence:
        """Makes a piece of evidence with a unique id."""
        made = Evidence(
            id=self._next_id(step),
            step_id=step.id,
            value=fact,
            source=source,
            derived_from=derived_from,
            warnings=warnings,
        )
        self._evidence.append([made])
        return made

    async def call_tool(self, step: Step, call: ToolCall) -> tuple[Evidence, ...]:
        """Runs a map tool within budget and limits; failures come back as evidence.

        The facts of the n-th call are numbered n.1, n.2, ...; a single one n. The call is counted and has its
        place before anything is waited for, so neither depends on which reply comes first.
        """
        call_id, place = self._next_id(step), list[Evidence]()
        self._evidence.append(place)
        async with self._slots:
            with (
                self.request_context.trace.span("tool", tool=call.tool, arguments=call.arguments) as span,
                metered(
                    self.request_context.ledger, left_s=lambda: self.request_context.ledger.left_s
                ) as meter,
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
        place.extend(evidence)
        self.request_context.watcher.found(step, evidence)
        return evidence

    async def guarded(
        self, step: Step, work: Callable[[], Awaitable[tuple[Evidence, ...]]]
    ) -> tuple[Evidence, ...]:
        """Runs the work of a module; any exception, here at the module boundary, becomes evidence of a failure."""
        try:
            async with asyncio.timeout(max(self.request_context.ledger.left_s, 0.001)) as deadline:
                return await work()
        except MapAgentError as error:
            failure = FailureFact(
                code=error.code, message=error.message, remedy=error.remedy, subject=step.subgoal
            )
        except Exception as error:  # noqa: BLE001
            late = isinstance(error, TimeoutError) and deadline.expired()
            failure = self._too_late(step) if late else _broken(step, error)
        self.request_context.trace.event("failure", code=failure.code, message=failure.message)
        return (self.evidence_of(step, failure, Source(tool=step.module)),)

    def _too_late(self, step: Step) -> FailureFact:
        limits = self.request_context.ledger.limits
        return FailureFact(
            code=LimitError.code,
            message=f"The deadline of {limits.deadline_s:g} s passed during '{step.subgoal}'.",
            remedy="Raise deadline_s.",
        )

    def _next_id(self, step: Step) -> str:
        number = self._counters.get(step.id, 0) + 1
        self._counters[step.id] = number
        return f"{step.id}.{number}"

    async def _call(self, call: ToolCall) -> tuple[Fact, ...]:
        try:
            self.request_context.ledger.charge_tool()
        except LimitError as error:
            return (FailureFact(code=error.code, message=error.message, remedy=error.remedy),)
        return await self.tools.call(call)


def _broken(step: Step, error: Exception) -> FailureFact:
    return FailureFact(
        code="module",
        message=f"The module '{step.module}' failed: {type(error).__name__}: {error}",
        remedy="See the trace; this is a defect of the module.",
    )


def _billing(meter: CallMeter) -> dict[str, Any]:
    """Requests of a tool call to services on the network, for the trace; empty if there were none."""
    if not meter.calls + meter.cached:
        return {}
    return {
        "requests": meter.calls,
        "cached": meter.cached,
        "retries": meter.retries,
        "cost_usd": round(meter.cost_usd, 6),
        "skus": dict(meter.skus),
    }


class ToolBox:
    """Calls map tools by name, for one question: no name and no place is looked up twice."""

    def __init__(self, provider: Provider | None, context: ToolContext) -> None:
        self._provider = None if provider is None else remembering(provider)
        self._known: dict[str, Place] = {}
        self._context = context.model_copy(update={"known": self._known})

    @property
    def own(self) -> OwnPlaces:
        """The user's own places."""
        return self._context.own

    async def call(self, call: ToolCall) -> tuple[Fact, ...]:
        """Runs one call; any error comes back as `FailureFact`.

        Errors are an unknown tool, wrong arguments, a tool's error, or a spent budget.
        """
        if self._provider is None:
            return (FailureFact(code="provider", message="There is no map provider to ask."),)
        tool = TOOLS.get(call.tool) or INNER_TOOLS.get(call.tool)
        if tool is None:
            known = ", ".join(TOOLS)
            return (
                FailureFact(
                    code="tool", message=f"There is no map tool '{call.tool}'.", remedy=f"Known: {known}."
                ),
            )
        try:
            arguments = tool.parameters.model_validate(call.arguments)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            return (FailureFact(code="tool", message=f"{call.tool}: argument '{where}': {first['msg']}."),)
        try:
            found = await tool(arguments, self._provider, self._context)
        except (ToolError, LimitError) as error:
            return (self._told(FailureFact(code=error.code, message=error.message, remedy=error.remedy)),)
        found = tuple(self._told(fact) if isinstance(fact, FailureFact) else fact for fact in found)
        self._known |= {place.id: place for fact in found for place in _told_in(fact)}
        return found

    def _told(self, failure: FailureFact) -> FailureFact:
        """A failure with the positions of own places replaced: providers know these by position only."""
        message = self._context.own.without_positions(failure.message)
        return failure if message == failure.message else failure.model_copy(update={"message": message})


def _told_in(fact: Fact) -> Iterator[Place]:
    """The places in a fact."""
    match fact:
        case PlaceFact():
            yield from (*fact.rivals, fact.place)
        case NearbyFact():
            yield from (item.place for item in fact.items)
