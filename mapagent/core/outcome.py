"""The status of a run as a whole, and the warnings that its answer must carry.

Modules conclude from the evidence they have. Only the kernel knows that evidence is missing because a budget was
spent or a module failed, so it corrects the status here, once for all modules. It also adds the warnings: about what
a source failed to provide, and those that belong to routes and travel times.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from map_tools.errors import LimitError, NoRouteError, ProviderError, ToolError, UnsupportedError
from map_tools.facts import FailureFact, ReachFact, RoutesFact, TravelFact
from map_tools.providers.base import Terms
from map_tools.types import ID_PREFIX
from mapagent.core.answer import Answer, Evidence, Status
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


SHOWN = 3
"""Maximum number of subjects named for one failure."""
_OF_SOURCES = frozenset({ProviderError.code, LimitError.code})
_OF_WAYS = frozenset({NoRouteError.code, UnsupportedError.code})
_SETTLED = frozenset({Status.NOT_UNDERSTOOD, Status.AMBIGUOUS})
"""Statuses that no further fact would change."""


def with_losses(answer: Answer, evidence: Iterable[Evidence]) -> Answer:
    """The answer with a warning for every failure that it does not mention.

    If there is an answer, a place that is not on the map or two that are not connected are ordinary findings,
    which its solver weighed; only what a source failed to provide is a loss. If there is none, any of these may
    be the reason.
    """
    if answer.status in _SETTLED:
        return answer
    said = "\n".join((answer.text, answer.reason, *answer.warnings))
    told: dict[str, list[str]] = {}
    for item in evidence:
        fact = item.value
        if not isinstance(fact, FailureFact) or not fact.subject or fact.message in said:
            continue
        if answer.status is not Status.ANSWERED or _is_of_source(fact):
            told.setdefault(fact.message, []).append(fact.subject)
    losses = tuple(_sentence(message, subjects) for message, subjects in told.items())
    return answer.model_copy(update={"warnings": (*answer.warnings, *losses)}) if losses else answer


def _is_of_source(fact: FailureFact) -> bool:
    """True if a source failed, also if it does not know an id, since it issued all ids itself.

    That it knows no way between two ids is a finding, not a failure.
    """
    return fact.code in _OF_SOURCES or (fact.subject.startswith(ID_PREFIX) and fact.code not in _OF_WAYS)


def _sentence(message: str, subjects: Iterable[str]) -> str:
    """The message of a failure with its subjects, unless it names them itself."""
    about = list(dict.fromkeys(subjects))
    if any(subject.removeprefix(ID_PREFIX) in message for subject in about):
        return message
    more = f" and {len(about) - SHOWN} more" if len(about) > SHOWN else ""
    return f"{message} This concerns: {'; '.join(about[:SHOWN])}{more}."


def travel_notices(evidence: Iterable[Evidence], terms: Terms | None) -> tuple[str, ...]:
    """The warnings of all routes, travel times and reachable areas among the evidence, each once.

    They are the source's own and those that its terms require. Google's, for one, ask that a route's warnings are shown
    with it, and a sentence with every way on foot or by bicycle
    (https://developers.google.com/maps/documentation/routes/reference/rest/v2/TopLevel/computeRoutes, `warnings` and
    `travelMode`).

    Args:
        evidence: What was found.
        terms: The provider's terms; None if only supplied text was read.
    """
    return tuple(dict.fromkeys(_warnings(evidence, terms)))


def _warnings(evidence: Iterable[Evidence], terms: Terms | None) -> Iterator[str]:
    for item in evidence:
        fact = item.value
        if not isinstance(fact, RoutesFact | TravelFact | ReachFact):
            continue
        if isinstance(fact, RoutesFact):
            for route in fact.routes:
                yield from route.warnings
        # Text supplied with the question is under no provider's terms.
        if terms is not None and item.source.provider and fact.mode in terms.travel_warnings:
            yield terms.travel_warnings[fact.mode]
