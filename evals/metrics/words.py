"""Words of an answer as GS-QA counts them: lower case, no punctuation, no stop words, numbers in words."""

import re
import tomllib
from functools import lru_cache
from importlib.resources import files

from evals.metrics.number_words import in_words

_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")


@lru_cache(maxsize=1)
def stop_words() -> frozenset[str]:
    """The words that do not count."""
    data = tomllib.loads((files("evals.metrics") / "stopwords.toml").read_text("utf-8"))
    return frozenset(data["words"].split())


@lru_cache(maxsize=65_536)
def plain_words(text: str) -> tuple[str, ...]:
    """Lower-cased words and numbers, without punctuation (Geo-ReAct, section 6.2: T(e))."""
    return tuple(_WORD.findall(text.casefold().replace("’", "'")))


@lru_cache(maxsize=65_536)
def content_words(text: str) -> tuple[str, ...]:
    """`plain_words` without stop words, numbers in words (GS-QA, section 5.1: preprocessing)."""
    words: list[str] = []
    for word in plain_words(text):
        if word[0].isdigit():
            words += _number(word)
        elif word not in stop_words():
            words.append(word)
    return tuple(words)


def _number(digits: str) -> list[str]:
    """A number's words; what is no plain number ("3.1.4") counts as the word it is."""
    plain = digits.replace(",", "") if _THOUSANDS.fullmatch(digits) else digits
    try:
        return in_words(plain).split()
    except ValueError:
        return [digits]
