"""Reads the parts of a question before any grammar is tried."""

from mapagent.ports import NameHints
from modules.offline import scan
from modules.offline.analysis import Analysis
from modules.offline.known import known_names
from modules.offline.lexicon import lexicon
from modules.offline.mentions import find_mentions
from modules.offline.options import kind_of
from modules.offline.speaker import in_first_person
from modules.offline.spelling import corrected
from modules.offline.tokens import sentence_of, tidy, tokenise


def analyse(text: str, names: NameHints | None = None, options: tuple[str, ...] = ()) -> Analysis:
    """Analyses a question.

    Args:
        text: The question as written.
        names: Tells names from other words where a look-up costs nothing.
        options: The answers to choose from.
    """
    plain = in_first_person(corrected(tidy(text)))
    tokens = tokenise(plain)
    live = tuple(option.strip() for option in options if option.strip())
    analysis = Analysis(plain, live, kind_of(live), tokens, sentence_of(tokens), lexicon().find(tokens))
    scan.quantities(analysis)
    scan.kinds(analysis)
    analysis.winds = scan.winds(analysis)
    analysis.known = known_names(analysis, names)
    analysis.mentions = find_mentions(analysis, names)
    scan.settle(analysis)
    return analysis
