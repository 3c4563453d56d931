"""What became of a question while servers failed: right, refused with the reason, wrong, hung or crashed."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from map_tools.errors import MapAgentError
from map_tools.facts import FailureFact
from mapagent.answer import Answer, Status

MODULE_BROKE = "module"
"""Code of the failure that stands for an exception nobody foresaw (`mapagent.runstate`)."""


class Fate(StrEnum):
    """How a question ended, compared with how it ends while nothing fails."""

    RIGHT = "right"
    AS_USUAL = "as usual"
    """Not right, and not right without faults either."""
    REFUSED = "refused"
    """No answer, with a reason that names what was lost."""
    REFUSED_UNNAMED = "refused, loss not named"
    FLAGGED = "wrong, flagged"
    """A wrong answer that says what it lacks."""
    SILENT = "wrong, not flagged"
    HUNG = "hung"
    CRASHED = "crashed"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One question, asked once.

    Attributes:
        id: The question's.
        right: Whether the answer is the right one.
        answered: Whether there was an answer at all.
        said: The answer's words, reason and warnings.
        warnings: What was said beside the answer.
        unnamed: What was lost and is named nowhere.
        hung: It was still running long after its deadline.
        crash: The exception that came out, empty if none did.
        seconds: Wall time.
    """

    id: str
    right: bool = False
    answered: bool = False
    said: str = ""
    warnings: frozenset[str] = frozenset()
    unnamed: tuple[str, ...] = ()
    hung: bool = False
    crash: str = ""
    seconds: float = 0.0

    @classmethod
    def of_answer(cls, id: str, answer: Answer, *, right: bool, seconds: float) -> "Outcome":  # noqa: A002
        """The outcome of an answer."""
        said = " ".join((answer.text, answer.reason, *answer.warnings))
        failures = [item.value for item in answer.evidence if isinstance(item.value, FailureFact)]
        broken = [fact.message for fact in failures if fact.code == MODULE_BROKE]
        return cls(
            id,
            right=right,
            answered=answer.status is Status.ANSWERED,
            said=said,
            warnings=frozenset(answer.warnings),
            unnamed=tuple(_unnamed(failures, said)),
            crash="; ".join(broken),
            seconds=seconds,
        )

    @classmethod
    def of_error(cls, id: str, error: MapAgentError, seconds: float) -> "Outcome":  # noqa: A002
        """The outcome of a question that an error of the product ended: its sentence is the reason."""
        return cls(id, said=str(error), seconds=seconds)


def fate(outcome: Outcome, usual: Outcome) -> Fate:
    """How a question ended.

    Args:
        outcome: While servers fail.
        usual: The same question while they do not.
    """
    if outcome.crash or outcome.hung:
        return Fate.CRASHED if outcome.crash else Fate.HUNG
    if outcome.right:
        return Fate.RIGHT
    named = bool(outcome.said.strip()) and not outcome.unnamed
    if not outcome.answered:
        if not named:
            return Fate.REFUSED_UNNAMED
        return Fate.REFUSED if usual.right else Fate.AS_USUAL
    if not usual.right:
        return Fate.AS_USUAL
    return Fate.FLAGGED if named and outcome.warnings - usual.warnings else Fate.SILENT


def _unnamed(failures: Iterable[FailureFact], said: str) -> Iterable[str]:
    """The failures of which neither the subject nor the message is said."""
    folded = said.casefold()
    for fact in failures:
        subjects = [part for part in fact.subject.split(" → ") if part]
        named = bool(subjects) and all(part.casefold() in folded for part in subjects)
        if not named and fact.message.casefold() not in folded:
            yield f"{fact.subject}: {fact.message}"
