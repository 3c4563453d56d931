"""Conditions a place must fulfil: rating, number of reviews, price, services, cuisine."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from map_tools.compute.quantities import parse_number
from modules.offline.intents import Filters
from modules.offline.lexicon import word_set
from modules.offline.marks import Mark

if TYPE_CHECKING:
    from modules.offline.analysis import Analysis
    from modules.offline.lexicon import Cue

_REACH = 5
"""Words between a number, with what compares it, and what it counts."""
_NAMED = 0.5
"""Numbers inside mentions at least this strong belong to a name."""
_MAX_RATING = 5
_STEP = {"rating": 0.1, "count": 1.0}
"""The next value above: sources give ratings to one decimal, counts are whole."""
_DEAR = frozenset({"3", "4"})
_NOT_DEAR = frozenset({0, 1, 2})
_REFUSED_BEFORE = 5
"""So many words before "expensive" a "not" still holds for it ("cannot afford an expensive one")."""
_PRICE_LEVELS = {"1": frozenset({1}), "2": frozenset({2}), "3": frozenset({3, 4}), "4": frozenset({4})}


def conditions(analysis: "Analysis") -> tuple[Mark[Filters], ...]:
    """All conditions, each with its place in the text."""
    return (*_numeric(analysis), *_prices(analysis), *_services(analysis))


def merged(marks: Iterable[Mark[Filters]]) -> Filters:
    """One set of filters out of several conditions; all hold together."""
    merged: dict[str, object] = {}
    for mark in marks:
        for key in mark.value.model_fields_set:
            new = getattr(mark.value, key)
            old = merged.get(key)
            merged[key] = (*old, *new) if isinstance(old, tuple) else new
    return Filters.model_validate(merged)


def _numeric(analysis: "Analysis") -> Iterable[Mark[Filters]]:
    taken = [*analysis.durations, *analysis.distances, *analysis.clocks]
    taken_spans = [(mark.start, mark.end) for mark in taken] + [
        (item.start, item.end) for item in analysis.mentions if item.strength >= _NAMED
    ]
    for index, token in enumerate(analysis.tokens):
        if any(start < token.end and token.start < end for start, end in taken_spans):
            continue
        number = _number(token.norm)
        if number is None:
            continue
        topic = _topic(analysis, index, number)
        if topic is not None:
            yield from _condition(analysis, index, number, topic)


def _number(word: str) -> float | None:
    head = word.split("-", maxsplit=1)[0].rstrip("+")
    return parse_number(head) if head[:1].isdigit() or head.isalpha() else None


def _topic(analysis: "Analysis", index: int, number: float) -> str | None:
    """What a number is about: "rating", "count" (of reviews), or None for something else."""
    tokens, sentence = analysis.tokens, analysis.sentence
    compared = [cue.first for cue in analysis.find("condition") if cue.last == index]
    low, high = max(min([index, *compared]) - _REACH, 0), min(index + _REACH + 1, len(tokens))
    around = {tokens[i].norm for i in range(low, high) if sentence[i] == sentence[index]}
    around |= set(tokens[index].norm.split("-")[1:])
    if number <= _MAX_RATING and (around & word_set("condition", "stars") or _is_grade(analysis, index)):
        return "rating"
    if number > _MAX_RATING and around & word_set("condition", "reviews"):
        return "count"
    return None


def _is_grade(analysis: "Analysis", index: int) -> bool:
    """True for "4.5 or better", "4.8 and up": nothing else of places is told so."""
    bounded = (cue for cue in analysis.find("condition.at_least") if cue.first == index + 1)
    tenths = "." in analysis.tokens[index].norm
    return tenths and any(analysis.words(cue).startswith(("or ", "and ")) for cue in bounded)


def _condition(analysis: "Analysis", index: int, number: float, topic: str) -> Iterable[Mark[Filters]]:
    comparison = comparison_at(analysis, index, index + 1)
    if comparison is None and (topic == "count" or _counts_places(analysis, index)):
        return
    name = "rating" if topic == "rating" else "rating_count"
    low = comparison in {None, "at_least", "more_than"}
    value = number
    if comparison == "more_than":
        value = round(number + _STEP[topic], 3)
    elif comparison == "less_than":
        value = round(number - _STEP[topic], 3)
    fields = {f"{'min' if low else 'max'}_{name}": value}
    token = analysis.tokens[index]
    if comparison is None and analysis.asks_count and "." in token.norm:
        fields[f"max_{name}"] = value  # "how many are rated 4.4" means no others
    yield Mark(token.start, token.end, Filters.model_validate(fields))


def _counts_places(analysis: "Analysis", index: int) -> bool:
    """True for "the three places by rating": a number in words that counts what comes behind it."""
    after = analysis.tokens[index + 1].norm if index + 1 < len(analysis.tokens) else ""
    counts = analysis.tokens[index].norm.isalpha() and after.isalpha()
    return counts and after not in word_set("condition", "stars")


def comparison_at(analysis: "Analysis", first: int, last: int) -> str | None:
    """How the tokens `first` to `last` (exclusive) are compared: the nearest phrase before or after them."""
    best: tuple[int, int, str] | None = None
    for cue in analysis.find(
        "condition.at_least", "condition.more_than", "condition.at_most", "condition.less_than"
    ):
        gap = first - cue.last if cue.last <= first else cue.first - last
        after = cue.first >= last
        if gap < 0 or gap > 3 or (after and gap > 2):
            continue
        words = analysis.words(cue)
        if not after and words.startswith(("or ", "and ")):
            continue
        if after and not words.startswith(("or", "and", "min", "max", "plus", "+")):
            continue
        ranked = (gap, -(cue.last - cue.first), cue.key)
        best = min(best, ranked) if best else ranked
    if best is None and analysis.tokens[first].norm.endswith("+"):
        return "at_least"
    return best[2] if best else None


def _prices(analysis: "Analysis") -> Iterable[Mark[Filters]]:
    asked = {
        index
        for cue in analysis.find("attribute.price_level", "sup.cheapest", "sup.priciest")
        for index in range(cue.first, cue.last)
        if cue.last - cue.first > 1
    }
    best: dict[int, Mark[Filters]] = {}
    for cue in sorted(analysis.find("price"), key=lambda cue: cue.last - cue.first):
        if not asked.issuperset(range(cue.first, cue.last)) and cue.key in _PRICE_LEVELS:
            levels = _NOT_DEAR if _is_refused(analysis, cue) else _PRICE_LEVELS[cue.key]
            mark = Mark(*analysis.span(cue), Filters(price_levels=levels))
            for index in range(cue.first, cue.last):
                best[index] = mark
    return tuple(dict.fromkeys(best.values()))[:1]


def _served_later(analysis: "Analysis", cue: "Cue") -> bool:
    """True for "I want breakfast. Who serves it?"."""
    return any(token.norm in {"serve", "serves", "serving"} for token in analysis.tokens[cue.last :])


def _is_refused(analysis: "Analysis", cue: "Cue") -> bool:
    """True for the price in "I cannot afford an expensive one", "nothing fancy"."""
    before = analysis.tokens[max(cue.first - _REFUSED_BEFORE, 0) : cue.first]
    ended = max((index for index, token in enumerate(before) if not token.is_word), default=-1)
    said = {token.norm for token in before[ended + 1 :]}
    return cue.key in _DEAR and bool(said & word_set("condition", "refusing"))


def _services(analysis: "Analysis") -> Iterable[Mark[Filters]]:
    for cue in analysis.find("service"):
        start, end = analysis.span(cue)
        if any(item.start <= start and end <= item.end for item in analysis.places):
            continue
        before = {token.norm for token in analysis.tokens[max(cue.first - 4, 0) : cue.first]}
        served = before & word_set("condition", "serving") or _served_later(analysis, cue)
        if cue.key.startswith("serves_") and not served:
            continue
        if before & word_set("condition", "negating") and analysis.tokens[
            max(cue.first - 1, 0)
        ].norm in word_set("condition", "negating"):
            yield Mark(start, end, Filters(without_services=(cue.key,)))
        else:
            yield Mark(start, end, Filters(services=(cue.key,)))
