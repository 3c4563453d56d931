"""LLMCompiler: a plan of calls that run in parallel, then join or replan (Kim et al. 2024).

Paper: ICML 2024, https://arxiv.org/abs/2312.04511.

Kept of the paper: the planner writes a numbered list of calls with `$n` for the result of call n, ending in
`join()` (section 3.1); calls whose references are settled run at once (task fetching unit and executor,
sections 3.2 and 3.3); the joiner, given all observations, either finishes or asks for a new plan, which
sees the old one with its observations (dynamic replanning, section 3.4); the last round may not replan.

Necessarily changed: `$n` is a path into typed facts ("$1.items[0].name"), because a map tool brings more
than one value; what cannot be resolved is shown to planner and joiner as the observation of that call.
Arguments are JSON. The plan is read when it is complete: a `ChatModel` does not stream. Six model calls
allow three rounds.
"""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass

from evals.methods.loop import Attempt, run_agent
from evals.methods.parsing import read_call
from evals.methods.references import Results, references, resolve
from evals.methods.spatial_tools import TakesSpatialTools
from evals.methods.tools import Fetched, call_text
from evals.ports import Desk, Task
from map_tools.errors import PlanError
from map_tools.facts import Fact
from mapagent.answer import Answer
from mapagent.ports import Account, ToolCall

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

    async def answer(self, task: Task, desk: Desk, account: Account) -> Answer:
        """Answers one task."""
        return await run_agent(_compile, method=self.name, task=task, desk=desk, account=account)


async def _compile(attempt: Attempt) -> str:
    known: dict[int, Sequence[Fact]] = {}
    while attempt.calls_left > 1:
        nodes = read_plan(await attempt.ask("llm_compiler_plan", max_tokens=PLAN_TOKENS))
        outcomes = await _execute(nodes, known, attempt)
        _note(nodes, outcomes, attempt)
        fetched = {
            node.number: outcome
            for node, outcome in zip(nodes, outcomes, strict=True)
            if isinstance(outcome, Fetched)
        }
        known |= {number: outcome.facts for number, outcome in fetched.items()}
        if fetched and all(outcome.again for outcome in fetched.values()):
            attempt.note(ONLY_REPEATS)
            break
        if nodes and not fetched:
            continue  # Nothing could be called: the planner is told why, there is nothing to join.
        if attempt.calls_left == 1:
            break
        verdict = await attempt.ask("llm_compiler_join")
        attempt.note(verdict)
        if not wants_replan(verdict):
            return _final(verdict)
    return await attempt.conclude()


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


async def _execute(nodes: tuple[Node, ...], known: Results, attempt: Attempt) -> tuple[Outcome, ...]:
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
        return await attempt.tools.fetch(ToolCall(tool=node.call.tool, arguments=arguments))

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


def _note(nodes: tuple[Node, ...], outcomes: tuple[Outcome, ...], attempt: Attempt) -> None:
    """Plan and observations, for the joiner and the next planner."""
    attempt.note("\n".join(["Plan:", *map(str, nodes)]) if nodes else NO_PLAN)
    for node, outcome in zip(nodes, outcomes, strict=True):
        shown = f"Not run. {outcome}" if isinstance(outcome, PlanError) else attempt.tools.show(outcome.facts)
        attempt.note(f"Observation of {node.number}: {shown}")


def wants_replan(verdict: str) -> bool:
    """True if the joiner's first action is to replan."""
    action = _ACTION.search(verdict)
    return action is not None and action[1].casefold() == "replan"


def _final(verdict: str) -> str:
    """What stands in the joiner's `Finish[...]`; the whole verdict where there is none."""
    action = _ACTION.search(verdict)
    return verdict[action.end() :].strip().rstrip("])") if action is not None else verdict
