"""The last words of a loop as a typed value, if an observation supports them.

Language understands, tools compute: a name must have been observed, and a number must be one that a tool gave
(in another unit, or rounded, it still is). What nothing supports is never given as the answer.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from evals.methods.geo_react.numbers import (
    is_amount,
    quantity_in,
    slack_of,
    with_amount,
    with_point,
    with_wind,
)
from evals.methods.geo_react.places import place_called, point_in
from map_tools.compute.geodesy import wind_words
from map_tools.text import normalise
from map_tools.types import Place
from mapagent.answer import Named, NameSet, Text, Value
from modules.spatial_database.tools.base import Observation

REFUSALS = frozenset({"", "unanswerable", "unknown", "none", "n a", "not found", "no answer"})
MAX_SHOWN = 60
"""Characters of an answer that is told to be wrong."""
_LISTS = (
    re.compile(r"\s*[;\n]\s*|\s*,\s+(?:and\s+)?"),
    re.compile(r"\s*[;\n]\s*|\s*,\s+(?:and\s+)?|\s+and\s+"),
)
"""What stands between names; "and" may also be part of one."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What is made of the last words.

    Attributes:
        value: The typed value; None for a refusal, or where nothing supports the words.
        support: Numbers (from 0) of the observations that support it.
        problem: Why it cannot be given, for the model; empty if it can, or is a refusal.
    """

    value: Value | None = None
    support: tuple[int, ...] = ()
    problem: str = ""


def judge(words: str, observations: Sequence[Observation]) -> Judged:
    """The value that the words state, with the observations that support it."""
    if normalise(words) in REFUSALS:
        return Judged()
    value, support = _typed(words, observations) or _names(words, observations)
    if support:
        return Judged(value, support)
    shown = words if len(words) <= MAX_SHOWN else f"{words[:MAX_SHOWN]}..."
    return Judged(
        problem=f"No observation holds '{shown}'. Answer what an observation says, look it up, or finish "
        "with Unanswerable."
    )


def _typed(words: str, observations: Sequence[Observation]) -> tuple[Value, tuple[int, ...]] | None:
    """A position, a direction or an amount; None for other words, or if a name is what was observed."""
    point = point_in(words)
    if point is not None:
        place = Place(id="", name="", location=point)
        return Named(name=words.strip(), place=place), with_point(point, observations)
    wind = wind_words(words)
    if wind is not None:
        return Text(text=words.strip(), topic="direction"), with_wind(wind, observations)
    amount = quantity_in(words)
    if amount is None or (not is_amount(words) and _observed(words, observations)):
        return None
    return with_amount(amount, observations, slack_of(words))


def _names(words: str, observations: Sequence[Observation]) -> tuple[Value, tuple[int, ...]]:
    """One name or several, each of which was observed; what was observed as a whole is one name."""
    whole = _observed(words, observations)
    if whole:
        return _named(words, observations, whole), whole
    for between in _LISTS:
        parts = tuple(part.strip() for part in between.split(words) if part.strip())
        support = [_observed(part, observations) for part in parts]
        if len(parts) > 1 and all(support):
            together = dict.fromkeys(number for found in support for number in found)
            return NameSet(names=parts), tuple(together)
    first = words.partition(",")[0]
    return _named(first, observations, found := _observed(first, observations)), found


def _observed(words: str, observations: Sequence[Observation]) -> tuple[int, ...]:
    wanted = normalise(words)
    return tuple(
        number
        for number, one in enumerate(observations)
        if wanted and one.ok and f" {wanted} " in f" {normalise(one.text)} "
    )


def _named(words: str, observations: Sequence[Observation], support: Sequence[int]) -> Named:
    """The name, with the place it is the name of where an observation tells more of it."""
    found = (place_called(words, observations[number].result) for number in reversed(support))
    return Named(name=words.strip(), place=next((place for place in found if place is not None), None))
