"""What reasoners share: an intent's calls and its conclusion, both worked out by the intent's solver."""

from collections.abc import Iterable
from typing import Any

from map_tools.facts import NoteFact
from mapagent.answer import Solution, Status
from mapagent.evidence import Evidence
from mapagent.ports import ToolCall, Understanding
from mapagent.question import Question
from modules.needs import Need
from modules.view import View


def calls_of_intent(
    question: Question, understanding: Understanding, evidence: tuple[Evidence, ...]
) -> tuple[ToolCall, ...]:
    """The calls that fetch what the solver of the intent still needs; none without an intent."""
    from modules.map_service.calls import calls_for
    from modules.solvers import solve

    if understanding.intent is None:
        return ()
    view = View(evidence, question, closed=False, now=understanding.now)
    solve(understanding.intent, view)
    return calls_for(view.needs)


def solution_of_intent(
    question: Question, understanding: Understanding, evidence: tuple[Evidence, ...], *, closed: bool
) -> Solution:
    """What the solver of the intent makes of the evidence; the reading's status and reason without an intent.

    Args:
        question: As it came in.
        understanding: What was made of it.
        evidence: All evidence so far.
        closed: No further fact can be fetched.
    """
    from modules.solvers import solve

    if understanding.intent is None:
        return Solution(status=Status.NOT_UNDERSTOOD, reason=understanding.reason)
    view = View(evidence, question, closed=closed, now=understanding.now)
    solution: Solution | None = solve(understanding.intent, view)
    if solution is not None:
        return solution
    missing = "; ".join(_describe(need) for need in view.needs)
    return Solution(status=Status.UNANSWERABLE, reason=f"Facts are missing: {missing or 'no evidence'}.")


def has_prose(evidence: Iterable[Evidence]) -> bool:
    """True if a supplied text says something that its reader made no fact of: only words can tell it."""
    return any(isinstance(item.value, NoteFact) for item in evidence)


def _describe(need: Need) -> str:
    values: dict[str, Any] = need.model_dump(exclude_none=True, exclude={"kind"})
    return f"{need.kind} ({', '.join(value for value in values.values() if isinstance(value, str))})"
