"""Programs for wishes: the recommender ranks, the conditions of the wish bind."""

from datetime import time

from modules.offline.intents import HERE, When
from modules.offline.programs.words import (
    clock,
    conditions,
    day_of,
    place,
    program,
    quoted,
    serves,
    where,
)
from modules.recommender.wish import Geometry, Wish

MEAL_TIMES = {
    "breakfast": time(9),
    "brunch": time(11),
    "lunch": time(13),
    "dinner": time(19, 30),
    "late": time(22),
}
"""The time by which a meal is judged where the question names none."""


def recommendation(wish: Wish, text: str, facts: frozenset[str], count: int) -> str:
    """The program of a wish.

    Args:
        wish: What is wanted.
        text: The question, whose words rank.
        facts: What the map states of places: a word for a price is a matter of taste where it states none.
        count: How many places to name.
    """
    lines, given = _measured_from(wish)
    call = f"recommend({quoted(text)}{given}{where(_tests(wish, facts))})"
    return program(*lines, f"found = {call}[:{count}]", "answer(found)")


def _measured_from(wish: Wish) -> tuple[list[str], str]:
    """What is measured from, where an argument says it; ways, corners and several points are in the words."""
    if wish.corners:
        return [], ""
    if wish.geometry is Geometry.POINT and len(wish.anchors) == 1:
        (anchor,) = wish.anchors
        return ([], ", near=here") if anchor == HERE else ([f"a = {place(anchor)}"], ", near=a")
    if wish.geometry is Geometry.REGION:
        return [f"a = area({quoted(wish.anchors[0])})"], ", inside=a"
    if wish.geometry is Geometry.BETWEEN:
        ends = ", ".join(map(place, wish.anchors))
        return [f"a = between({ends})"], ", inside=a"
    return [], ""


def _tests(wish: Wish, facts: frozenset[str]) -> list[str]:
    """The conditions of a wish."""
    levels = wish.filters.price_levels if "price_level" in facts else frozenset[int]()
    tests = conditions(wish.filters.model_copy(update={"exclude": (), "price_levels": levels}))
    if wish.cuisines:
        served = " or ".join(serves("p", cuisine) for cuisine in wish.cuisines)
        tests.append(served if len(wish.cuisines) == 1 else f"({served})")
    if wish.no_chain:
        # Maps tag the brands of chains, so a place without one is taken to be its own.
        tests.append("not known(p.brand)")
    if wish.meal is not None and wish.filters.open_at is None:
        tests.append(_open_for(wish.meal, wish.meal_on or When()))
    return [*tests, *(f"{quoted(name)} not in p.name" for name in wish.filters.exclude)]


def _open_for(meal: str, day: When) -> str:
    """Not known to be closed at the time of a meal; a late one needs hours that say so."""
    at = f"{day_of(day)} {clock(MEAL_TIMES[meal])}".strip()
    test = f'is_open(p, "{at}")'
    return test if meal == "late" else f"({test} or not known({test}))"
