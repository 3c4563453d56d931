"""Names of several words that the map knows to the letter: they hold together whatever their words mean.

"I spend an hour at Halbig Hüte" ends the name where the map ends it; "Have a Look" is a name though
its words are common ones.
"""

from typing import TYPE_CHECKING

from mapagent.ports import NameHints
from modules.offline.labels import is_cased
from modules.offline.lexicon import glue, word_set
from modules.offline.token import Token

if TYPE_CHECKING:
    from modules.offline.analysis import Analysis

MAX_WORDS = 9
"""Longer names are rare, and every further word is one more look-up for each word of the question."""

SHORTEST = 4
"""A single word of fewer letters is rather an abbreviation."""

type Stretch = tuple[int, int]
"""Tokens `first` to `last` (exclusive)."""


def known_names(analysis: "Analysis", names: NameHints | None) -> tuple[Stretch, ...]:
    """The stretches of tokens that are names of the map; of those that overlap the longest.

    None where nothing is written with capitals: there every other word is the name of some shop.
    """
    if names is None or not is_cased(analysis.tokens):
        return ()
    count = len(analysis.tokens)
    found = [
        (first, first + 1)
        for first, token in enumerate(analysis.tokens)
        if _stands_out(token) and names.exact(token.text)
    ]
    found += [
        (first, last)
        for first in range(count)
        if analysis.tokens[first].is_word
        for last in range(min(first + MAX_WORDS, count), first + 1, -1)
        if _may_be_name(analysis, first, last) and names.exact(_text(analysis, first, last))
    ]
    return _apart(found)


def _stands_out(token: Token) -> bool:
    """True for a common word with a capital inside a sentence: "a table at Upscale"."""
    written = token.is_word and token.capital and not token.initial and len(token.text) >= SHORTEST
    return written and token.norm not in word_set("capital")


def _text(analysis: "Analysis", first: int, last: int) -> str:
    return analysis.text[analysis.tokens[first].start : analysis.tokens[last - 1].end]


def _may_be_name(analysis: "Analysis", first: int, last: int) -> bool:
    """True unless the words are as likely mere words of the sentence.

    A name begins and ends with a word that has a capital, is a number or no common word ("il sogno"); at a
    sentence's beginning a capital says nothing.
    """
    tokens = analysis.tokens
    ends = (tokens[first], tokens[last - 1])
    if not ends[1].is_word:
        return False
    if not all(token.capital or token.norm[0].isdigit() or token.norm not in glue() for token in ends):
        return False
    if ends[0].initial and ends[0].norm in glue():
        return False
    kinds = {(mark.start, mark.end) for mark in analysis.kinds}
    written_small = not any(token.capital and not token.initial for token in tokens[first:last])
    return not (written_small and (ends[0].start, ends[1].end) in kinds)


def _apart(found: list[Stretch]) -> tuple[Stretch, ...]:
    kept: list[Stretch] = []
    for first, last in sorted(found, key=lambda stretch: (stretch[0] - stretch[1], stretch[0])):
        if all(last <= other_first or other_last <= first for other_first, other_last in kept):
            kept.append((first, last))
    return tuple(sorted(kept))
