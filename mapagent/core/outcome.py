"""What became of a run as a whole: an answer says so where a limit or a failure cut the run short.

Modules conclude from the evidence they have. That the evidence is short because a budget was spent or a
module broke is known to the kernel, so the status is set right here, once for all modules.
"""

from collections.abc import Iterable
from typing import Any

from map_tools.errors import LimitError, ToolError
from map_tools.facts import FailureFact
from mapagent.core.answer import Answer, Status
from mapagent.core.evidence import Evidence
from mapagent.runtime.ledger import Limits

_TOOL_CODES = frozenset({ToolError.code, *(kind.code for kind in ToolError.__subclasses__())})
"""Failures of single calls: the rest of the run went on without them."""


def rounds_spent(limits: Limits) -> FailureFact:
    """The failure of a run whose rounds of map calls are used up."""
    return FailureFact(
        code=LimitError.code,
        message=f"The limit of {limits.max_rounds} rounds of map calls is reached.",
        remedy="Raise max_rounds.",
    )


def honest(answer: Answer, evidence: tuple[Evidence, ...]) -> Answer:
    """The answer with the status and reason that the failures of its run demand.

    A found answer stands, as the best supported one, with the status `LIMIT` if a limit was reached. Where
    there is none, a limit or a broken module is the reason, not the question; an option such as "cannot be
    determined" is then not chosen either.
    """
    failures = _about_the_run(evidence)
    if not failures:
        return answer
    limited = any(fact.code == LimitError.code for fact in failures)
    messages = tuple(dict.fromkeys(f"{fact.message} {fact.remedy}".strip() for fact in failures))
    if answer.status is Status.ANSWERED:
        return answer.model_copy(
            update={
                "status": Status.LIMIT if limited else Status.ANSWERED,
                "reason": " ".join(messages) if limited else answer.reason,
                "warnings": (*answer.warnings, *messages),
            }
        )
    if answer.status not in (Status.UNANSWERABLE, Status.ERROR):
        return answer
    status = _status(answer.status, failures, limited=limited)
    told = (message for message in messages if message not in answer.reason)
    update: dict[str, Any] = {"status": status, "reason": " ".join((*told, answer.reason)).strip()}
    if status is not Status.UNANSWERABLE:
        update |= {"text": "", "option": None, "option_index": None}
    return answer.model_copy(update=update)


def _status(before: Status, failures: tuple[FailureFact, ...], *, limited: bool) -> Status:
    broken = any(fact.code not in {LimitError.code, *_TOOL_CODES} for fact in failures)
    if broken:
        return Status.ERROR
    return Status.LIMIT if limited else before


def _about_the_run(evidence: Iterable[Evidence]) -> tuple[FailureFact, ...]:
    """Failures of the run itself; those with a subject are about a place or a way, the modules' matter."""
    return tuple(
        item.value for item in evidence if isinstance(item.value, FailureFact) and not item.value.subject
    )
