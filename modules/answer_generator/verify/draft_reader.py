"""Reading a free-text solution: the letter it settles on, the sums it does, the legs it states."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from map_tools.compute.quantities import find_durations, parse_distance_m, parse_duration_s

MARKUP = re.compile(r"[$*`\\_]+")
UNIT = r"(?:hours?|hrs?|h|minutes?|mins?|seconds?|secs?|kilomet(?:er|re)s?|km|met(?:er|re)s?|m|miles?|mi)\b"
TERM = rf"(\d+(?:[.,]\d+)?)\s*({UNIT})?"
SUM = re.compile(rf"({TERM}(?:\s*\+\s*{TERM})+)\s*=\s*{TERM}", re.IGNORECASE)
ONE_TERM = re.compile(TERM, re.IGNORECASE)
LETTER = r"(?-i:([A-Z]))(?![\w'])(?!\s+(?-i:[a-z]))"
SAYS_ANSWER = re.compile(
    r"(?:answer|option|choice)\s*(?:is|was|would be|should be|must be|will be|:)?\s*"
    rf"[:\"'“(\s]*{LETTER}[\"'”)]*[.):\s]*([^\n]*)",
    re.IGNORECASE,
)
LETTERED = re.compile(r"(?:^|[\s(])\(?([A-Z])[.)]\s*([^\n]+)")
FROM_TO = re.compile(
    r"\bfrom\s+(?P<a>(?:(?!\bfrom\b|\n\n).)+?)\s+to\s+(?P<b>(?:(?!\bfrom\b|\n\n)[^:\n(])+?)"
    r"(?=\s*(?::|\n|\(|,|\.|\bis\b|\btakes\b|\btook\b|\bwill\b|$))",
    re.IGNORECASE,
)
SENTENCE_END = re.compile(r"[.!?](?:\s|$)|\n\s*\n|\bfrom\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Choice:
    """The option a text settles on: its letter, and what stands behind the letter (may be empty)."""

    letter: str
    text: str


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum as written; `terms` and `result` are seconds or metres if `unit` says "s" or "m"."""

    shown: str
    terms: tuple[float, ...]
    result: float
    unit: str


@dataclass(frozen=True, slots=True)
class StatedLeg:
    """A travel time the text states for a way."""

    origin: str
    destination: str
    duration_s: float


def plain(text: str) -> str:
    """The text without the marks of Markdown and TeX."""
    return MARKUP.sub("", text)


def choice_of(text: str) -> Choice | None:
    """The last option letter the text commits to; "the answer is X" counts before a letter in a list."""
    cleaned = plain(text)
    said = list(SAYS_ANSWER.finditer(cleaned))
    marked = list(LETTERED.finditer(cleaned))
    hits = said or marked[-1:]
    if not hits:
        return None
    return Choice(letter=hits[-1].group(1), text=hits[-1].group(2).strip(" .\"'”)*"))


def sums_of(text: str) -> Iterator[Sum]:
    """The sums a text writes out ("5 + 4 + 1 = 10 minutes")."""
    cleaned = plain(text)
    for hit in SUM.finditer(cleaned):
        terms = [(part.group(1), part.group(2) or "") for part in ONE_TERM.finditer(hit.group(0))]
        units = [unit for _, unit in terms if unit]
        fallback = units[-1] if units else _unit_behind(cleaned[hit.end() :])
        values = [_amount(number, unit or fallback) for number, unit in terms]
        yield Sum(
            shown=hit.group(0),
            terms=tuple(value for value, _ in values[:-1]),
            result=values[-1][0],
            unit=values[-1][1],
        )


def _unit_behind(rest: str) -> str:
    hit = re.match(rf"\s*({UNIT})", rest, re.IGNORECASE)
    return hit.group(1) if hit else ""


def _amount(number: str, unit: str) -> tuple[float, str]:
    """A number in its base unit, and which one that is."""
    if unit:
        seconds = parse_duration_s(f"{number} {unit}")
        if seconds is not None:
            return float(seconds), "s"
        metres = parse_distance_m(f"{number} {unit}")
        if metres is not None:
            return float(metres), "m"
    return float(number.replace(",", ".")), ""


def legs_of(text: str) -> Iterator[StatedLeg]:
    """The ways "from A to B" that a text gives a time for, up to the end of the sentence."""
    cleaned = plain(text)
    for hit in FROM_TO.finditer(cleaned):
        rest = cleaned[hit.end() :]
        end = SENTENCE_END.search(rest)
        spans = list(find_durations(rest[: end.start()] if end else rest))
        if spans:
            a, b = " ".join(hit["a"].split()), " ".join(hit["b"].split())
            yield StatedLeg(origin=a, destination=b, duration_s=float(spans[0].value))
