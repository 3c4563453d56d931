"""Options that list several names each ("A and B") for a solution that is a ranking of single names."""

from collections.abc import Sequence

from mapagent.core.answer import Named, Value
from modules.answer_generator.matching.orders import set_items, written_out
from modules.answer_generator.matching.outcome import SAME, Choices, Match, NoMatch, chosen, same_text, tie
from modules.answer_generator.vocabulary import phrases
from modules.names import SAME_SCORE, normalise, similarity

LISTED_MARGIN = 0.9
"""Which names belong together is read off the ranking, so it is a little less sure than a set of names."""


def match_listed(value: Value, ranking: Sequence[Value], choices: Choices) -> Match | NoMatch | None:
    """The option that lists all the names of a ranking, or the first few of them, in whatever order.

    Returns:
        None if the options are no lists of these names: of one of them every item must be one. A single name
        among the options is compared as one.
    """
    names = _names(value, ranking)
    if len(names) < 2:
        return None
    places = {option: _places(option.text, names) for option in choices.options}
    sizes = [len(found) for found in places.values() if found is not None]
    if max(sizes, default=0) < 2 or min(sizes) < 2:
        return None
    fitting = [option for option, found in places.items() if found and _belong(found, len(names))]
    shown = " and ".join(names)
    if not fitting:
        return NoMatch(reason=f"None of the options lists {shown}.")
    longest = max(fitting, key=lambda option: len(places[option] or ()))
    twins = [option for option in fitting if same_text(option.text, longest.text)]
    if len(twins) < len(fitting) and len(places[longest] or ()) < len(names):
        return tie(fitting, shown)
    return chosen(twins, SAME * LISTED_MARGIN, "names")


def match_alone(value: Named, choices: Choices) -> Match | None:
    """Of options that all name a place, the one that names no other: "only A", "A but not B"."""
    names = [
        {*normalise(name).split()} for name in (value.name, *(value.place.aliases if value.place else ()))
    ]
    alone = [option for option in choices.options if _is_alone(names, f" {normalise(option.text)} ")]
    return chosen(alone, SAME * LISTED_MARGIN, "name alone") if len(alone) == 1 else None


def _is_alone(names: Sequence[set[str]], text: str) -> bool:
    for phrase in phrases("alone", "except"):
        text = text.partition(f" {phrase} ")[0] + " "
    words = {*text.split()}.difference(phrases("alone", "only"))
    return bool(words) and any(words <= name for name in names)


def _names(value: Value, ranking: Sequence[Value]) -> list[str]:
    """The names in order, each once; only whole rankings of names count."""
    if not isinstance(value, Named):
        return []
    names = {normalise(one.name): one.name for one in (value, *ranking) if isinstance(one, Named)}
    return list(names.values())


def _places(text: str, names: Sequence[str]) -> frozenset[int] | None:
    """Which of the names the items of a text are; None if an item is none of them."""
    literal = written_out(names, text)
    if literal:
        return literal
    items = set_items(text)
    found = [_place(item, names) for item in items]
    if None in found or len(set(found)) < len(items):
        return None
    return frozenset(place for place in found if place is not None)


def _place(item: str, names: Sequence[str]) -> int | None:
    scores = [similarity(item, name) for name in names]
    best = max(scores)
    return scores.index(best) if best >= SAME_SCORE else None


def _belong(found: frozenset[int], total: int) -> bool:
    """True for all the names, or for an unbroken beginning of the ranking of at least two."""
    return len(found) == total or (len(found) > 1 and found == frozenset(range(len(found))))
