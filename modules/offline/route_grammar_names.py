"""Names in questions about ways: the words after "from", "to", "via" up to where the name must end."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from map_tools.concepts import lookup
from modules.offline.analysis import Analysis, Span
from modules.offline.labels import Label, label
from modules.offline.marks import Mark
from modules.offline.route_vocabulary import street_like, vocabulary, words
from modules.offline.token import Token

_IN_THE = re.compile(r"\s+(?:in|on|at|under|over)\s+the(?:\s+[A-Z][\w']*)+")
_CHAIN = re.compile(r" - (?:(?:(?!\b(?:and|or|to|then|from)\b)[^,.;?!])*? - )+")
_BRANCH = re.compile(r"\s?\([A-Z][^\W\d][^()?!;:\d]{0,40}\)")


@dataclass(frozen=True, slots=True)
class Slot:
    """A name in the text; its `role` says after which cue it stands ("from", "to", "via", "after", "at")."""

    role: str
    start: int
    end: int
    text: str
    cue_start: int


@lru_cache(maxsize=16)
def _cues(role: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(rf"\b(?:{one})\s+", re.IGNORECASE) for one in vocabulary()["cue"][role])


@lru_cache(maxsize=16)
def _any_cue(role: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(vocabulary()['cue'][role])})\s+", re.IGNORECASE)


def _next_cue(role: str, text: str, at: int) -> re.Match[str] | None:
    """The first cue of a role from `at` on; of several that begin there the longest."""
    first = _any_cue(role).search(text, at)
    if first is None:
        return None
    found = (one.match(text, first.start()) for one in _cues(role))
    return max((cue for cue in found if cue is not None), key=lambda cue: cue.end())


def slots(analysis: Analysis, role: str) -> tuple[Slot, ...]:
    """The names that follow a cue of this role, in the order of the text."""
    name = f"slots.{role}"
    if name not in analysis.found:
        analysis.found[name] = tuple(_slots(analysis, role))
    return analysis.found[name]


def _slots(analysis: Analysis, role: str) -> Iterator[Slot]:
    at = 0
    while (cue := _next_cue(role, analysis.text, at)) is not None:
        slot = slot_behind(analysis, role, cue)
        if slot is not None:
            yield slot
        at = slot.end if slot is not None else cue.start() + 1


def slot_behind(analysis: Analysis, role: str, cue: re.Match[str]) -> Slot | None:
    """The name that begins right behind a cue; None if none does."""
    index = next((i for i, token in enumerate(analysis.tokens) if token.start >= cue.end()), None)
    if index is None:
        return None
    span = name_at(analysis, index)
    return slot_at(analysis, role, span, cue.start()) if span is not None else None


def slot_at(analysis: Analysis, role: str, span: Span, cue_start: int | None = None) -> Slot:
    """A name by its span, without its quotation marks; one that follows no cue is its own."""
    text = analysis.text[slice(*span)].strip(" \"'")
    return Slot(role, *span, text, span[0] if cue_start is None else cue_start)


def name_at(analysis: Analysis, index: int, *, commas: bool = True) -> tuple[int, int] | None:
    """The span of the name that begins at a token; None if no name can begin there.

    Without `commas` a comma ends the name, as in a list.
    """
    tokens = analysis.tokens
    while index < len(tokens) and tokens[index].norm in words("leading") and not _proper(tokens, index):
        index += 1
    if index >= len(tokens):
        return None
    if tokens[index].text == '"':
        return _quoted(analysis, index)
    first = tokens[index]
    known = index in dict(analysis.known)
    written = known or _proper(tokens, index)
    if not known and (not first.is_word or marked(analysis, first)):
        return None
    if not written and first.norm in words("stop"):
        return None
    last = _grow_cased(analysis, index, commas=commas) if written else _grow_plain(analysis, index)
    end = _end_of_whole(analysis, first.start, _with_plain_words(analysis, first.start, last))
    return first.start, _with_branch(analysis, end) if written else end


def _end_of_whole(analysis: Analysis, start: int, end: int) -> int:
    """Where a name ends that goes on over "in the" to another capital ("Fox in the Fold")."""
    for mention in analysis.mentions:
        rest = analysis.text[end : mention.end]
        if mention.start == start and not mention.parts and _IN_THE.fullmatch(rest):
            return mention.end
    return end


def _with_branch(analysis: Analysis, end: int) -> int:
    """Where a name ends that a name in brackets follows ("Book Shop (Castle)"); not a time or a stay."""
    bracket = _BRANCH.match(analysis.text, end)
    if bracket is None:
        return end
    inside = [token for token in analysis.tokens if end <= token.start < bracket.end()]
    return end if any(marked(analysis, token) for token in inside) else bracket.end()


def _with_plain_words(analysis: Analysis, start: int, last: int) -> int:
    """Where a name ends that goes on in plain words no vocabulary knows ("Musée océanographique")."""
    tokens = analysis.tokens
    while (
        last < len(tokens)
        and _is_mentioned(analysis, start, tokens[last].end)
        and tokens[last].norm not in words("stop")
        and not marked(analysis, tokens[last])
        and label(analysis)[last] is Label.WORD  # takes longest, so it is looked at last
    ):
        last += 1
    return tokens[last - 1].end


def _is_mentioned(analysis: Analysis, start: int, end: int) -> bool:
    """True if a mention, or a part of one, begins at the start or before it and goes on to the end."""
    return any(
        part.start <= start and end <= part.end
        for mention in analysis.mentions
        for part in (*mention.parts, mention)
        if part.start == start or not mention.parts
    )


def _quoted(analysis: Analysis, index: int) -> tuple[int, int] | None:
    start = analysis.tokens[index].end
    end = analysis.text.find('"', start)
    return (start, end) if end > start else None


def _proper(tokens: tuple[Token, ...], index: int) -> bool:
    """True if a word is written as a part of a name: with a capital or a figure, and is no cue."""
    token = tokens[index]
    if token.norm in {"via", "i"}:
        return False
    written = token.text[0].isdigit() or (
        token.capital and not (token.initial and token.norm in words("stop"))
    )
    return token.is_word and written


def _grow_cased(analysis: Analysis, first: int, *, commas: bool) -> int:
    """End (exclusive) of a name written with capitals."""
    tokens, last = analysis.tokens, dict(analysis.known).get(first, first + 1)
    while last < len(tokens):
        token = tokens[last]
        inside = _proper(tokens, last) and not token.initial
        if marked(analysis, token) and not (inside and _day_in_name(tokens, last)):
            break
        if inside:
            last += 1
            continue
        step = _bridge(analysis, first, last) if commas or token.text != "," else None
        if step is None:
            break
        last = step
    return last


def _day_in_name(tokens: tuple[Token, ...], index: int) -> bool:
    """True for "Weekend" in "Old Weekend Market": a day written like a name, inside a name."""
    after = index + 1
    return (
        tokens[index].text.isalpha()
        and after < len(tokens)
        and _proper(tokens, after)
        and tokens[after].text.isalpha()
    )


def _bridge(analysis: Analysis, first: int, last: int) -> int | None:
    """Over link words and signs between capitals ("of the", "-") to the next part; None if there is none."""
    tokens = analysis.tokens
    token = tokens[last]
    if token.norm == "'s" or (token.text.islower() and is_kind(token) and token.norm not in words("stop")):
        return last + 1
    index = last
    chains = _chains(analysis.text) if token.text == "-" else []
    while index < len(tokens) and index - last < 3 and _links(tokens, index, chains):
        index += 1
    if index == last or index >= len(tokens) or not _proper(tokens, index) or tokens[index].initial:
        return None
    if tokens[index - 1].text in ".," and tokens[index].norm in words("stop"):
        return None
    ends = [at + 1 for at in range(last, index) if tokens[at].text == "."]
    if ends and _next_street(analysis, first, last, ends[-1]):
        return None
    if tokens[index].text[0].isdigit() and marked(analysis, tokens[index]):
        return None
    gap = [one.norm for one in tokens[last:index]]
    if "by" in gap and _names_way(tokens, index):
        return None
    if "and" in gap and not (gap[-1] == "and" and _belongs(analysis, first, last, index)):
        return None
    return index + 1


def _next_street(analysis: Analysis, first: int, last: int, index: int) -> bool:
    """True where the stop of an abbreviated street ends a sentence that another street follows."""
    tokens, tail = analysis.tokens, index
    while tail < len(tokens) and _proper(tokens, tail) and not tokens[tail].initial:
        tail += 1
    texts = (analysis.text[tokens[a].start : tokens[b - 1].end] for a, b in ((first, last), (index, tail)))
    return all(street_like(text) for text in texts)


def _names_way(tokens: tuple[Token, ...], index: int) -> bool:
    """True for what follows "by" in "to X by the Mill Road and A5 route"."""
    tail = index
    while tail < len(tokens) and (_proper(tokens, tail) or tokens[tail].norm in {"and", "/", "-", "."}):
        tail += 1
    return tail < len(tokens) and tokens[tail].norm in words("way_noun")


def _chains(text: str) -> list[range]:
    """Where names are strung together by dashes ("A - B - C"); a single dash may be part of a name."""
    return [range(*match.span()) for match in _CHAIN.finditer(text)]


def _links(tokens: tuple[Token, ...], index: int, chains: list[range]) -> bool:
    token = tokens[index]
    if token.text == "-" and any(token.start in chain for chain in chains):
        return False
    if token.text == ".":
        return tokens[index - 1].norm in words("abbreviation") or len(tokens[index - 1].norm) == 1
    return token.text in {"-", "/", ",", "|", "'"} or token.norm in words("link") or token.norm == "and"


def _belongs(analysis: Analysis, first: int, last: int, after: int) -> bool:
    """True if what follows "and" is part of the name: only kinds of places, or a street after a street.

    It is not where the map knows both to the letter ("Salt & Smoke and Lighthouse Museum").
    """
    tokens = analysis.tokens
    tail = after
    while tail < len(tokens) and _proper(tokens, tail) and not tokens[tail].initial:
        tail += 1
    if tokens[after].norm in words("firm"):
        return True
    if {(first, last), (after, tail)} <= set(analysis.known):
        return False
    if all(is_kind(token) for token in tokens[after:tail]):
        return not all(is_kind(token) for token in tokens[first:last])
    left = analysis.text[tokens[first].start : tokens[last - 1].end]
    right = analysis.text[tokens[after].start : tokens[tail - 1].end]
    return street_like(right) and (street_like(left) or len(left.split()) == 1)


def is_kind(token: Token) -> bool:
    """True if a word is a kind of place ("museum")."""
    return token.is_word and lookup(token.norm) is not None


def _grow_plain(analysis: Analysis, first: int) -> int:
    """End (exclusive) of a name written without capitals: up to a word that cannot belong to it."""
    tokens, last = analysis.tokens, first + 1
    while last < len(tokens) and (_joins_plain(tokens, last) or _is_plain(analysis, tokens[last])):
        last += 1
    return last


def _joins_plain(tokens: tuple[Token, ...], index: int) -> bool:
    """True for what holds a name without capitals together; a dash between blanks parts two names."""
    token, before = tokens[index], tokens[index - 1]
    if token.norm == "'s":
        return True
    apart = token.text == "-" and token.start > before.end
    joins = token.text in words("sign") or token.norm in words("inner")
    goes_on = index + 1 < len(tokens) and tokens[index + 1].is_word
    return joins and not apart and goes_on and tokens[index + 1].norm not in words("stop")


def _is_plain(analysis: Analysis, token: Token) -> bool:
    """True for a word that may belong to a name written without capitals."""
    plain = token.is_word and token.norm not in words("stop")
    return plain and not marked(analysis, token) and not token.initial


def marked(analysis: Analysis, token: Token) -> bool:
    """True if a word is part of a duration, a time, a distance, a day or a travel mode."""
    marks: list[Mark[Any]] = [
        *analysis.durations,
        *analysis.clocks,
        *analysis.distances,
        *analysis.days,
        *analysis.modes,
    ]
    return any(mark.start <= token.start < mark.end for mark in marks)
