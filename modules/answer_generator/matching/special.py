"""Options that are no answer of their own: "None of these", "Cannot be determined"."""

from typing import Literal

from mapagent.core.answer import Quantity, Value
from mapagent.core.question import Question
from modules.answer_generator.matching.amounts import counts
from modules.answer_generator.matching.outcome import Choices, Option
from modules.answer_generator.vocabulary import phrases
from modules.names import normalise

type Special = Literal["none", "unknown"]

BARE_NONE = "none"
"""Zero for a count, "none of these" for everything else."""


def special_kind(text: str, *, counting: bool = False) -> Special | None:
    """What kind of no-answer an option is; None for an ordinary option.

    A phrase of several words may go on ("None of the above routes"); a single word stands alone.
    """
    folded = normalise(text)
    if folded == BARE_NONE:
        return None if counting else "none"
    kinds: tuple[Special, Special] = ("unknown", "none")
    for kind in kinds:
        for phrase in phrases("special", kind):
            if folded == phrase or (" " in phrase and folded.startswith(f"{phrase} ")):
                return kind
    return None


def ordinary(question: Question, value: Value) -> Choices:
    """The options a value can mean."""
    counting = isinstance(value, Quantity) and value.unit == "count"
    options = tuple(
        Option(index, text)
        for index, text in question.live_options()
        if special_kind(text, counting=counting) is None
    )
    return Choices(question=question, options=options)


def option_for_unanswerable(question: Question) -> Option | None:
    """The option that says that the question has no answer; "cannot tell" before "none of these".

    A bare "None" among numbers is a zero.
    """
    counting = any(counts(text) for _, text in question.live_options() if normalise(text) != BARE_NONE)
    return _longest(question, "unknown", counting=counting) or _longest(question, "none", counting=counting)


def none_of_these(question: Question) -> Option | None:
    """The option that says that no other option is right."""
    return _longest(question, "none")


def _longest(question: Question, kind: Special, *, counting: bool = False) -> Option | None:
    """The option of this kind; of several the longest, for their order tells nothing."""
    found = [
        Option(index, text)
        for index, text in question.live_options()
        if special_kind(text, counting=counting) == kind
    ]
    return max(found, key=lambda option: (len(option.text), option.text), default=None)
