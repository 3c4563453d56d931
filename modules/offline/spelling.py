"""Corrects misspelt key words ("neerest restarant") before anything is read; names are left alone."""

import re
from functools import lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from map_tools.concepts import lookup
from modules.offline.lexicon import glue, lexicon, misspellable, word_set

_ANY_WORD = re.compile(r"(?<![\w'&.])[A-Za-z]+(?![\w&])")
_DOSE = re.compile(r"\bdose(?= (?:it|the|this|that|a)\b)", re.IGNORECASE)
"""A verb where no medicine is meant."""
_WORD = re.compile(r"(?<![\w'&.])[a-z][a-z\-]{4,}(?![\w&])")
_LONG = 8
"""From this length on two wrong letters are forgiven, below it one."""


def corrected(text: str) -> str:
    """The text with misspelt key words put right.

    Of words with a capital only known slips that begin the text are touched: others may be names.
    """
    plain = _DOSE.sub("does", _ANY_WORD.sub(_without_slip, text))
    return _WORD.sub(lambda match: _correct(match.group()), plain)


def _without_slip(match: re.Match[str]) -> str:
    word = match.group()
    if word[0].isupper() and match.start():
        return word
    right = _slips().get(word.casefold(), word)
    return right.capitalize() if word[0].isupper() else right


@lru_cache(maxsize=1)
def _slips() -> dict[str, str]:
    return dict(entry.split("=") for entry in word_set("slips"))


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
