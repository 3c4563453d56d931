"""When two street names mean the same street: abbreviations, accents and missing parts are forgiven."""

import re
from collections.abc import Iterable
from functools import lru_cache

from map_tools.compute.scanning import load
from map_tools.text import SAME_SCORE, normalise, similarity

_REFERENCE = re.compile(r"(?:[A-Z]{1,4}[ -]?)?\d+[A-Z]?(?: [NSEW])?")
"""A road's number in a network: "16", "A40", "99A", "N-340", "US-33 E"."""

_DIRECTIONS = frozenset({"n", "s", "e", "w", "ne", "nw", "se", "sw"})


@lru_cache(maxsize=4096)
def canonical_street(name: str) -> str:
    """A street name in the form names are compared in: "Saint Mary's Street" becomes "st mary s st"."""
    short: dict[str, str] = load("route_steps")["abbreviations"]
    words = (_split_suffix(word) for word in normalise(name.replace("ß", "ss")).split())
    return " ".join(short.get(word, word) for word in words)


def names_first(streets: Iterable[str]) -> tuple[str, ...]:
    """The names of one road in order, its numbers ("16", "A40") behind them."""
    return tuple(sorted(streets, key=is_number))


def is_number(street: str) -> bool:
    """True if this is a road's number in a network, not its name."""
    return _REFERENCE.fullmatch(street) is not None


def same_street(a: str, b: str) -> bool:
    """True if two names mean one street ("E Linden Ave" and "US-9 E/East Linden Avenue").

    Numbers must agree ("9th Ave" is not "19th Ave") and so must compass directions where both have one.
    """
    return any(
        _same(canonical_street(x), canonical_street(y)) for x in split_streets(a) for y in split_streets(b)
    )


def split_streets(name: str) -> tuple[str, ...]:
    """The names in "US-9 E/E Linden Ave"; a house number such as "12/3" is not split."""
    parts = [part.strip() for part in re.split(r"(?<!\d)/|/(?!\d)", name)]
    return tuple(part for part in parts if part)


def _same(a: str, b: str) -> bool:
    if a == b:
        return True
    words_a, words_b = set(a.split()), set(b.split())
    if _numbers(words_a) != _numbers(words_b):
        return False
    directions_a, directions_b = words_a & _DIRECTIONS, words_b & _DIRECTIONS
    if directions_a and directions_b and directions_a != directions_b:
        return False
    return similarity(a, b) >= SAME_SCORE


def _numbers(words: set[str]) -> set[str]:
    return {word for word in words if any(char.isdigit() for char in word)}


def _split_suffix(word: str) -> str:
    """German "Hauptstr" is "Hauptstrasse"."""
    return f"{word}asse" if word.endswith("str") and len(word) > len("str") else word
