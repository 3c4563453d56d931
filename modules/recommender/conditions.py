"""Hard conditions: the semantic candidate set C_k of equation 7, and what emptied it if it is empty."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import time

from map_tools.types import Place
from modules.names import normalise
from modules.offline.intents import When
from modules.recommender.wish import Wish
from modules.solvers.conditions import Condition, Sifted, conditions_of, sift
from modules.solvers.offers import serves
from modules.view import View

MEAL_TIMES: Mapping[str, time] = {
    "breakfast": time(9),
    "brunch": time(11),
    "lunch": time(13),
    "dinner": time(19, 30),
    "late": time(22),
}
"""The time by which a meal is judged where the question names none."""

BRANCHES = 3
"""So many places of one name among the candidates are a chain, whatever their tags say."""

_CHAIN_KEYS = ("brand", "brand:wikidata")
"""Tags of chains (https://wiki.openstreetmap.org/wiki/Key:brand)."""


@dataclass(frozen=True, slots=True)
class Loosened:
    """What would be left without one condition."""

    words: str
    count: int


def judge(wish: Wish, view: View, places: Sequence[Place]) -> Sifted:
    """Which places fulfil every condition. A fact that is not stated fulfils none."""
    return sift(places, _conditions(wish, view, places))


def loosened(sifted: Sifted, count: int) -> tuple[Loosened, ...]:
    """What each condition costs: how many of `count` places would be left without it, most first."""
    found = []
    for position, outcome in enumerate(sifted.outcomes):
        others = (other.kept for index, other in enumerate(sifted.outcomes) if index != position)
        left = set(range(count)).intersection(*others)
        found.append(Loosened(outcome.condition.words, len(left)))
    return tuple(sorted(found, key=lambda one: -one.count))


def answerable(wish: Wish, facts: frozenset[str]) -> tuple[Wish, tuple[str, ...]]:
    """The wish as a map with these facts can answer it, and a note on what was loosened.

    A word for a price ("cheap") is a matter of taste where the map states no price at all: it counts in the
    semantic sentence only. A number ("rated over 4.5") stays a condition, and is then fulfilled by nothing.
    """
    if "price_level" in facts or not wish.filters.price_levels:
        return wish, ()
    filters = wish.filters.model_copy(update={"price_levels": frozenset()})
    note = "The map states no prices, so that part of the wish is a matter of likeness."
    return wish.model_copy(update={"filters": filters}), (note,)


def _conditions(wish: Wish, view: View, places: Sequence[Place]) -> tuple[Condition, ...]:
    made = list(conditions_of(view, wish.filters))
    if wish.cuisines:
        made.append(_cuisine(wish.cuisines))
    if wish.no_chain:
        made.append(_independent(places))
    if wish.meal is not None and wish.filters.open_at is None:
        made.append(_open_for(wish.meal, view, wish.meal_on or When()))
    return tuple(made)


def _cuisine(wanted: Sequence[str]) -> Condition:
    """One of several cuisines ("American or Italian")."""

    def test(place: Place) -> bool | None:
        verdicts = [serves(place, cuisine) for cuisine in wanted]
        if True in verdicts:
            return True
        return None if None in verdicts else False

    return Condition(f"cuisine {' or '.join(wanted)}", "cuisine", test)


def _independent(places: Sequence[Place]) -> Condition:
    """No chain: maps tag the brands of chains, so a place without one is taken to be its own."""
    branches = Counter(normalise(place.name) for place in places if place.name)

    def test(place: Place) -> bool | None:
        tagged = any(key in place.attributes for key in _CHAIN_KEYS)
        return not (tagged or branches[normalise(place.name)] >= BRANCHES)

    return Condition("not a chain", "brand", test)


def _open_for(meal: str, view: View, day: When) -> Condition:
    """Not known to be closed at the time of a meal; a late one needs hours that say so."""
    from modules.solvers.opening_verdict import verdict

    at = MEAL_TIMES[meal]

    def test(place: Place) -> bool | None:
        state = None if place.hours is None else verdict(view, place, day.model_copy(update={"at": at})).state
        return state if meal == "late" else state is not False

    words = f"open at {at:%H:%M}" if meal == "late" else f"not closed at {at:%H:%M} ({meal})"
    return Condition(words, "opening hours", test)
