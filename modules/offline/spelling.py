"""Corrects misspelt key words ("neerest restarant") before anything is read; names are left alone."""

import re
from functools import lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from map_tools.concepts import lookup
from modules.offline.lexicon import glue, lexicon, misspellable

_WORD = re.compile(r"(?<![\w'&.])[a-z][a-z\-]{4,}(?![\w&])")
_LONG = 8
"""From this length on two wrong letters are forgiven, below it one."""


def corrected(text: str) -> str:
    """The text with misspelt key words put right. Only words written in lower case are touched."""
    return _WORD.sub(lambda match: _correct(match.group()), text)


@lru_cache(maxsize=4096)
def _correct(word: str) -> str:
    if word in glue() or word in lexicon().words or lookup(word) is not None:
        return word
    limit = 2 if len(word) >= _LONG else 1
    if len(word) < 6:
        return word
    found = process.extractOne(word, misspellable(), scorer=OSA.distance, score_cutoff=limit)
    if found is None or found[0][0] != word[0]:
        return word
    return found[0]
