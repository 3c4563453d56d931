"""Directions in words: "Northwest", "NW", "to the north-west", "north west of the park"."""

from modules.answer_generator.vocabulary import meanings
from modules.names import normalise

WINDS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
STEP_DEG = 45.0


def wind_of(text: str) -> str | None:
    """The one of eight winds a text names; None if it names none, or several different ones.

    Two words are tried before one ("north west"), so that a compound is never read as its first half.
    """
    words = normalise(text).split()
    table = meanings("wind")
    found: list[str] = []
    position = 0
    while position < len(words):
        pair = " ".join(words[position : position + 2])
        if pair in table and " " in pair:
            found.append(table[pair])
            position += 2
            continue
        # Single letters count only where the text is nothing else ("N"), not in "S High St".
        if words[position] in table and (len(words[position]) > 2 or len(words) == 1):
            found.append(table[words[position]])
        position += 1
    return found[0] if len(set(found)) == 1 else None


def bearing_of(text: str) -> float | None:
    """The bearing in degrees of the wind a text names."""
    wind = wind_of(text)
    return None if wind is None else WINDS.index(wind) * STEP_DEG
