"""Distances and directions that a question demands: "within 20 km", "to the north-east of"."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from map_tools.compute.geodesy import wind_words
from map_tools.compute.quantities import find_distances
from modules.offline.lexicon import Cue
from modules.offline.spatial_words import Stretch, Words, range_words, word_list

_BETWEEN_WINDS = 4
"""Words between two winds of one choice."""


@dataclass(frozen=True, slots=True)
class Reach:
    """A distance with the words around it; `least`: at least so far away."""

    stretch: Stretch
    metres: float
    least: bool


@dataclass(frozen=True, slots=True)
class Side:
    """A wind with the words around it."""

    stretch: Stretch
    wind: str


def find_reach(words: Words) -> tuple[Reach, ...]:
    """All distances, each with the words around it that only say how it is meant."""
    found = []
    for span in find_distances(words.text):
        first, last = words.stretch(span.start, span.end)
        if first == last or any(token.capital for token in words.tokens[first:last]):
            continue
        begin, end = first, last
        while begin > 0 and _joins(words, begin - 1, begin, "before"):
            begin -= 1
        while end < len(words) and _joins(words, end, end - 1, "after"):
            end += 1
        end = _without_lead(words, last, end)
        before = {words.norm(index) for index in range(begin, first)} | {words.norm(last)}
        around = before | {words.norm(index) for index in range(last, end)}
        table = range_words()
        least = not table["least"].isdisjoint(around) and table["negated"].isdisjoint(before)
        found.append(Reach((begin, end), float(span.value), least and not _at_most(words, begin, end)))
    return tuple(found)


def _at_most(words: Words, begin: int, end: int) -> bool:
    """True if "less", "at most", "within" stands there too ("no more", "or less")."""
    norms = {words.norm(index) for index in range(begin, end)}
    return not norms.isdisjoint({"less", "most", "within", "maximum", "max", "up", "under", "below"})


def _joins(words: Words, index: int, neighbour: int, side: str) -> bool:
    token = words.tokens[index]
    same = words.sentence[index] == words.sentence[neighbour]
    return (
        same
        and token.norm in range_words()[side]
        and (token.text.islower() or token.initial or not token.is_word)
    )


def _without_lead(words: Words, last: int, end: int) -> int:
    """A trailing "of", "in", "at" leads on to a name."""
    while end > last and words.norm(end - 1) in {"of", "in", "at", "it", "there", "to", "and", "the", "a"}:
        end -= 1
    if end > last and words.norm(end - 1) in {"away", "off"} and words.norm(end) == "from":
        end -= 1
    if end > last and words.norm(end - 1) == "off" and end < len(words) and words.tokens[end].capital:
        end -= 1
    return end


def find_sides(words: Words) -> tuple[Side, ...]:
    """The winds that say on which side something lies, the surest first; those in names may be among them."""
    if winds_offered(words) is not None:
        return ()
    asked = {index for cue in words.of("ask.direction") for index in range(cue.first, cue.last)}
    found = [
        (-sure, Side(_grown(words, first, last), wind))
        for first, last, wind in _winds(words)
        if first not in asked and (sure := _sure_side(words, first, last)) >= 1
    ]
    found.sort(key=lambda entry: entry[0])
    return tuple(side for _, side in found[:3])


def winds_offered(words: Words) -> Cue | None:
    """Winds between which the answer shall choose ("to the north or to the south"); None if none are."""
    winds = [(first, last) for first, last, _ in _winds(words) if words.tokens[first].text.islower()]
    for (first, last), (begin, end) in pairwise(winds):
        if begin - last <= _BETWEEN_WINDS and "or" in {words.norm(index) for index in range(last, begin)}:
            return Cue(first, end, "ask.direction")
    return None


def _winds(words: Words) -> Iterator[tuple[int, int, str]]:
    """All winds: first token, last token (exclusive), the wind."""
    index = 0
    while index < len(words):
        length, wind = _wind_at(words, index)
        if wind is not None:
            yield index, index + length, wind
        index += length


def _sure_side(words: Words, first: int, last: int) -> float:
    """How much speaks for a side and not for a part of a name; 1 is enough."""
    behind = words.norm(last)
    if behind in word_list("behind_wind"):
        sure = 1.0
    else:
        sure = 0.5 * (last == len(words) or not behind[0].isalnum())
    sure += 0.8 * (words.norm(first - 1) in word_list("before_wind"))
    return sure + 0.5 * words.tokens[first].text.islower()


def _wind_at(words: Words, index: int) -> tuple[int, str | None]:
    """How many tokens a wind's name that begins here has, and the wind."""
    for length in (2, 1):
        parts = [words.norm(number) for number in range(index, min(index + length, len(words)))]
        behind_comma = words.norm(index - 1) == "," and words.tokens[index].text.isupper()
        if behind_comma or len(parts) < length or any(len(part) < 2 for part in parts):
            continue
        if length == 2 and not all(wind_words(part) for part in parts):
            continue
        wind = wind_words(" ".join(parts))
        if wind is not None:
            return length, wind
    return 1, None


def _grown(words: Words, first: int, last: int) -> Stretch:
    while (
        first > 0
        and words.norm(first - 1) in word_list("around_wind")
        and words.sentence[first - 1] == words.sentence[first]
    ):
        first -= 1
    while last < len(words) and words.norm(last) in {"direction", "side", "part", "of", "hand"}:
        last += 1
    if words.norm(last - 1) == "of":
        last -= 1
    return first, last
