"""Numbers and ordinals in digits and English words.

The grammar of number words is the usual one: ones, teens and tens below a hundred, "X hundred (and) Y",
"X thousand Y"; a dozen, a couple; halves and quarters as fractions.
"""

import re
from functools import lru_cache

from map_tools.compute.scanning import Span, alternatives, load, lowered

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
