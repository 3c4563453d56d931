"""Runs a program to its end: evaluate, fetch what is missing in one parallel round, evaluate again."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from map_tools.errors import LimitError
from map_tools.facts import FailureFact
from mapagent.core.answer import Evidence
from mapagent.core.ports import ToolCall
from modules.query.interpreter.context import (
    CellRequest,
    Derived,
    Facts,
    ModuleRequest,
    Reply,
    Request,
    ShapeRequest,
    Situation,
)
from modules.query.interpreter.evaluator import Evaluator
from modules.query.interpreter.fetching import MAX_CELLS, Fetch, fetches, module_reply, replies
from modules.query.interpreter.several import asks_which, sole_ambiguity, united
from modules.query.language import syntax
from modules.query.operators.base import Operator
from modules.query.values.amount import Amount
from modules.query.values.things import Finished, Thing
from modules.query.values.unknown import WAIT, Unknown, Why

MAX_NEEDS = 1_000
"""Requests of a round, cells of a matrix and shapes not counted one by one: as many calls as a question may make of
a map on this machine."""
MAX_SHAPES = 2_000
"""Maximum number of shapes in a round: a map on this machine returns them in seconds."""

_TOO_LARGE = "A number or a time of the program is larger than any that can be reckoned with."


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

    def rounds_spent(self) -> FailureFact | None:
        """Why no further round may be made; None if one may."""
        ...

    def begin_round(self) -> None:
        """Counts a round."""
        ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of running a program.

    Attributes:
        finished: The result of its last line.
        values: The values of its names.
        warnings: What the asker should know.
        assumptions: Assumptions that were made.
        explanations: Why things were chosen.
        derivation: The value of each node, and its evidence; with the evidence, the program and the situation
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
    """Confidence of the modules in what they found, 0 to 1."""
    runners_up: tuple[Any, ...] = ()
    """The runners-up, for when the main value is not among the options."""
    alternatives: tuple["Outcome", ...] = ()
    """If a name was that of several places: the outcome of the program for each of those that the value holds for
    (`modules.query.interpreter.several`)."""
    explanations: tuple[str, ...] = ()
    lines: tuple[tuple[Amount, Thing, Thing], ...] = ()
    """Straight lines that were measured, each with its ends."""

    def reached(self) -> Iterator[Derived]:
        """The parts of the program that were worked out outside its lambdas, without looking up words as places."""
        return (one for one in self.derivation if not one.path and one.operator != "look-up")


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
    rounds = _Rounds(program, situation, operators, caller)
    (outcome,) = await rounds.outcomes([facts or Facts()])
    ambiguity = sole_ambiguity(outcome)
    if ambiguity is None or asks_which(program):
        return outcome
    each = await rounds.outcomes(list(ambiguity.facts(outcome.facts)))
    return replace(united(outcome, ambiguity, each), rounds=rounds.made, calls=rounds.calls)


class _Rounds:
    """Evaluates a program over one or several states of knowledge, in rounds that fetch for all of them.

    Args:
        program: A checked program.
        situation: Where, when and over what.
        operators: By name.
        caller: Makes the map-tool calls.
    """

    def __init__(
        self,
        program: syntax.Program,
        situation: Situation,
        operators: Mapping[str, Operator],
        caller: Caller,
    ) -> None:
        self._program = program
        self._situation = situation
        self._operators = operators
        self._caller = caller
        self.made = 0
        self.calls = 0

    async def outcomes(self, states: Sequence[Facts]) -> list[Outcome]:
        """What the program comes to over each state of knowledge.

        Raises:
            ProgramError: Values of the wrong type meet.
        """
        ended: dict[int, tuple[Evaluator, Any]] = {}
        while len(ended) < len(states):
            for number, facts in enumerate(states):
                if number not in ended:
                    evaluator, result = await self._pass(facts)
                    if result is not None or not facts.wanted:
                        ended[number] = evaluator, result
            open_ = [facts for number, facts in enumerate(states) if number not in ended]
            wanted: dict[Request, int] = {}
            for facts in open_:
                wanted |= facts.wanted
            if wanted:
                replies_ = await self._fetched(wanted)
                for facts in open_:
                    facts.take({one: replies_[one] for one in facts.wanted})
        return [self._outcome(states[number], *ended[number]) for number in range(len(states))]

    async def _pass(self, facts: Facts) -> tuple[Evaluator, Any]:
        evaluator = Evaluator(self._program, self._operators, facts, self._situation)
        try:
            if self.made and _is_heavy(facts):
                return evaluator, await asyncio.to_thread(evaluator.run)
            return evaluator, evaluator.run()
        except LimitError as error:
            return evaluator, Finished(Unknown(Why.LIMIT, str(error)))
        except OverflowError:
            return evaluator, Finished(Unknown(Why.LIMIT, _TOO_LARGE))

    async def _fetched(self, wanted: Mapping[Request, int]) -> dict[Request, Reply]:
        """The replies of one parallel round."""
        database = self._situation.database
        self.made += 1
        refused = _over_limit(wanted, self._caller, database=database)
        if refused is not None:
            return dict.fromkeys(wanted, Reply(failure=refused))
        self._caller.begin_round()
        made = fetches((one for one in wanted if not isinstance(one, ModuleRequest)), database=database)
        asked = [one for one in wanted if isinstance(one, ModuleRequest)]
        self.calls += len(made)
        results = await asyncio.gather(
            *(self._caller.call(_statement(fetch, wanted), fetch.call) for fetch in made),
            *(self._caller.fetch(wanted[one], one) for one in asked),
        )
        found: dict[Request, Reply] = {}
        for fetch, evidence in zip(made, results, strict=False):
            found |= replies(fetch, evidence)
        for request, evidence in zip(asked, results[len(made) :], strict=True):
            found[request] = module_reply(evidence)
        return found

    def _outcome(self, facts: Facts, evaluator: Evaluator, result: Any) -> Outcome:
        finished = _finished(result)
        return Outcome(
            finished=finished,
            values={name: value for name, value in evaluator.values.items() if value is not WAIT},
            warnings=tuple(evaluator.context.warnings),
            assumptions=tuple(evaluator.context.assumptions),
            explanations=tuple(evaluator.context.explanations),
            derivation=tuple(evaluator.context.derivation),
            facts=facts,
            situation=self._situation,
            rounds=self.made,
            calls=self.calls,
            runners_up=_runners_up(finished.value, evaluator),
            lines=tuple(evaluator.context.lines),
            sure=evaluator.context.sure,
        )


def _runners_up(value: Any, evaluator: Evaluator) -> tuple[Any, ...]:
    """The things ranked after the main value when it was chosen."""
    rankings = reversed(evaluator.context.rankings)
    return next((others for chosen, others in rankings if chosen is value), ())


def _is_heavy(facts: Facts) -> bool:
    """Whether evaluating may take long enough to disturb the event loop."""
    return sum(len(getattr(reply.fact, "items", ())) for reply in facts.known.values()) > 1_000


def _statement(fetch: Fetch, wanted: Mapping[Request, int]) -> int:
    return min(wanted[request] for request in fetch.requests)


def _over_limit(wanted: Iterable[Request], caller: Caller, *, database: bool) -> FailureFact | None:
    """Why a round is not fetched; its cost is computed in advance, and it is never cut silently."""
    requests = list(wanted)
    kinds = Counter(map(type, requests))
    others = len(requests) - kinds[CellRequest] - kinds[ShapeRequest]
    for number, most, named in (
        (kinds[CellRequest], MAX_CELLS, "ways"),
        (kinds[ShapeRequest], MAX_SHAPES, "outlines"),
        (others, MAX_NEEDS, "look-ups"),
    ):
        if number > most:
            return _refusal(
                f"This program needs {number} {named} at once.", "Narrow its lists: within=, inside=, [:50]."
            )
    calls = len(fetches((one for one in requests if not isinstance(one, ModuleRequest)), database=database))
    if calls > caller.left():
        return _refusal(
            f"This program needs {calls} more map calls, and {caller.left()} are left.",
            "Narrow its lists, or raise max_tool_calls.",
        )
    return caller.rounds_spent()


def _refusal(message: str, remedy: str) -> FailureFact:
    return FailureFact(code=LimitError.code, message=message, remedy=remedy)


def _finished(result: Any) -> Finished:
    if isinstance(result, Finished):
        return result
    if isinstance(result, Unknown):
        return Finished(result)
    return Finished(Unknown(Why.FAILED, "The program could not be worked out: facts are missing."))
