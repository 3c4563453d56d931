"""What a run lost: facts that a source failed to bring and that the answer does not speak of.

Solvers leave out what is not known, and say so where they think of it. That a fact is not known because its
source failed, though, is said here, once for all solvers: nothing that was lost is passed over in silence.
"""

from collections.abc import Iterable

from map_tools.errors import LimitError, NoRouteError, ProviderError, UnsupportedError
from map_tools.facts import FailureFact
from map_tools.ids import ID_PREFIX
from mapagent.core.answer import Answer, Status
from mapagent.core.evidence import Evidence

SHOWN = 3
"""So many of the things that one failure is about are named."""
_OF_SOURCES = frozenset({ProviderError.code, LimitError.code})
_OF_WAYS = frozenset({NoRouteError.code, UnsupportedError.code})
_SETTLED = frozenset({Status.NOT_UNDERSTOOD, Status.AMBIGUOUS})
"""Endings that no further fact would change."""


def with_losses(answer: Answer, evidence: Iterable[Evidence]) -> Answer:
    """The answer with a warning for every loss that it does not name.

    Beside an answer, that a place is not on the map or two are not connected is an ordinary finding, which
    its solver weighed; only what a source failed to tell is a loss. Where there is no answer, each may be the
    reason.
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
    """True if a source failed; an id is always of its own giving, so it ought to know it.

    That it knows no way between two ids is a finding.
    """
    return fact.code in _OF_SOURCES or (fact.subject.startswith(ID_PREFIX) and fact.code not in _OF_WAYS)


def _sentence(message: str, subjects: Iterable[str]) -> str:
    """The failure with what it is about, unless it says so itself."""
    about = list(dict.fromkeys(subjects))
    if any(subject.removeprefix(ID_PREFIX) in message for subject in about):
        return message
    more = f" and {len(about) - SHOWN} more" if len(about) > SHOWN else ""
    return f"{message} This concerns: {'; '.join(about[:SHOWN])}{more}."
