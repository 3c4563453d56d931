"""Two names in one phrase: "A to B", "A and B", "cafes of A". Known names decide where one ends."""

import re
from collections.abc import Iterator, Sequence

from map_tools.kinds.concepts import lookup
from map_tools.text import normalise
from map_tools.types import TravelMode
from modules.context_reader.vocabulary import forms, words

_PREPOSITION = re.compile(r"(?:by|on|in|via|using|with)\s", re.IGNORECASE)
_GERUND = re.compile(r"\w+ing$", re.IGNORECASE)
_SENTENCE_WORD = re.compile(  # names hold capitals ("It", "A") where sentences have these
    r"\b(?:is|are|it|was|our|my|takes?|lies|needs?|you|your|we|reached|can|by|an?|minutes?|km|left|right|exit|every)\b"
    r"|[.;:!?] |, (?:and|but) "
)
_MOST_NAME_WORDS = 9
_EDGE = " ,;:()[]-–"


def split_pair(text: str, kind: str, known: frozenset[str]) -> tuple[str, str] | None:
    """Splits at a separator of the kind ("pair", "between").

    Of several ways to split, the one with most known names on its sides wins, then the first of the most
    trusted separator.

    Args:
        text: The phrase.
        kind: Which separators: a key of `[separators]` in `words.toml`.
        known: Normalised names of places the text speaks of elsewhere.
    """

    def score(way: tuple[str, str]) -> int:
        return sum(normalise(name) in known for name in way)

    return max(_splits(text, words().separators[kind]), key=score, default=None)


def is_name(text: str) -> bool:
    """True for words that may be a name: few, and none of them such as only sentences have."""
    return (
        any(map(str.isalpha, text))
        and text.count("(") == text.count(")")
        and _SENTENCE_WORD.search(text) is None
        and len(text.split()) <= _MOST_NAME_WORDS
    )


def split_anchor(text: str, known: frozenset[str]) -> tuple[str, str] | None:
    """Splits "places of interest of A" into the kind of place and the anchor.

    A known anchor decides; else the longest words that name a kind of place; else the first separator.
    """

    def score(way: tuple[str, str]) -> tuple[bool, int]:
        kind = normalise(way[0])
        named = kind in words().vague_types or lookup(kind) is not None
        return normalise(way[1]) in known, len(kind.split()) if named else 0

    return max(_splits(text, words().separators["anchor"]), key=score, default=None)


def _splits(text: str, separators: Sequence[str]) -> Iterator[tuple[str, str]]:
    folded = text.lower()
    for separator in separators:
        at = folded.find(separator)
        while at >= 0:
            left, right = text[:at].strip(_EDGE), text[at + len(separator) :].strip(_EDGE)
            if left and right:
                yield _balanced(left, text), _balanced(right, text)
            at = folded.find(separator, at + 1)


def _balanced(part: str, text: str) -> str:
    """Gives a bracket back that belongs to the name: "B (North" of "A to B (North)" is "B (North)"."""
    if part.count("(") == part.count(")") + 1 and f"{part})" in text:
        return f"{part})"
    return part


def mode_in(text: str) -> TravelMode | None:
    """The first mode of travel a text names ("driving time", "by car", "on foot")."""
    found = forms().mode.search(text)
    return words().modes[found.group().lower()] if found else None


def modes_in(text: str) -> list[tuple[int, TravelMode]]:
    """All modes of travel a text names, with where they begin."""
    return [(found.start(), words().modes[found.group().lower()]) for found in forms().mode.finditer(text)]


def cut_mode(text: str) -> tuple[str, TravelMode | None]:
    """Takes the mode of travel off the end: "A to B by car" → "A to B".

    A bare noun stays where it is, as it may end a name ("Union Metro", "Grand Drive"): it must stand after a
    preposition, in brackets, or be a verb form such as "walking".
    """
    bare = text.rstrip(" .,;:")
    for found in forms().mode.finditer(bare):
        phrase = found.group()
        bracketed = bare[found.end() :] == ")" and bare[: found.start()].endswith("(")
        if not bracketed and (found.end() != len(bare) or found.start() == 0):
            continue
        if bracketed or _PREPOSITION.match(phrase) or _GERUND.search(phrase):
            rest = bare[: found.start()].rstrip(" (,;")
            return rest, words().modes[phrase.lower()]
    return text, None
