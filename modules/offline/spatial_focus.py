"""What the main clause of a question asks for: the first noun behind its question word or its order.

"At which address is the café that lies at the shortest distance?" asks for an address; the distance only
describes the café. Where no clause tells, None: then every phrase of the question counts.
"""

from collections.abc import Iterator, Sequence

from modules.offline.lexicon import Cue, glue
from modules.offline.spatial_layout import Layout
from modules.offline.spatial_targets import Target
from modules.offline.spatial_words import Words, overlaps, word_list

NAME, FACT = "name", "fact"
MEASURES = ("location", "direction", "distance", "count", "area", "length")
"""What can be asked of a target that is no name; families of `ask` in the vocabulary."""


def focus_of(words: Words, layout: Layout, cues: Sequence[Cue]) -> str | None:
    """What is asked: one of `MEASURES`, "fact", "name" of the target, or None where no clause tells.

    Of several clauses one that measures comes first ("Is there a zoo? Which way is it?"), a question before
    an order ("tell me where ...").

    Args:
        words: The question.
        layout: Its parts.
        cues: The phrases for what can be asked that have no other part.
    """
    questions = [_clause(words, layout, cues, index) for index in _question_words(words, layout)]
    orders = [_clause(words, layout, cues, index) for index in _orders(words)]
    told = [one for one in (*questions, *orders) if one is not None]
    return next((one for one in told if one not in {NAME, FACT}), told[0] if told else None)


def _question_words(words: Words, layout: Layout) -> Iterator[int]:
    """The question words outside names, without those that lead on to a relative clause."""
    parts = [piece.stretch for piece in layout.pieces.values()]
    for index in range(len(words)):
        inside = any(overlaps((index, index + 1), part) for part in parts)
        if words.norm(index) in word_list("question_words") and not inside and not is_relative(words, index):
            yield index


def is_relative(words: Words, index: int) -> bool:
    """True for a question word that tells more about the noun before it ("the way in which", "those who")."""
    if words.norm(index) not in word_list("relatives") or words.tokens[index].initial or index == 0:
        return False
    before = words.norm(index - 1)
    if before in word_list("relative_links"):
        return words.norm(index - 2) not in {"", ","} and not words.tokens[index - 1].initial
    noun = before.isalpha() and (before not in glue() or before in word_list("persons"))
    bare = words.norm(index + 1) in word_list("finite")
    return noun or (before == "," and words.norm(index) in {"which", "who"} and bare)


def _orders(words: Words) -> Iterator[int]:
    """The verbs of orders and requests ("give", "could you name")."""
    for index, token in enumerate(words.tokens):
        asked = token.initial or words.norm(index - 1) in word_list("before_order")
        if asked and token.norm in word_list("orders"):
            yield index


def _clause(words: Words, layout: Layout, cues: Sequence[Cue], index: int) -> str | None:
    """What a clause that begins here asks for: what is met first behind its first word."""
    parts = layout.used()
    for here in range(index, words.sentence_end(index)):
        met = [cue for cue in cues if cue.first == here or cue.first <= index == here < cue.last]
        measure = _measure(words, met, cues)
        if measure is not None:
            return measure
        if (here > index and words.norm(here) in word_list("names_asked")) or _is_one(words, index, here):
            return NAME
        if layout.target is not None and here == layout.target.stretch[0]:
            return None if _does(words, index) else _behind_target(words, layout.target, cues)
        if here > index and any(first <= here < last for first, last in parts):
            return None
    return None


def _measure(words: Words, met: Sequence[Cue], cues: Sequence[Cue]) -> str | None:
    """What the longest of the phrases met asks for."""
    for cue in sorted(met, key=lambda cue: cue.first - cue.last):
        if cue.family == "fact":
            return FACT
        if cue.key == "count":
            return _counted(words, cue, cues)
        if cue.key in MEASURES:
            return cue.key
    return None


def _counted(words: Words, cue: Cue, cues: Sequence[Cue]) -> str | None:
    """A count, or the measure that follows ("how much distance"); None for "how much" alone."""
    following = (one.key for one in cues if cue.last <= one.first <= cue.last + 1 and one.key in MEASURES)
    behind = words.norm(cue.last)
    no_noun = not behind[:1].isalnum() or behind in word_list("finite")
    alone = words.norm(cue.last - 1) == "much" and no_noun
    return next(following, None if alone else cue.key)


def _does(words: Words, index: int) -> bool:
    """True for "what do ...": what the target does is asked, not what it is."""
    return words.norm(index) == "what" and words.norm(index + 1) in word_list("auxiliaries")


def _is_one(words: Words, index: int, here: int) -> bool:
    """True at the second word of "which one"."""
    return here == index + 1 and words.norm(here) == "one" and words.norm(index) == "which"


def _behind_target(words: Words, target: Target, cues: Sequence[Cue]) -> str:
    """The target's name, or what is said to be its own ("the nearest café's address")."""
    last = target.stretch[1]
    own = [cue for cue in cues if cue.first == last + 1] if words.norm(last) in {"'s", "'"} else []
    return _measure(words, own, cues) or NAME
