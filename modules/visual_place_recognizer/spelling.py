"""Slips in words for kinds of places ("attarctions"), mended before the words are read."""

import re
from functools import lru_cache

from rapidfuzz.distance import OSA

from map_tools.kinds.concepts import lookup
from modules.visual_place_recognizer.words import picture_words

LEAST_LETTERS = 6
"""Of a word in which a slip is mended; shorter ones are too like each other."""


def mended(text: str) -> str:
    """The text with each word that is one slip away from a word for a kind replaced by it."""
    return re.sub(r"[A-Za-z]+", lambda found: _mended_word(found[0]), text)


@lru_cache(maxsize=1024)
def _mended_word(word: str) -> str:
    """The word for a kind that differs from a word in one letter, or in two that changed places."""
    plain = word.lower()
    if len(plain) < LEAST_LETTERS or lookup(plain) is not None:
        return word
    near = (known for known in picture_words()["kind"]["spelt"] if OSA.distance(plain, known) == 1)
    return next(near, word)
