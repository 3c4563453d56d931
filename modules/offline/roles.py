"""What the words before a name make of it."""

from typing import TYPE_CHECKING

from modules.offline.lexicon import Cue, word_set

if TYPE_CHECKING:
    from modules.offline.analysis import Analysis


def role_before(analysis: "Analysis", first: int) -> str:
    """The role of the words that begin at token `first` (see `Mention.role`)."""
    index = _skip_modifiers(analysis, first)
    before = analysis.tokens[index - 1].norm if index else ""
    if _looked_for(analysis, index, before):
        return "target"
    while (
        index
        and analysis.tokens[index - 1].norm in word_set("determiner", "pointing")
        and _cue(analysis, index) is None
    ):
        index -= 1
    cue = _cue(analysis, index)
    if cue is None:
        return "subject"
    if cue.group != "here.stated":
        return cue.key
    asked = cue.first and analysis.tokens[cue.first - 1].norm in word_set("here", "asking")
    return "at" if asked else "self"


def _cue(analysis: "Analysis", index: int) -> Cue | None:
    """The role phrase that ends at a token; the longest one, a stated position before all others."""
    ending = [cue for cue in analysis.find("role", "here.stated") if cue.last == index]
    return min(ending, key=lambda cue: (cue.group != "here.stated", cue.first), default=None)


def _skip_modifiers(analysis: "Analysis", index: int) -> int:
    """Back over what describes a kind that is looked for: cuisine, price, service words, adjectives."""
    marks = [(mark.start, mark.end) for mark in analysis.cuisines]
    cues = {i for cue in analysis.find("price", "service") for i in range(cue.first, cue.last)}
    while index:
        token = analysis.tokens[index - 1]
        inside = any(start <= token.start and token.end <= end for start, end in marks)
        if not (inside or index - 1 in cues or token.norm in word_set("adjective")):
            break
        index -= 1
    return index


def _looked_for(analysis: "Analysis", index: int, before: str) -> bool:
    """True after "a", "which", "how many", "nearest": what follows is looked for."""
    if before in word_set("determiner", "seeking"):
        return index < 2 or analysis.tokens[index - 2].norm not in word_set("determiner", "having")
    groups = ("sup", "ask.how_many") if analysis.asks_count else ("sup",)
    return any(cue.last == index for cue in analysis.find(*groups))
