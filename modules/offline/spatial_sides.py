"""Directions that a question demands or offers: "to the north-east of", "is it north or south?"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from map_tools.compute.geodesy import wind_words
from map_tools.spatial_db.grounding.areas import is_state
from modules.offline.lexicon import Cue
from modules.offline.spatial_words import Stretch, Words, word_list

_BETWEEN_WINDS = 4
"""Words between two winds of one choice."""
_INITIALS = frozenset("NESW")
_LYING = re.compile(r"-(?:lying|facing|situated|located|side)$")


@dataclass(frozen=True, slots=True)
class Side:
    """A wind with the words around it."""

    stretch: Stretch
    wind: str


def find_sides(words: Words) -> tuple[Side, ...]:
    """The winds that say on which side something lies, the surest first; those in names may be among them."""
    if winds_offered(words) is not None:
        return ()
    asked = {index for cue in words.of("ask.direction") for index in range(cue.first, cue.last)}
    found = [
        (-sure, Side(_grown(words, first, last), wind))
        for first, last, wind in _winds(words)
        if first not in asked and (sure := _sure_side(words, first, last)) >= 1
    ]
    found.sort(key=lambda entry: entry[0])
    return tuple(side for _, side in found[:3])


def winds_offered(words: Words) -> Cue | None:
    """Winds between which the answer shall choose ("to the north or to the south"); None if none are."""
    winds = [(first, last) for first, last, _ in _winds(words) if _stands_alone(words, first)]
    begin = 0
    for number, ((first, last), (after, end)) in enumerate(pairwise(winds), start=1):
        between = {words.norm(index) for index in range(last, after)}
        if after - last > _BETWEEN_WINDS or words.sentence[first] != words.sentence[after]:
            begin = number
        elif "or" in between:
            return Cue(winds[begin][0], end, "ask.direction")
    return None


def _stands_alone(words: Words, index: int) -> bool:
    """True for a wind in small letters, and for one in capitals ("NE") that is no part of a name."""
    token = words.tokens[index]
    joins = word_list("around_choice") | {""}
    around = words.norm(index - 1) in joins and words.norm(index + 1) in joins
    return token.text.islower() or (token.text.isupper() and around)


def _winds(words: Words) -> Iterator[tuple[int, int, str]]:
    """All winds: first token, last token (exclusive), the wind."""
    index = 0
    while index < len(words):
        length, wind = _wind_at(words, index)
        if wind is not None:
            yield index, index + length, wind
        index += length


def _sure_side(words: Words, first: int, last: int) -> float:
    """How much speaks for a side and not for a part of a name; 1 is enough."""
    behind = words.norm(last)
    if behind in word_list("behind_wind"):
        sure = 1.0
    else:
        sure = 0.5 * (last == len(words) or not behind[0].isalnum())
    sure += 0.8 * (words.norm(first - 1) in word_list("before_wind"))
    return sure + 0.5 * words.tokens[first].text.islower()


def _wind_at(words: Words, index: int) -> tuple[int, str | None]:
    """How many tokens a wind's name that begins here has, and the wind."""
    if _is_state_code(words, index):
        return 1, None
    for length in (2, 1):
        parts = [_side_word(words.norm(number)) for number in range(index, min(index + length, len(words)))]
        short = any(len(part) < 2 for part in parts) and not _is_initial(words, index)
        if short or len(parts) < length:
            continue
        if length == 2 and not all(wind_words(part) for part in parts):
            continue
        wind = wind_words(" ".join(parts))
        if wind is not None:
            return length, wind
    return 1, None


def is_wind(word: str) -> bool:
    """True for "north", "southwest-lying"."""
    return len(word) > 1 and wind_words(_side_word(word)) is not None


def _side_word(word: str) -> str:
    return _LYING.sub("", word)


def _is_state_code(words: Words, index: int) -> bool:
    """True for "Lincoln, NE"; "NE of" and "NE," among other winds are directions."""
    text = words.tokens[index].text
    if words.norm(index - 1) != "," or not (text.isupper() and is_state(text)):
        return False
    nearby = (words.tokens[number].text for number in (index - 2, index + 2) if 0 <= number < len(words))
    listed = any(near.isupper() and wind_words(near) for near in nearby)
    return words.norm(index + 1) != "of" and not listed


def _is_initial(words: Words, index: int) -> bool:
    """True for a wind of one letter that goes on as a direction or a choice does ("E of", "N, E, S or W")."""
    if words.tokens[index].text not in _INITIALS:
        return False
    return words.norm(index + 1) == "of" or _stands_alone(words, index)


def _grown(words: Words, first: int, last: int) -> Stretch:
    while (
        first > 0
        and words.norm(first - 1) in word_list("around_wind")
        and words.sentence[first - 1] == words.sentence[first]
    ):
        first -= 1
    while last < len(words) and words.norm(last) in {"direction", "side", "part", "of", "hand"}:
        last += 1
    if words.norm(last - 1) == "of":
        last -= 1
    return first, last
