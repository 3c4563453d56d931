"""A loop's outcome as evidence and solution, in the kernel's terms."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from map_tools.facts import Fact, FailureFact, NoteFact, PlaceFact
from mapagent.answer import Named, Quantity, Solution, Status
from mapagent.evidence import Evidence, Source
from mapagent.plan import Step
from mapagent.ports import Run
from modules.spatial_database.loop import End, Outcome, ReActLoop, Seen
from modules.spatial_database.loop_answer import Judged, judge

MAX_TEXT = 2_000
"""Characters of an observation that are kept as evidence; the trace has the whole."""
PARSER = "ParseQuestion"
NO_SUPPORT = "The model's answer is not supported by what the tools observed."


@dataclass(frozen=True, slots=True)
class Solved:
    """What a question came to.

    Attributes:
        status: As in `Solution`.
        reason: Why there is no answer.
        judged: The typed value with its support.
        outcome: The loop's calls and last words.
    """

    status: Status
    reason: str
    judged: Judged
    outcome: Outcome


async def solve(loop: ReActLoop, question: str) -> Solved:
    """Runs a loop; an answer that nothing supports is told to the model once, and then refused.

    Raises:
        ModelError: The server cannot be reached or refuses.
    """
    outcome = await loop.run(question)
    judged = _judged(outcome)
    if judged.problem and outcome.end is End.FINISHED:
        outcome = await loop.again(judged.problem)
        judged = _judged(outcome)
    if judged.value is not None:
        return Solved(Status.ANSWERED, "", judged, outcome)
    if outcome.end is End.LIMIT:
        return Solved(Status.LIMIT, outcome.reason, judged, outcome)
    reason = NO_SUPPORT if judged.problem else _why(outcome)
    return Solved(Status.UNANSWERABLE, reason, judged, outcome)


def evidence_of(solved: Solved, step: Step, run: Run, provider: str) -> tuple[Evidence, ...]:
    """A piece of evidence for each call, in their order; a supported value stands beside what supports it."""
    return tuple(
        run.evidence_of(
            step,
            _fact(seen, solved.judged if number in solved.judged.support else None),
            Source(
                tool=seen.move.tool,
                provider=provider,
                arguments={one.name: one.value for one in seen.move.arguments},
                time=run.clock.now(),
            ),
        )
        for number, seen in enumerate(solved.outcome.seen)
    )


def solution_of(solved: Solved, evidence: Sequence[Evidence]) -> Solution:
    """The solution, which cites what supports it."""
    cited = tuple(evidence[number].id for number in solved.judged.support)
    return Solution(
        status=solved.status,
        value=solved.judged.value,
        reason=solved.reason,
        explanation=_derivation(solved.outcome.seen),
        evidence_ids=cited,
    )


def _judged(outcome: Outcome) -> Judged:
    """The last words against what was observed; what only repeats the question supports nothing."""
    return judge(
        outcome.answer,
        [
            seen.observation.model_copy(update={"ok": seen.observation.ok and seen.move.tool != PARSER})
            for seen in outcome.seen
        ],
    )


def _why(outcome: Outcome) -> str:
    """The last thing that went wrong, else that the model found no answer."""
    failures = [seen.observation.text for seen in outcome.seen if not seen.observation.ok]
    return " ".join(("The model found no answer.", *failures[-1:]))


def _fact(seen: Seen, supported: Judged | None) -> Fact:
    observation = seen.observation
    if not observation.ok:
        return FailureFact(code=observation.code, message=observation.text, subject=seen.move.tool)
    value = supported.value if supported else None
    if isinstance(value, Named) and value.place is not None and value.place.name:
        return PlaceFact(query=value.name, place=value.place)
    text = f"{seen.move.tool}: {observation.text[:MAX_TEXT]}"
    return NoteFact(text=f"{text}\n{_stated(value)}" if isinstance(value, Quantity) else text)


def _stated(value: Quantity) -> str:
    """An amount with its unit, which rows of a query do not say."""
    return f"That is {value.value:.10g} {value.unit}."


def _derivation(calls: Iterable[Seen]) -> str:
    return "; ".join(seen.move.tool for seen in calls)
