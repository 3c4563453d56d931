"""What questions, maps and pages say is data: it is put between marks that nothing inside it can close."""

from rapidfuzz import fuzz

from mapagent.facttext import clean
from mapagent.question import Question
from modules.planner.conversation import clipped
from modules.names import normalise

QUOTED_SCORE = 88
"""Words this alike (0 to 100) to a stretch of a text count as quoted from it: one slip in eight letters."""
OPTION_TOKENS = 40
"""So much of each option is shown to the model."""
MAX_OPTION_TOKENS = 400
"""So much all options may take together."""

_HARMLESS = str.maketrans({"<": "‹", ">": "›"})


def data(text: str) -> str:
    """A text as data: one line, without the brackets that marks are made of."""
    return clean(text).translate(_HARMLESS)


def options_text(question: Question) -> str:
    """The options by their letters, one a line; empty without options."""
    live = question.live_options()
    each = min(OPTION_TOKENS, MAX_OPTION_TOKENS // max(len(live), 1))
    return "\n".join(f"{question.letter(index)}. {clipped(data(text), each)}" for index, text in live)


def asked_text(question: Question) -> str:
    """The question with its options, for a prompt."""
    options = options_text(question)
    return f"{data(question.text)}\nOptions:\n{options}" if options else data(question.text)


def is_quoted(words: str, *texts: str) -> bool:
    """True if these words stand in one of the texts, small slips and endings forgiven."""
    wanted = normalise(words)
    if not wanted:
        return False
    return any(
        f" {wanted} " in f" {folded} " or fuzz.partial_ratio(wanted, folded) >= QUOTED_SCORE
        for folded in map(normalise, texts)
        if len(folded) >= len(wanted) - 1
    )
