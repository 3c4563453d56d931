"""All names in a question about ways that are written as names: with capitals or in quotes."""

import re
from collections.abc import Iterator

from modules.offline.analysis import Analysis, Span
from modules.offline.labels import Label, label
from modules.offline.marks import SURE
from modules.offline.route_grammar_names import Slot, is_kind, name_at, slot_at
from modules.offline.route_vocabulary import pattern, words

_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)", re.IGNORECASE)
_LED = frozenset({"from", "to", "at", "near", "via", "of"})
"""Roles in which a small word that the map knows is a name."""


def written_names(analysis: Analysis) -> tuple[Span, ...]:
    """The spans of all names written with capitals or in quotes, lists taken apart."""
    if "written" not in analysis.found:
        analysis.found["written"] = tuple(_written(analysis))
    return analysis.found["written"]


def slots_before(analysis: Analysis, role: str, key: str) -> list[Slot]:
    """The names whose role an entry of the vocabulary tells behind them ("Mill Road has been reached")."""
    behind = pattern("pattern", key)
    if behind.search(analysis.text) is None:
        return []
    names = (span for span in written_names(analysis) if behind.match(analysis.text, span[1]))
    return [slot_at(analysis, role, span) for span in names]


def _written(analysis: Analysis) -> Iterator[Span]:
    labels = label(analysis)
    small = {
        item.start: item.end
        for item in analysis.mentions
        if item.strength >= SURE and item.role in _LED and item.text.islower()
    }
    at = 0
    for index, token in enumerate(analysis.tokens):
        named = labels[index] is Label.NAME or (token.capital and not token.initial and is_kind(token))
        written = (named and token.norm not in words("stop")) or _is_numbered(analysis, index)
        begins = token.text == '"' or written or may_begin(analysis, index)
        if token.start < at or not (begins or token.start in small) or _opens_sentence(analysis, index):
            continue
        end = small.get(token.start)
        span = (token.start, end) if end else name_at(analysis, index, commas=False)
        if span is not None:
            yield span
            at = span[1] + (token.text == '"')


def _opens_sentence(analysis: Analysis, index: int) -> bool:
    """True for a word with a capital only because its sentence begins ("Parcel run: ...", "Doable?")."""
    tokens = analysis.tokens
    if not tokens[index].initial or index + 1 >= len(tokens):
        return False
    if _is_heading(analysis, index):
        return True
    after = tokens[index + 1]
    alone = after.text in "?!" and index > 0
    no_link = after.norm in words("trip_noun") or after.norm not in words("stop") | words("link")
    goes_on = after.is_word and after.text.islower() and no_link
    return alone or (goes_on and not is_kind(after) and not _known(analysis, tokens[index].start))


def _is_numbered(analysis: Analysis, index: int) -> bool:
    """True for the number of "9th Ave"."""
    tokens = analysis.tokens
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    number = _ORDINAL.fullmatch(tokens[index].text) is not None
    return (
        number and after is not None and after.capital and not after.initial and after.norm in words("street")
    )


def may_begin(analysis: Analysis, index: int) -> bool:
    """True for a common word that begins a name inside a sentence ("Next Health Club", "Long Lane")."""
    tokens = analysis.tokens
    if index + 1 >= len(tokens) or not index:
        return False
    token, before, after = tokens[index], tokens[index - 1], tokens[index + 1]
    written = token.capital and before.is_word and before.text.islower()
    return written and token.norm in words("may_begin") and after.capital and not after.initial


def _is_heading(analysis: Analysis, index: int) -> bool:
    """True for a first word of a heading that says what follows ("Parent taxi: from X to Y")."""
    tokens = analysis.tokens
    last = index + 1
    while last < len(tokens) and tokens[last].is_word and tokens[last].text.islower():
        last += 1
    closed = last < len(tokens) and tokens[last].text == ":" and last > index + 1
    return closed and tokens[last - 1].norm in words("heading")


def _known(analysis: Analysis, start: int) -> bool:
    """True if the analysis found a name of several words here."""
    return any(mention.start == start and " " in mention.text for mention in analysis.mentions)
