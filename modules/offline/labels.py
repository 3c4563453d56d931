"""Labels each word of a question by what it can be: part of a name, a kind of place, or something else."""

from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from modules.offline.lexicon import glue, word_set
from modules.offline.token import Token

if TYPE_CHECKING:
    from modules.offline.analysis import Analysis, Span

_VOCABULARY = (
    "mode", "sup", "comp", "ask", "attribute", "other", "service", "open", "condition", "price", "need",
    "when", "filler", "here",
)  # fmt: skip
"""Families of cues whose words are no part of a name unless capitals say so."""


_LINKING = frozenset({"and", "of", "&", "de", "'s"})
_OWNING = frozenset({"of", "de", "du"})


class Label(StrEnum):
    """What a word can be."""

    NAME = "name"
    """Written with a capital (or quoted): certainly part of a name."""
    WORD = "word"
    """A word no vocabulary knows: perhaps part of a name."""
    KIND = "kind"
    """A kind of place ("museum"): may belong to a name."""
    SOFT = "soft"
    """A common word that may belong to a name ("old", "square")."""
    NUMBER = "number"
    OTHER = "other"


@lru_cache(maxsize=1)
def _structure() -> frozenset[str]:
    """Words that build sentences: they end no name ("University of Oulu What is ...")."""
    lists = ("questions", "pronouns", "verbs_be", "verbs_have")
    return frozenset[str]().union(*(word_set("glue", key) for key in lists))


def label(analysis: "Analysis") -> list[Label]:
    """One label for each token."""
    cased = is_cased(analysis.tokens)
    taken = _covered(analysis.tokens, _quantities(analysis))
    kinds = _covered(analysis.tokens, [(mark.start, mark.end) for mark in analysis.kinds])
    cuisines = _covered(
        analysis.tokens, [(mark.start, mark.end) for mark in (*analysis.cuisines, *analysis.winds)]
    )
    known = {index for cue in analysis.find(*_VOCABULARY) for index in range(cue.first, cue.last)}
    sure = {index for first, last in analysis.known for index in range(first, last)}
    labels: list[Label] = []
    for index, token in enumerate(analysis.tokens):
        if index in sure:
            labels.append(Label.NAME)
        elif index in taken or not token.is_word:
            labels.append(Label.OTHER)
        elif _named_by_capital(
            analysis.tokens, index, cased=cased, vocabulary=known | kinds | cuisines, kinds=kinds
        ):
            labels.append(Label.NAME)
        else:
            labels.append(
                _plain(
                    token, index, kinds, known | cuisines if token.norm not in word_set("soft") else cuisines
                )
            )
    return labels


def _quantities(analysis: "Analysis") -> "list[Span]":
    marks = (*analysis.durations, *analysis.distances, *analysis.clocks, *analysis.days)
    return [(mark.start, mark.end) for mark in marks]


def _plain(token: Token, index: int, kinds: set[int], known: set[int]) -> Label:
    if token.norm[0].isdigit():
        return Label.NUMBER
    if token.norm in word_set("link"):
        return Label.OTHER
    if index in kinds:
        return Label.KIND
    if token.norm in word_set("soft") and index not in known:
        return Label.SOFT
    if index in known or token.norm in glue() or token.norm in word_set("capital"):
        return Label.OTHER
    return Label.WORD


def _named_by_capital(
    tokens: tuple[Token, ...], index: int, *, cased: bool, vocabulary: set[int], kinds: set[int]
) -> bool:
    """True if the capital of this word says that it belongs to a name."""
    token = tokens[index]
    if not cased or not token.capital or token.norm in word_set("capital"):
        return False
    common = index in vocabulary or token.norm in glue()
    if not common:
        return True
    after = index + 1 < len(tokens) and _is_proper(tokens, index + 1)
    if token.initial and token.norm in glue():
        return after and token.norm in word_set("soft")
    if token.norm in _structure():
        return after
    if token.initial:
        return after and index in kinds
    before = index > 0 and not tokens[index - 1].initial and _is_proper(tokens, index - 1)
    uncommon_before = index > 0 and tokens[index - 1].capital and tokens[index - 1].norm not in glue()
    owns = index + 1 < len(tokens) and tokens[index + 1].norm == "'s"
    leads = index not in vocabulary or index in kinds
    joined = _follows_name(tokens, index) or (leads and _leads_name(tokens, index))
    return after or before or uncommon_before or owns or joined


def _follows_name(tokens: tuple[Token, ...], index: int) -> bool:
    """True after a name and a linking word: "Shakespeare and Company"."""
    if index > 2 and tokens[index - 1].norm == "the" and tokens[index - 2].norm == "of":
        return _is_proper(tokens, index - 3) and tokens[index - 3].norm not in glue()
    return (
        index > 1
        and tokens[index - 1].norm in _LINKING
        and _is_proper(tokens, index - 2)
        and tokens[index - 2].norm not in glue()
    )


def _leads_name(tokens: tuple[Token, ...], index: int) -> bool:
    """True before a linking word and a name: "Centre of Germany"."""
    last = index + 2
    return last < len(tokens) and tokens[index + 1].norm in _OWNING and _is_proper(tokens, last)


def _is_proper(tokens: tuple[Token, ...], index: int) -> bool:
    token = tokens[index]
    return token.is_word and token.capital and token.norm not in word_set("capital")


def is_cased(tokens: tuple[Token, ...]) -> bool:
    """True if capitals tell names from other words: some inside sentences, but not on every word."""
    inner = [
        token
        for token in tokens
        if token.text[0].isalpha() and not token.initial and token.norm not in word_set("capital")
    ]
    capitals = sum(token.capital for token in inner)
    starts = sum(token.initial and token.capital and token.norm not in glue() for token in tokens)
    if not capitals:
        return starts > 0
    return (
        capitals <= 0.8 * len(inner)
        or len(inner) <= 3
        or any(token.norm in glue() and not token.capital for token in inner)
    )


def _covered(tokens: tuple[Token, ...], spans: "list[Span]") -> set[int]:
    return {
        index
        for index, token in enumerate(tokens)
        if any(start < token.end and token.start < end for start, end in spans)
    }
