"""LLMCompiler: a plan of calls that run in parallel, then join or replan (Kim et al. 2024).

References of a plan, "$1.items[0].name" in an argument, stand for what call 1 brought.

Paper: ICML 2024, https://arxiv.org/abs/2312.04511.

Kept of the paper: the planner writes a numbered list of calls with `$n` for the result of call n, ending in
`join()` (section 3.1); calls whose references are settled run at once (task fetching unit and executor,
sections 3.2 and 3.3); the joiner, given all observations, either finishes or asks for a new plan, which sees
the old one with its observations (dynamic replanning, section 3.4); the last round may not replan.

Necessarily changed: `$n` is a path into typed facts ("$1.items[0].name"), because a map tool brings more than
one value; what cannot be resolved is shown to planner and joiner as the observation of that call. Arguments
are JSON. The plan is read when it is complete: a `ChatModel` does not stream. Six model calls allow three
rounds.

References are paths into typed facts. One that leads nowhere is an error that is shown to the planner; it is
never passed on as a text (a known fault of ports of LLMCompiler).
"""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evals.methods.database import TakesSpatialTools
from evals.methods.loop import Episode, run_agent
from evals.methods.reading import read_call
from evals.methods.tools import Fetched, call_text
from evals.ports import EvalContext, Task
from map_tools.errors import PlanError
from map_tools.facts import Fact, FailureFact, NearbyFact, PlaceFact, RoutesFact, TravelFact
from map_tools.types import ID_PREFIX, Place
from mapagent.core.answer import Answer
from mapagent.core.ports import RequestContext, ToolCall

_REFERENCE = re.compile(r"\$\{?(\d+)((?:\.\w+|\[\d+\])*)\}?")
_PART = re.compile(r"\.(\w+)|\[(\d+)\]")

type Results = Mapping[int, Sequence[Fact]]
"""What the calls brought, by their numbers."""


def references(value: Any) -> frozenset[int]:
    """The numbers of the calls that an argument (or all arguments) refers to."""
    if isinstance(value, str):
        return frozenset(int(match[1]) for match in _REFERENCE.finditer(value))
    if isinstance(value, Mapping):
        value = list(value.values())
    return frozenset[int]().union(*map(references, value)) if isinstance(value, list) else frozenset()


def resolve(value: Any, results: Results) -> Any:
    """The argument with its references replaced.

    A text that is nothing but a reference becomes the value itself (a number, a list of names); inside a
    longer text the value is written out.

    Raises:
        PlanError: A reference leads nowhere, or to more than one value.
    """
    if isinstance(value, str):
        whole = _REFERENCE.fullmatch(value.strip())
        if whole is not None:
            return _value(whole, results)
        return _REFERENCE.sub(lambda match: str(_value(match, results)), value)
    if isinstance(value, Mapping):
        return {key: resolve(item, results) for key, item in value.items()}
    return [resolve(item, results) for item in value] if isinstance(value, list) else value


def _value(reference: re.Match[str], results: Results) -> Any:
    number, path = int(reference[1]), reference[2]
    if number not in results:
        raise PlanError(f"The reference {reference[0]} names no call that was made.")
    value: Any = tree(results[number])
    for key, index in _PART.findall(path):
        value = _part(value, key or int(index), reference[0], results[number])
    if isinstance(value, Mapping) or (
        isinstance(value, list) and any(isinstance(it, Mapping) for it in value)
    ):
        known = ", ".join(f"{reference[0]}{name}" for name in _next_parts(value))
        raise PlanError(f"The reference {reference[0]} is not a single value.", f"There is: {known}.")
    return value


def _part(value: Any, key: str | int, reference: str, facts: Sequence[Fact]) -> Any:
    if isinstance(key, str) and key.isdigit():
        key = int(key)
    if isinstance(value, Mapping) and key in value:
        return value[key]
    if isinstance(value, list) and isinstance(key, int) and key < len(value):
        return value[key]
    failures = " ".join(fact.message for fact in facts if isinstance(fact, FailureFact))
    known = ", ".join(_next_parts(value)) or "nothing"
    raise PlanError(f"The reference {reference} leads nowhere: there is {known}.", failures)


def _next_parts(value: Any) -> list[str]:
    if isinstance(value, Mapping):
        return [f".{name}" for name in value]
    return [f"[{index}]" for index in range(len(value))] if isinstance(value, list) else []


def tree(facts: Sequence[Fact]) -> dict[str, Any]:
    """Facts as names and lists that a path can follow.

    The first place found stands at the top ("$1.name"); below are `places`, `items` (of a Nearby list, with
    `distance_m`), `routes` and `legs` (with `duration_s`, `distance_m`), as far as there are any.
    """
    places = [_place(fact.place) for fact in facts if isinstance(fact, PlaceFact)]
    lists: dict[str, list[dict[str, Any]]] = {
        "places": places,
        "items": [
            _known({**_place(item.place), "distance_m": item.distance_m})
            for fact in facts
            if isinstance(fact, NearbyFact)
            for item in fact.items
        ],
        "routes": [
            _known(route.model_dump(include={"summary", "distance_m", "duration_s"}))
            for fact in facts
            if isinstance(fact, RoutesFact)
            for route in fact.routes
        ],
        "legs": [
            _known(fact.model_dump(include={"origin", "destination", "distance_m", "duration_s"}))
            for fact in facts
            if isinstance(fact, TravelFact)
        ],
    }
    return {**(places[0] if places else {}), **{name: found for name, found in lists.items() if found}}


def _place(place: Place) -> dict[str, Any]:
    told = place.model_dump(include={"name", "address", "phone", "website", "rating", "rating_count"})
    location = str(place.location) if place.location is not None else None
    return _known({**told, "id": f"{ID_PREFIX}{place.id}", "location": location})


def _known(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


PLAN_TOKENS = 500
NO_PLAN = "The plan has no calls."
ONLY_REPEATS = "The plan only repeats calls that were made before."

_LINE = re.compile(r"^\s*\$?(\d+)\s*[.):]\s*(?=\w+\s*[\[(])", re.MULTILINE)
_JOIN = "join"
_ACTION = re.compile(r"\b(Finish|Replan)\b\s*[\[(:]?\s*", re.IGNORECASE)

type Outcome = Fetched | PlanError
"""What became of a call: what it brought, or why it could not be made."""


@dataclass(frozen=True, slots=True)
class Node:
    """A call of a plan with its number."""

    number: int
    call: ToolCall

    def __str__(self) -> str:
        return f"{self.number}. {call_text(self.call)}"


class LlmCompiler(TakesSpatialTools):
    """The method `llm-compiler`."""

    name = "llm-compiler"

    async def answer(self, task: Task, context: EvalContext, request_context: RequestContext) -> Answer:
        """Answers one task."""
        return await run_agent(
            _compile, method=self.name, task=task, context=context, request_context=request_context
        )


async def _compile(episode: Episode) -> str:
    known: dict[int, Sequence[Fact]] = {}
    while episode.calls_left > 1:
        nodes = read_plan(await episode.ask("llm_compiler_plan", max_tokens=PLAN_TOKENS))
        outcomes = await _execute(nodes, known, episode)
        _note(nodes, outcomes, episode)
        fetched = {
            node.number: outcome
            for node, outcome in zip(nodes, outcomes, strict=True)
            if isinstance(outcome, Fetched)
        }
        known |= {number: outcome.facts for number, outcome in fetched.items()}
        if fetched and all(outcome.again for outcome in fetched.values()):
            episode.note(ONLY_REPEATS)
            break
        if nodes and not fetched:
            continue  # Nothing could be called: the planner is told why, there is nothing to join.
        if episode.calls_left == 1:
            break
        verdict = await episode.ask("llm_compiler_join")
        episode.note(verdict)
        if not wants_replan(verdict):
            return _final(verdict)
    return await episode.conclude()


def read_plan(text: str) -> tuple[Node, ...]:
    """The calls of a plan up to its `join()`; a line that holds no well-formed call is left out."""
    lines = list(_LINE.finditer(text))
    ends = [*(line.start() for line in lines[1:]), len(text)]
    nodes: list[Node] = []
    for line, end in zip(lines, ends, strict=False):
        call = read_call(text[line.end() : end])
        if call is None:
            continue
        if call.tool.casefold() == _JOIN:
            break
        nodes.append(Node(int(line[1]), call))
    return tuple(nodes)


async def _execute(nodes: tuple[Node, ...], known: Results, episode: Episode) -> tuple[Outcome, ...]:
    """Makes the calls, each as soon as those before it that it refers to are done.

    Raises:
        MapAgentError: The run as a whole cannot go on.
    """

    async def run(node: Node, before: dict[int, asyncio.Task[Outcome]]) -> Outcome:
        needed = references(node.call.arguments)
        visible = {number: facts for number, facts in known.items() if number not in before}
        for number in needed & before.keys():
            outcome = await before[number]
            if isinstance(outcome, Fetched):
                visible[number] = outcome.facts
        try:
            arguments = resolve(node.call.arguments, visible)
        except PlanError as error:
            return error
        return await episode.tools.fetch(ToolCall(tool=node.call.tool, arguments=arguments))

    running: list[asyncio.Task[Outcome]] = []
    try:
        async with asyncio.TaskGroup() as group:
            for node in nodes:
                # A call waits only for those before it, so no plan can wait for itself.
                before = {other.number: task for other, task in zip(nodes, running, strict=False)}
                running.append(group.create_task(run(node, before)))
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from None
    return tuple(task.result() for task in running)


def _note(nodes: tuple[Node, ...], outcomes: tuple[Outcome, ...], episode: Episode) -> None:
    """Plan and observations, for the joiner and the next planner."""
    episode.note("\n".join(["Plan:", *map(str, nodes)]) if nodes else NO_PLAN)
    for node, outcome in zip(nodes, outcomes, strict=True):
        shown = f"Not run. {outcome}" if isinstance(outcome, PlanError) else episode.tools.show(outcome.facts)
        episode.note(f"Observation of {node.number}: {shown}")


def wants_replan(verdict: str) -> bool:
    """True if the joiner's first action is to replan."""
    action = _ACTION.search(verdict)
    return action is not None and action[1].casefold() == "replan"


def _final(verdict: str) -> str:
    """What stands in the joiner's `Finish[...]`; the whole verdict where there is none."""
    action = _ACTION.search(verdict)
    return verdict[action.end() :].strip().rstrip("])") if action is not None else verdict
