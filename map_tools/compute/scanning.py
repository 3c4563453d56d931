"""Running text as the scanners read it: lowered without moving a character, spans in it, and lists of words."""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

_TYPOGRAPHY = str.maketrans(
    {
        **dict.fromkeys(
            "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
            " ",
        ),
        "\t": " ",
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-"),
        **dict.fromkeys("\u2018\u2019\u02bc\u00b4`", "'"),
        "\uff1a": ":",
    }
)
_GROUP_SPACE = re.compile("(?<=\\d)[\u00a0\u2009\u202f](?=\\d{3}(?!\\d))")


@dataclass(frozen=True, slots=True)
class Span[T]:
    """A stretch of a text and what it means.

    Attributes:
        start: Index of the first character; `end` is one past the last.
        value: Seconds, metres, a time of day or a number.
        text: The stretch as written.
    """

    start: int
    end: int
    value: T
    text: str


def lowered(text: str) -> str:
    """Lower case, plain spaces, plain hyphens and apostrophes; every character keeps its index.

    A no-break or thin space between groups of three digits becomes a comma ("12 500" with U+202F → "12,500").
    """
    if text.isascii():
        return text.translate(_TYPOGRAPHY).lower()
    grouped = _GROUP_SPACE.sub(",", text)
    return "".join(map(_lower, grouped.translate(_TYPOGRAPHY)))


def overlaps(a: "Span[object]", b: "Span[object]") -> bool:
    """True if the two spans share a character."""
    return a.start < b.end and b.start < a.end


@lru_cache(maxsize=8)
def load(name: str) -> dict[str, Any]:
    """The word list `NAME.toml` of this package; read once. Callers must not change it."""
    return tomllib.loads(files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8"))


def alternatives(words: Iterable[str]) -> str:
    """A regular expression that matches any of the words, the longest first."""
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


def _lower(char: str) -> str:
    """The lower case, unless it is longer than the character ("İ"), which would move all that follows."""
    low = char.lower()
    return low if len(low) == 1 else char
