"""Amounts with units in running text: what durations and distances have in common.

A *part* is an amount and a unit ("5 mins", "a mile and a half", "two and a half hours", "half an hour");
parts whose units get smaller join to one quantity ("1 hour 5 mins"). In a range ("10-15 minutes", "between
5 and 10 km") the first amount borrows the unit of the second.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from map_tools.compute.numbers import FRACTION_TAIL, NOT_BEFORE, plain_pattern, plain_value
from map_tools.compute.text import Span
from map_tools.compute.vocabulary import alternatives

_HALF = r"(?:half(?:[ -](?:of[ -])?an?)?|an?[ -]half)"
_QUARTERS = r"(?:(?:(?:an?|one|three)[ -])?quarters?(?:[ -]of)?(?:[ -]an?)?)"
_COUPLE = r"(?:(?:a )?couple(?: of)?)"
_ARTICLE = r"an?"
_JOINER = re.compile(r",? ?(?:and )?")
_RANGE_LINK = re.compile(r" ?(?:-|to|or) ?$")


@dataclass(frozen=True, slots=True)
class _Part:
    start: int
    end: int
    value: float
    factor: float
    unit: str


@dataclass(frozen=True)
class Measure:
    """A family of units and the scanner for quantities in them.

    Args:
        factors: Size of each unit word in the base unit.
        articled: Units of which "a" or "an" alone means one.
        dependent: Units that only count beside a part with another unit.
    """

    factors: Mapping[str, float]
    articled: frozenset[str]
    dependent: frozenset[str]

    def find(self, folded: str, original: str) -> list[Span[float]]:
        """All quantities in a folded text, in order; spans quote the original text."""
        found: list[Span[float]] = []
        for run in self._runs(folded):
            if all(part.unit in self.dependent for part in run):
                continue
            low = self._range_start(folded, run[0]) if len(run) == 1 else None
            if low is not None:
                found.append(Span(low.start, low.end, low.value, original[low.start : low.end]))
            start, end = run[0].start, run[-1].end
            found.append(Span(start, end, sum(part.value for part in run), original[start:end]))
        return found

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        units = alternatives(self.factors)
        articled = alternatives(self.articled)
        unit_end = r"(?:\.(?= ?\d| [a-z]))?(?![\w²³^]| ?/ ?(?:h|s|hr|hour|sec)\b| ?per )"
        tail = rf"(?:{FRACTION_TAIL}(?![ -](?:an?[ -]|of[ -])?(?:{units})(?!\w)))?"
        spoken = rf"(?:{_HALF}|{_QUARTERS}|{_COUPLE})(?=[ -])"  # "couples" is no "couple s"
        amount = f"{spoken}|{plain_pattern()}"
        counted = rf"(?P<amount>{amount})[ -]?(?P<unit>{units})"
        single = rf"(?:{_ARTICLE}[ -])?(?P<one>{articled})"
        return re.compile(rf"{NOT_BEFORE}(?:{counted}|{single})(?P<tail>{tail}){unit_end}")

    def _parts(self, folded: str) -> list[_Part]:
        parts = []
        for match in self._pattern.finditer(folded):
            part = self._part(match)
            if part is not None:
                parts.append(part)
        return parts

    def _part(self, match: re.Match[str]) -> _Part | None:
        unit = match["unit"] or match["one"]
        if match["one"] and not match["tail"] and not match.group().startswith("a"):
            return None  # a bare "hour" says nothing, "hour and a half" does
        amount = 1.0 if match["one"] else amount_value(match["amount"])
        if amount is None:
            return None
        factor = self.factors[unit]
        return _Part(match.start(), match.end(), (amount + _tail_value(match["tail"])) * factor, factor, unit)

    def _runs(self, folded: str) -> list[list[_Part]]:
        runs: list[list[_Part]] = []
        for part in self._parts(folded):
            previous = runs[-1][-1] if runs else None
            joined = previous is not None and part.factor < previous.factor
            if previous is not None and joined and _JOINER.fullmatch(folded, previous.end, part.start):
                runs[-1].append(part)
            else:
                runs.append([part])
        return runs

    def _range_start(self, folded: str, part: _Part) -> _Part | None:
        """The low end of a range that ends with this part."""
        link = _RANGE_LINK.search(folded, max(0, part.start - 5), part.start)
        if link is not None:
            start = link.start()
        elif folded.endswith(" and ", 0, part.start):
            start = part.start - len(" and ")
        else:
            return None
        low = self._low.search(folded, max(0, start - 40), start)
        if low is None or (link is None and not low["between"]):
            return None
        amount = plain_value(low["amount"])
        if amount is None or amount * part.factor >= part.value:
            return None
        return _Part(low.start("amount"), low.end("amount"), amount * part.factor, part.factor, part.unit)

    @cached_property
    def _low(self) -> re.Pattern[str]:
        return re.compile(rf"(?P<between>between )?{NOT_BEFORE}(?P<amount>{plain_pattern()})$")


def amount_value(text: str) -> float | None:
    """The value of an amount that stands before a unit: "2.5", "half an", "three quarters of an"."""
    if "couple" in text:
        return 2.0
    if re.fullmatch(_HALF, text):
        return 0.5
    if re.fullmatch(_QUARTERS, text):
        return 0.75 if text.startswith("three") else 0.25
    return plain_value(text)


def _tail_value(tail: str) -> float:
    if not tail:
        return 0.0
    return 0.75 if "three" in tail else 0.5 if tail.endswith("half") else 0.25
