"""Directions in options: "Northwest", "NW", "to the north-west", "north west of the park"."""

from itertools import pairwise

from map_tools.compute.geodesy import OCTANT_DEG, WINDS, wind_words
from modules.names import normalise

MIN_WORD = 3
"""A letter or two ("S", "NW") is a direction only where the text is nothing else: "S High St" is a street."""


def wind_of(text: str) -> str | None:
    """The one of eight winds a text names; None if it names none, or several different ones.

    Two words are tried before one ("north west"), so that a compound is never read as its halves.
    """
    whole = wind_words(text)
    if whole is not None:
        return whole
    words = [word for word in normalise(text).split() if len(word) >= MIN_WORD]
    compounds = {wind_words(f"{a}{b}") for a, b in pairwise(words)} - {None}
    found = compounds or {wind_words(word) for word in words} - {None}
    return found.pop() if len(found) == 1 else None


def bearing_of(text: str) -> float | None:
    """The bearing in degrees of the wind a text names."""
    wind = wind_of(text)
    return None if wind is None else WINDS.index(wind) * OCTANT_DEG
