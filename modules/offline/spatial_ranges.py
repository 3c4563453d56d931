"""Distances that a question demands: "within 20 km", "no more than a mile"."""

from dataclasses import dataclass

from map_tools.compute.quantities import find_distances
from modules.offline.spatial_words import Stretch, Words, range_words


@dataclass(frozen=True, slots=True)
class Reach:
    """A distance with the words around it; `least`: at least so far away."""

    stretch: Stretch
    metres: float
    least: bool


def find_reach(words: Words) -> tuple[Reach, ...]:
    """All distances, each with the words around it that only say how it is meant."""
    found = []
    for span in find_distances(words.text):
        first, last = words.stretch(span.start, span.end)
        if first == last or any(token.capital for token in words.tokens[first:last]):
            continue
        begin, end = first, last
        while words.norm(begin) != "," and (step := _step_back(words, begin)) > 0:
            begin -= step
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


def _step_back(words: Words, begin: int) -> int:
    """How many words before a range belong to it too: a denied verb is told by its "not" ("not topping")."""
    if begin > 0 and _joins(words, begin - 1, begin, "before"):
        return 1
    denied = begin > 1 and words.norm(begin - 2) in range_words()["negated"]
    return (
        2
        if denied and words.tokens[begin - 1].text.islower() and _joins(words, begin - 2, begin, "before")
        else 0
    )


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
