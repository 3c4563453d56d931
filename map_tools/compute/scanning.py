"""Running text as the scanners read it: lowered without moving a character, spans, lists of words, and numbers.

The grammar of number words is the usual one: ones, teens and tens below a hundred, "X hundred (and) Y",
"X thousand Y"; a dozen, a couple; halves and quarters as fractions.
"""

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


NOT_BEFORE = r"(?<!\w)(?<!\d[.,:/])"
"""A number does not begin inside a word, a decimal, a clock time or a fraction."""

DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![,\d])|\d+(?:[.,]\d+)?)"
FRACTION_TAIL = r"(?:[ -]and[ -](?:an?[ -]|one[ -])?(?:half|quarter)|[ -]and[ -]three[ -]quarters)"

_ORDINAL_DIGITS = r"(?P<digits>\d+)(?:st|nd|rd|th)"
_WORD_SPLIT = re.compile(r"[ -]+")


@lru_cache(maxsize=1)
def words_pattern() -> str:
    """A regular expression (no groups) for a number in words, without its fraction."""
    lists = load("quantities")
    ones, teens, tens = (alternatives(lists[key]) for key in ("ones", "teens", "tens"))
    below_100 = f"(?:(?:{tens})(?:[ -](?:{ones}))?|(?:{teens})|(?:{ones}))(?![a-z])"
    below_1000 = f"(?:(?:an?|{ones}) hundred(?: (?:and )?{below_100})?|{below_100})"
    large = f"(?:(?:an?|{below_1000}) (?:thousand|million)(?:,? (?:and )?{below_1000})?|{below_1000})"
    dozen = f"(?:(?:half an?|an?|{below_100})[ -])?dozen"
    return f"(?:{dozen}|{large})(?![a-z])"


@lru_cache(maxsize=1)
def plain_pattern() -> str:
    """A regular expression (no groups) for a number: digits or words, with a fraction or without."""
    glyphs = "".join(load("quantities")["glyphs"])
    digits = rf"(?:\d+ \d/\d(?!\d)|\d/\d(?!\d)|\d* ?[{glyphs}]|{DIGITS}(?:k(?![a-z]))?(?:{FRACTION_TAIL})?)"
    return f"(?:{digits}|{words_pattern()}(?:{FRACTION_TAIL})?)"


def plain_value(text: str) -> float | None:
    """The value of a folded text that `plain_pattern` matches; None if it is no number after all."""
    whole, fraction = _split_fraction(text.strip())
    if whole[:1].isdigit() or whole[-1:] in load("quantities")["glyphs"]:
        value = _digits_value(whole)
    else:
        value = _words_value(whole)
    return None if value is None else value + fraction


def parse_number(text: str) -> float | None:
    """The number a whole text says: "1,200", "2.5", "-3", "twenty-one", "a dozen"; None if it says none."""
    folded = lowered(text).strip()
    sign = -1.0 if folded.startswith("-") else 1.0
    body = folded.lstrip("-+")
    if not _plain_whole().fullmatch(body):
        return None
    value = plain_value(body)
    return None if value is None else sign * value


def parse_ordinal(text: str) -> int | None:
    """The place in a row a whole text says: "2nd", "third", "twenty-first"; None if none."""
    match = _ordinal_regex().fullmatch(lowered(text).strip())
    return None if match is None else _ordinal_value(match)


def find_numbers(text: str) -> list[Span[float]]:
    """All numbers in running text, also those that belong to a larger quantity."""
    found = []
    for match in _plain_inside().finditer(lowered(text)):
        value = plain_value(match.group())
        if value is not None:
            found.append(Span(match.start(), match.end(), value, text[match.start() : match.end()]))
    return found


def find_ordinals(text: str) -> list[Span[int]]:
    """All ordinals in running text ("the second closest", "3rd exit")."""
    return [
        Span(match.start(), match.end(), _ordinal_value(match), text[match.start() : match.end()])
        for match in _ordinal_regex().finditer(lowered(text))
    ]


@lru_cache(maxsize=1)
def _plain_whole() -> re.Pattern[str]:
    return re.compile(plain_pattern())


@lru_cache(maxsize=1)
def _plain_inside() -> re.Pattern[str]:
    return re.compile(rf"{NOT_BEFORE}{plain_pattern()}(?!\w)")


@lru_cache(maxsize=1)
def _ordinal_regex() -> re.Pattern[str]:
    lists = load("quantities")
    words = rf"(?:(?:{alternatives(lists['tens'])})[ -])?(?:{alternatives(lists['ordinals'])})"
    return re.compile(rf"(?<!\w)(?:{_ORDINAL_DIGITS}|(?P<words>{words}))(?!\w)")


def _ordinal_value(match: re.Match[str]) -> int:
    if match["digits"]:
        return int(match["digits"])
    lists = load("quantities")
    *tens, last = _WORD_SPLIT.split(match["words"])
    return sum(int(lists["tens"][word]) for word in tens) + int(lists["ordinals"][last])


def _split_fraction(text: str) -> tuple[str, float]:
    """Cuts "and a half" and the like off a number."""
    match = re.search(f"{FRACTION_TAIL}$", text)
    if match is None:
        return text, 0.0
    tail = match.group()
    fraction = 0.75 if "three" in tail else 0.5 if tail.endswith("half") else 0.25
    return text[: match.start()], fraction


def _digits_value(text: str) -> float | None:
    glyphs: dict[str, float] = load("quantities")["glyphs"]
    if text[-1] in glyphs:
        return float(text[:-1].strip() or 0) + glyphs[text[-1]]
    if "/" in text:
        *whole, fraction = text.split(" ")
        above, below = fraction.split("/")
        return None if below == "0" else float(whole[0] if whole else 0) + int(above) / int(below)
    factor = 1000.0 if text.endswith("k") else 1.0
    digits = text.rstrip("k")
    if re.fullmatch(r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?", digits):
        return factor * float(digits.replace(",", ""))
    return factor * float(digits.replace(",", ".")) if digits.count(",") <= 1 else None


def _words_value(text: str) -> float | None:
    lists = load("quantities")
    values: dict[str, int] = {**lists["ones"], **lists["teens"], **lists["tens"]}
    total, current = 0.0, 0.0
    for word in _WORD_SPLIT.split(text.replace(",", "")):
        if word in values:
            current += values[word]
        elif word == "half":
            current += 0.5
        elif word == "dozen":
            current = 12 * (current or 1)
        elif word == "hundred":
            current = 100 * (current or 1)
        elif word in lists["scales"]:
            total, current = total + (current or 1) * lists["scales"][word], 0.0
        elif word not in {"a", "an", "and"}:
            return None
    return total + current
