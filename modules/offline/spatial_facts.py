"""What a question asks of its target that nothing here measures: when it opened, who designed it."""

from collections.abc import Sequence

from modules.offline.lexicon import Cue
from modules.offline.spatial_focus import MEASURES, is_relative
from modules.offline.spatial_layout import Layout
from modules.offline.spatial_words import Words, word_list

_MEASURED = frozenset(MEASURES) - {"count"}
"""What is asked of the target alone; how many fans it has is a fact."""


def facts_asked(words: Words, layout: Layout, told: Sequence[Cue], focus: str | None) -> list[str]:
    """The words for what is asked: those of the vocabulary, else a noun that is said to be the target's own.

    Args:
        words: The question.
        layout: Its parts.
        told: The phrases for facts that have no other part.
        focus: What its main clause asks for (`focus_of`).
    """
    if focus in _MEASURED:
        return []
    told = [cue for cue in told if not is_relative(words, cue.first)]
    if _asks_which(words, layout):
        told = [cue for cue in told if words.norm(cue.first) in word_list("fact_questions")]
    return [words.say(cue.first, cue.last) for cue in told] or _own_noun(words, layout)


def _asks_which(words: Words, layout: Layout) -> bool:
    """True if the target itself is what is asked for: "which museum ...", not "when was the museum ..."."""
    if layout.target is None:
        return False
    between = {words.norm(index) for index in range(layout.target.front, layout.target.stretch[0])}
    return not between.isdisjoint(word_list("interrogative"))


def _own_noun(words: Words, layout: Layout) -> list[str]:
    """A noun without another part before the target and "of": "the mascot of the nearest university"."""
    if layout.target is None or words.norm(layout.target.front - 1) not in word_list("belonging"):
        return []
    used = [*layout.used(), *((cue.first, cue.last) for cue in words.of("ask", "pick", "filler"))]
    unread = set(words.unread(used))
    first = last = layout.target.front - 1
    while first - 1 in unread and words.tokens[first - 1].text.islower():
        first -= 1
    return [words.say(first, last)] if first < last else []
