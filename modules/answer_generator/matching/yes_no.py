"""Matching yes and no, with or without an explanation behind it ("Yes, because it closes at 5 PM")."""

from mapagent.core.answer import YesNo
from modules.answer_generator.matching.outcome import SAME, Choices, Fit, Match, NoMatch, decide
from modules.answer_generator.vocabulary import has_phrase, phrases
from modules.names import normalise

NEGATIVE_STATES = ("closed", "impossible", "unavailable", "infeasible")
"""States a question may ask for ("Is it closed?"): an option naming one then means yes."""


def match_yes_no(value: YesNo, choices: Choices) -> Match | NoMatch:
    """The option that says yes or no."""
    fits = [
        Fit(option, SAME if polarity(option.text, choices.question.text) is value.value else 0.0)
        for option in choices.options
    ]
    return decide(fits, floor=SAME, how="yes or no", shown="yes" if value.value else "no")


def polarity(text: str, question: str = "") -> bool | None:
    """True for yes, False for no, None if a text says neither.

    The first word decides if it is yes or no; otherwise any negative phrase, then any positive one. A state
    the question itself asks for counts as yes.
    """
    folded = normalise(text)
    first = folded.split()[0] if folded else ""
    if first in {"yes", "yeah", "yep", "true"}:
        return True
    if first in {"no", "nope", "false"}:
        return False
    state = next((word for word in NEGATIVE_STATES if has_phrase(folded, (word,))), None)
    if state is not None and has_phrase(question, (state,)):
        return not has_phrase(folded, ("not",))
    if has_phrase(folded, phrases("polarity", "no")):
        return False
    if has_phrase(folded, phrases("polarity", "yes")):
        return not any(has_phrase(question, (word,)) for word in NEGATIVE_STATES)
    return None
