"""When two wordings mean the same name, or the same street.

Of names, case, accents, punctuation, order and small slips are forgiven; of streets, abbreviations, accents and
missing parts.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from rapidfuzz import fuzz

from map_tools.compute.scanning import load
from map_tools.kinds.phrases import fold

SAME_SCORE = 0.86
"""Two names at or above this similarity are taken for the same."""

CONTAINED_BASE = 0.86
CONTAINED_SPAN = 0.12
"""A name wholly contained in another scores between base and base + span, by the share of words they have in
common: always the same place, always less than an equal name."""

WORD_SCORE = 0.8
STEM_CHARS = 5
"""Two words this alike, or with such a common beginning, are one in two spellings or languages."""

LINK_CHARS = 3
"""Words up to this long ("of", "de", "the", "des") tell nothing beside longer ones."""

_WHEREABOUTS = re.compile(r", | (?:in|at|near) ", re.IGNORECASE)

MIN_CONTAINED_CHARS = 4
"""Shorter names ("bar", "7") occur by chance inside others."""


@lru_cache(maxsize=8192)
def normalise(text: str) -> str:
    """Folds case, accents and punctuation: "Café  d'Été" and "cafe d ete" become equal."""
    return re.sub(r"[\W_]+", " ", fold(text)).strip()


def similarity(a: str, b: str) -> float:
    """0 to 1: how alike two names are.

    A name that is wholly contained in the other ("Hill Park" in "Hill Park, Springfield") scores by
    containment, scaled down a little, so that an exact name always wins.
    """
    x, y = normalise(a), normalise(b)
    if not x or not y:
        return 0.0
    if x == y:
        return 1.0
    whole = fuzz.token_sort_ratio(x, y) / 100
    words_x, words_y = set(x.split()), set(y.split())
    if words_x <= words_y or words_y <= words_x:
        shared = min(len(words_x), len(words_y)) / max(len(words_x), len(words_y))
        contained = CONTAINED_BASE + CONTAINED_SPAN * shared
        return max(whole, contained) if min(len(x), len(y)) >= MIN_CONTAINED_CHARS else whole
    return whole


def same_name(a: str, b: str) -> bool:
    """True if the two wordings mean the same name."""
    return similarity(a, b) >= SAME_SCORE


def same_words(a: str, b: str) -> bool:
    """True if every telling word of the shorter name has its like in the longer ("basilica", "basilique").

    So names are told across languages and with words left out; single words are too few to tell.
    """
    shorter, longer = sorted((normalise(a).split(), normalise(b).split()), key=len)
    telling = [word for word in shorter if len(word) > LINK_CHARS]
    wanted = telling if len(telling) > 1 else shorter
    return len(wanted) > 1 and all(any(_same_word(word, other) for other in longer) for word in wanted)


def _same_word(a: str, b: str) -> bool:
    stem = a[:STEM_CHARS]
    return fuzz.ratio(a, b) >= 100 * WORD_SCORE or (len(stem) == STEM_CHARS and b.startswith(stem))


def slug(text: str) -> str:
    """A short id made of a name: "Café d'Été" becomes "cafe-d-ete"."""
    return normalise(text).replace(" ", "-")


def apart_from_whereabouts(name: str) -> tuple[str, str]:
    """A name, and what it is said to be in or near: ("Central Library", "Springfield"); that is often empty."""
    bare, *where = _WHEREABOUTS.split(name, maxsplit=1)
    return bare, where[0] if where else ""


HEAD_SHARE = 0.99
"""What a name counts that fits only the part before the qualifiers ("Old Mill" in "Old Mill, Norwich")."""
SHORTEST_WORD = 3
"""Letters a word needs to stand for a name it is part of ("the zoo" for "City Zoo")."""


def mention_score(text: str, name: str) -> float:
    """0 to 1: how surely a question's words name a place that a supplied text describes.

    Laxer than `similarity`, for the few names of one text: the words may carry qualifiers behind a comma, and
    leave out words of the name, or spell them as another language does.
    """
    head = text.partition(",")[0]
    score = max(similarity(text, name), HEAD_SHARE * similarity(head, name))
    if score >= SAME_SCORE:
        return score
    word = normalise(head)
    part = len(word) >= SHORTEST_WORD and word in normalise(name).split()
    return max(score, SAME_SCORE if part or same_words(head, name) else 0.0)


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
