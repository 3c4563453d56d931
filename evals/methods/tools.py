"""The four map tools as the rival agents use them: the kernel's own budget, trace and evidence, once a call.

Facts are shown to a model as `mapagent.core.rendering` has them, with what a list or a route holds, as far as it fits.

Every method gets the same cards, and every call goes the way of `mapagent.core.runstate`, so that a call costs a
rival exactly what it costs `mapagent`.
"""

import asyncio
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from evals.ports import EvalContext, Task
from map_tools.facts import Fact, NearbyFact, NoteFact, RoutesFact
from map_tools.tools import TOOLS, MapTool
from map_tools.tools.base import ToolContext
from map_tools.types import Route
from map_tools.validation import json_text
from mapagent.core.answer import Evidence, Source, Step
from mapagent.core.ports import RequestContext, ToolCall
from mapagent.core.rendering import clean, fact_text, place_text
from mapagent.core.runstate import RunState, ToolBox
from mapagent.llm.chat import LineRoom


class ObservationRoom(LineRoom):
    """The room that is left for the observations of one question."""

    def show(self, facts: Iterable[Fact]) -> str:
        """The facts, as far as they fit."""
        return self.show_lines(line for fact in facts for line in fact_lines(fact))


def fact_lines(fact: Fact) -> Iterator[str]:
    """A fact in lines: the places of a list with what is known of them, a route with its steps."""
    if isinstance(fact, NearbyFact):
        yield from _nearby(fact)
    elif isinstance(fact, RoutesFact):
        yield fact_text(fact)
        for route in fact.routes:
            yield from _steps(route)
    elif isinstance(fact, NoteFact):
        yield from map(clean, fact.text.splitlines())
    else:
        yield fact_text(fact)


def _nearby(fact: NearbyFact) -> Iterator[str]:
    where = f"in {fact.anchor}" if fact.inside else f"around {fact.anchor}"
    radius = "" if fact.inside or fact.radius_m is None else f" within {fact.radius_m:.0f} m"
    order = ", nearest first" if fact.sorted_by_distance else ""
    cut = "" if fact.complete else " (there are more)"
    yield clean(f"{len(fact.items)} × {fact.what} {where}{radius}{order}{cut}:")
    for number, item in enumerate(fact.items, start=1):
        distance = "" if item.distance_m is None else f", {item.distance_m:.0f} m away"
        yield clean(f"{number}. {place_text(item.place)}{distance}")


def _steps(route: Route) -> Iterator[str]:
    if route.steps:
        yield clean(f"Steps via {route.summary or '(unnamed road)'}:")
    for number, step in enumerate(route.steps, start=1):
        amounts = [] if step.distance_m is None else [f"{step.distance_m:.0f} m"]
        amounts += [] if step.duration_s is None else [f"{step.duration_s / 60:.1f} min"]
        told = "; ".join((step.instruction, *step.notes))
        yield clean(f"{number}. {told}" + (f" ({', '.join(amounts)})" if amounts else ""))


NOT_SHOWN = frozenset({"categories"})
"""Parameters that take ids of this project, which no model knows; the words of the query are read instead."""
NO_TOOLS = "There are no map tools here: all facts stand in the context."


@dataclass(frozen=True, slots=True)
class Fetched:
    """What a call brought.

    Attributes:
        call: The call.
        facts: Its facts; failures are facts too.
        again: True if the same call was made before (then it was not made again).
    """

    call: ToolCall
    facts: tuple[Fact, ...]
    again: bool = False


class MapTools:
    """Makes map calls for one task; a call that was made before is answered from memory and marked."""

    def __init__(
        self, method: str, task: Task, context: EvalContext, request_context: RequestContext
    ) -> None:
        here = task.question.near
        self._run = RunState(
            question=task.question,
            provider=context.provider,
            tools=ToolBox(context.provider, ToolContext(here=here, near=here)),
            clock=context.clock,
            request_context=request_context,
            settings=context.settings,
        )
        self._step = Step(id="s1", subgoal="fetch map facts", module=method)
        self._further = context.further_tools
        self._further_evidence: list[Evidence] = []
        self._made: dict[str, asyncio.Task[tuple[Evidence, ...]]] = {}
        self._room = ObservationRoom()

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """What all calls brought, as far as they are done."""
        return (*self._run.evidence, *self._further_evidence)

    def known(self, word: str) -> str | None:
        """The tool a word means, whatever its case and however it is joined; None if there is none."""
        folded = _folded(word)
        names = () if self._run.provider is None else tuple(TOOLS)
        names += self._further.names if self._further is not None else ()
        return next((name for name in names if _folded(name) == folded), None)

    async def fetch(self, call: ToolCall) -> Fetched:
        """Makes a call. An invented tool, wrong arguments or a spent budget come back as failures."""
        call = ToolCall(tool=self.known(call.tool) or call.tool, arguments=call.arguments)
        key = json.dumps([call.tool, call.arguments], sort_keys=True, default=str)
        again = key in self._made
        if not again:
            self._made[key] = asyncio.ensure_future(self._called(call))
        evidence = await self._made[key]
        return Fetched(call, tuple(item.value for item in evidence), again=again)

    def card(self, name: str) -> str:
        """A tool in words."""
        if self._further is not None and name in self._further.names:
            return self._further.card(name)
        return "\n".join(_card(TOOLS[name]))

    async def _called(self, call: ToolCall) -> tuple[Evidence, ...]:
        if self._further is None or call.tool not in self._further.names:
            return await self._run.call_tool(self._step, call)
        source = Source(tool=call.tool, arguments=call.arguments)
        made = self._run.evidence_of(self._step, await self._further.call(call), source)
        self._further_evidence.append(made)
        return (made,)

    async def fetch_all(self, calls: Sequence[ToolCall]) -> tuple[Fetched, ...]:
        """Makes several calls at once; results are in the order of the calls."""
        return tuple(await asyncio.gather(*map(self.fetch, calls)))

    def show(self, facts: Sequence[Fact]) -> str:
        """Facts as an observation, within the room that is left for this question."""
        return self._room.show(facts)


def call_text(call: ToolCall) -> str:
    """A call as the models are asked to write it."""
    return f"{call.tool}({json_text(call.arguments)})"


def tool_cards(context: EvalContext) -> str:
    """The tools in words for a system prompt; the same text for all questions of a run."""
    further = context.further_tools
    lines = [] if context.provider is None else [line for tool in TOOLS.values() for line in _card(tool)]
    lines += [] if further is None else [further.card(name) for name in further.names]
    return "\n".join(lines) or NO_TOOLS


def _card(tool: MapTool) -> Iterator[str]:
    yield f"- {tool.name}: {tool.description}"
    schema = tool.parameters.model_json_schema()
    required = set(schema.get("required", ()))
    for name, field in schema["properties"].items():
        if name not in NOT_SHOWN:
            need = "required" if name in required else f"optional, default {json.dumps(field.get('default'))}"
            yield f"    {name} ({_kind(field)}, {need}): {field.get('description', '')}"


def _kind(field: dict[str, Any]) -> str:
    kinds = [field.get("type"), *(one.get("type") for one in field.get("anyOf", ()))]
    return next((kind for kind in kinds if kind not in (None, "null")), "string")


def _folded(word: str) -> str:
    return "".join(char for char in word.casefold() if char.isalnum())
