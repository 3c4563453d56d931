"""Runs a program to its end: evaluate, fetch what is missing in one parallel round, evaluate again."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from map_tools.errors import LimitError
from map_tools.facts import FailureFact
from mapagent.evidence import Evidence
from mapagent.ports import ToolCall
from modules.query.interpreter.context import Derived, Facts, Situation
from modules.query.interpreter.evaluator import Evaluator
from modules.query.interpreter.fetching import Fetch, fetches, module_reply, replies
from modules.query.interpreter.requests import CellRequest, ModuleRequest, Reply, Request
from modules.query.language import syntax
from modules.query.operators.base import Operator
from modules.query.values.things import Finished
from modules.query.values.unknown import Unknown, Why

MAX_NEEDS = 200
"""Requests of a round, cells of a matrix not counted one by one."""
MAX_CELLS = 2_500
"""Cells of a round: 50 × 50, what map services answer at once at most."""


class Caller(Protocol):
    """Makes map-tool calls for a program."""

    async def call(self, statement: int, call: ToolCall) -> tuple[Evidence, ...]:
        """The evidence that a call brings, charged to a statement of the program."""
        ...

    async def fetch(self, statement: int, request: ModuleRequest) -> tuple[Evidence, ...]:
        """The evidence that a module brings."""
        ...

    def left(self) -> int:
        """How many calls may still be made."""
        ...

    def rounds(self) -> int:
        """How many rounds may be made in all."""
        ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run of a program came to.

    Attributes:
        finished: What its last line gives.
        values: The values of its names.
        warnings: What the asker should know.
        assumptions: What was taken for granted.
        derivation: What each node came to, and on what evidence; with the evidence, the program and the situation
            it is all that a second evaluation needs.
        facts: Requests and replies.
        situation: Where, when and over what it ran.
        rounds: How many rounds of fetching it took.
        calls: How many map-tool calls were made.
    """

    finished: Finished
    values: Mapping[str, Any]
    warnings: tuple[str, ...]
    assumptions: tuple[str, ...]
    derivation: tuple[Derived, ...]
    facts: Facts
    situation: Situation
    rounds: int = 0
    calls: int = 0
    sure: float = 1.0
    """How sure the modules are of what they found."""
    runners_up: tuple[Any, ...] = ()
    """What comes next where the main value is not among the options."""


async def run(
    program: syntax.Program,
    situation: Situation,
    operators: Mapping[str, Operator],
    caller: Caller,
    facts: Facts | None = None,
) -> Outcome:
    """Runs a checked program.

    Args:
        program: The program.
        situation: Where, when and over what.
        operators: By name.
        caller: Makes the map-tool calls.
        facts: What is known already, from an earlier program of the same question.

    Raises:
        ProgramError: Values of the wrong type meet.
    """
    facts = facts or Facts()
    rounds = calls = 0
    while True:
        evaluator = Evaluator(program, operators, facts, situation)
        try:
            result: Any = (
                await asyncio.to_thread(evaluator.run) if rounds and _is_heavy(facts) else evaluator.run()
            )
        except LimitError as error:
            result = Finished(Unknown(Why.LIMIT, str(error)))
        if result is not None or not facts.wanted:
            break
        wanted = dict(facts.wanted)
        rounds += 1
        refused = _over_limit(wanted, caller, rounds)
        if refused is not None:
            facts.take(dict.fromkeys(wanted, Reply(failure=refused)))
            continue
        made = fetches(one for one in wanted if not isinstance(one, ModuleRequest))
        asked = [one for one in wanted if isinstance(one, ModuleRequest)]
        calls += len(made)
        results = await asyncio.gather(
            *(caller.call(_statement(fetch, wanted), fetch.call) for fetch in made),
            *(caller.fetch(wanted[one], one) for one in asked),
        )
        for fetch, evidence in zip(made, results, strict=False):
            facts.take(replies(fetch, evidence))
        for request, evidence in zip(asked, results[len(made) :], strict=True):
            facts.take({request: module_reply(evidence)})
    finished = _finished(result)
    return Outcome(
        finished=finished,
        values=evaluator.values,
        warnings=tuple(evaluator.context.warnings),
        assumptions=tuple(evaluator.context.assumptions),
        derivation=tuple(evaluator.context.derivation),
        facts=facts,
        situation=situation,
        rounds=rounds,
        calls=calls,
        runners_up=_runners_up(finished.value, evaluator),
        sure=evaluator.context.sure,
    )


def _runners_up(value: Any, evaluator: Evaluator) -> tuple[Any, ...]:
    """What was ranked behind the main value when it was chosen."""
    rankings = reversed(evaluator.context.rankings)
    return next((others for chosen, others in rankings if chosen is value), ())


def _is_heavy(facts: Facts) -> bool:
    """Whether evaluating may take long enough to disturb the event loop."""
    return sum(len(getattr(reply.fact, "items", ())) for reply in facts.known.values()) > 1_000


def _statement(fetch: Fetch, wanted: Mapping[Request, int]) -> int:
    return min(wanted[request] for request in fetch.requests)


def _over_limit(wanted: Iterable[Request], caller: Caller, rounds: int) -> FailureFact | None:
    """Why a round is not fetched: it is priced before, and never cut in silence."""
    requests = list(wanted)
    cells = sum(isinstance(request, CellRequest) for request in requests)
    others = len(requests) - cells
    if cells > MAX_CELLS or others > MAX_NEEDS:
        said = f"{cells} ways" if cells > MAX_CELLS else f"{others} look-ups"
        return _refusal(f"This program needs {said} at once.", "Narrow its lists: within=, inside=, [:50].")
    calls = len(fetches(one for one in requests if not isinstance(one, ModuleRequest)))
    if calls > caller.left():
        return _refusal(
            f"This program needs {calls} more map calls, and {caller.left()} are left.",
            "Narrow its lists, or raise max_tool_calls.",
        )
    if rounds > caller.rounds():
        return _refusal(f"The program needs more than {caller.rounds()} rounds.", "Raise max_rounds.")
    return None


def _refusal(message: str, remedy: str) -> FailureFact:
    return FailureFact(code=LimitError.code, message=message, remedy=remedy)


def _finished(result: Any) -> Finished:
    if isinstance(result, Finished):
        return result
    if isinstance(result, Unknown):
        return Finished(result)
    return Finished(Unknown(Why.FAILED, "The program could not be worked out: facts are missing."))
