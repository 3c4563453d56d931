"""What a case is, and what counts as the right answer to it."""

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from pydantic import BaseModel, ConfigDict

from mapagent.core.answer import Answer, Status
from tests.e2e.truth import NotClearError, Thing

MONDAY = (2020, 5, 4)
"""The Monday of a week without holidays in any of the places asked about."""
WEEKDAYS = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")

_CLOCK = re.compile(r"\b(\d{1,2})(?::(\d\d))?\s*(am|pm)\b|\b(\d{1,2}):(\d\d)\b", re.IGNORECASE)
_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(h|hours?|hrs?|min|minutes?|mins?)\b", re.IGNORECASE)
_LENGTH = re.compile(r"(\d[\d,]*(?:\.\d+)?)\s*(km|kilomet\w+|miles?|mi|m|met\w+)\b", re.IGNORECASE)
_METRES = {"k": 1000.0, "m": 1.0, "mi": 1609.344}


class Expected(Protocol):
    """Judges an answer."""

    def problem(self, answer: Answer, options: Sequence[str]) -> str | None:
        """What is wrong with the answer; None if it is right."""
        ...


class Case(BaseModel):
    """A question, its program, and how its right answer is worked out from the raw data.

    Attributes:
        world: Name of the map it is asked of.
        right: The teller of the right answer and its arguments (`tests.e2e.tellers`).
        near: Where the user stands: latitude, longitude.
        at: The present moment, as the place's own time ("Sa 17:00").
        hours: Opening hours that the right answer was read from by hand; they are checked to be so still.
        program: What a reader should write for the question; a case waits where none does yet.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    world: str
    question: str
    right: list[Any]
    options: tuple[str, ...] = ()
    near: tuple[float, float] | None = None
    at: str = ""
    hours: dict[str, str] = {}
    program: str = ""


class Judge(ABC):
    """Judges the text of an answer, or the option chosen where there are options."""

    @abstractmethod
    def fits(self, text: str) -> bool:
        """True if this text, as an answer or as an option, is right."""

    def problem(self, answer: Answer, options: Sequence[str]) -> str | None:
        """What is wrong with the answer; None if it is right."""
        if not options:
            right = answer.status is Status.ANSWERED and self.fits(answer.text)
            return None if right else f"expected {self}"
        rights = [index for index, option in enumerate(options) if option.strip() and self.fits(option)]
        if len(rights) != 1:
            raise NotClearError(f"{len(rights)} of the options {options} fit {self}")
        return None if answer.option_index == rights[0] else f"expected option {options[rights[0]]!r}"


@dataclass(frozen=True, slots=True)
class Exactly(Judge):
    """These words and nothing more, whatever their case, spacing and punctuation."""

    words: str

    def fits(self, text: str) -> bool:
        return squeezed(text) == squeezed(self.words)


@dataclass(frozen=True, slots=True)
class Says(Judge):
    """All these words, whatever their case, spacing and punctuation."""

    words: tuple[str, ...]

    def fits(self, text: str) -> bool:
        return all(squeezed(word) in squeezed(text) for word in self.words)


@dataclass(frozen=True, slots=True)
class Lists(Judge):
    """Exactly these names, in this order if `ordered`."""

    names: tuple[str, ...]
    ordered: bool = False

    def fits(self, text: str) -> bool:
        rest, places = text, []
        for name in sorted(self.names, key=len, reverse=True):
            if name not in rest:
                return False
            places.append((text.index(name), self.names.index(name)))
            rest = rest.replace(name, "", 1)
        if re.search(r"\w", re.sub(r"\band\b|\d+\.", "", rest)):
            return False
        order = [index for _, index in sorted(places)]
        return not self.ordered or order == sorted(order)


@dataclass(frozen=True, slots=True)
class Counts(Judge):
    """A number of things."""

    number: int

    def fits(self, text: str) -> bool:
        found = re.search(r"\d+", text)
        said = int(found.group()) if found else 0 if re.match(r"(?i)no|none", text) else None
        return said == self.number


@dataclass(frozen=True, slots=True)
class Metres(Judge):
    """A length; in miles if the question asks for miles."""

    metres: float
    tolerance_m: float = 15.0
    miles: bool = False

    def fits(self, text: str) -> bool:
        said = metres_in(text)
        close = said is not None and abs(said - self.metres) <= max(self.tolerance_m, 0.06 * self.metres)
        return close and (not self.miles or re.search(r"\bmi(les?)?\b", text) is not None)


@dataclass(frozen=True, slots=True)
class Minutes(Judge):
    """A duration."""

    minutes: float
    tolerance_min: float = 1.2

    def fits(self, text: str) -> bool:
        said = minutes_in(text)
        return said is not None and abs(said - self.minutes) <= self.tolerance_min


@dataclass(frozen=True, slots=True)
class Clock(Judge):
    """One time of day, in minutes after midnight."""

    minute: float
    tolerance_min: float = 0.0

    def fits(self, text: str) -> bool:
        said = clocks_in(text)
        return len(said) == 1 and abs((said[0] - self.minute + 720) % 1440 - 720) <= self.tolerance_min

    def __str__(self) -> str:
        return f"{int(self.minute) // 60:02d}:{self.minute % 60:04.1f}"


@dataclass(frozen=True, slots=True)
class Clocks(Judge):
    """All these times of day, and no other."""

    times: tuple[str, ...]

    def fits(self, text: str) -> bool:
        wanted = {minute for time in self.times for minute in clocks_in(time)}
        return {minute % 1440 for minute in clocks_in(text)} == wanted


@dataclass(frozen=True, slots=True)
class YesNo(Judge):
    """Yes or no."""

    yes: bool

    def fits(self, text: str) -> bool:
        return re.match(r"yes\b" if self.yes else r"no\b", text, re.IGNORECASE) is not None


@dataclass(frozen=True, slots=True)
class Feet(Judge):
    """A length said in feet."""

    metres: float

    def fits(self, text: str) -> bool:
        found = re.search(r"(\d[\d,]*)\s*(ft|feet)\b", text)
        said = int(found.group(1).replace(",", "")) * 0.3048 if found else None
        return said is not None and abs(said - self.metres) <= 0.06 * self.metres


@dataclass(frozen=True, slots=True)
class Both(Judge):
    """Several answers in one text."""

    parts: tuple[Judge, ...]

    def fits(self, text: str) -> bool:
        return all(part.fits(text) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Ends:
    """No answer, with one of these statuses, no option chosen, and a reason that holds the words."""

    statuses: tuple[Status, ...]
    words: tuple[str, ...] = ()

    def problem(self, answer: Answer, options: Sequence[str]) -> str | None:
        del options
        if answer.status not in self.statuses or answer.option_index is not None:
            return f"expected {' or '.join(status.value for status in self.statuses)}"
        missing = [word for word in self.words if squeezed(word) not in squeezed(answer.reason)]
        return f"expected a reason that names {missing}" if missing or not answer.reason else None


def squeezed(text: str) -> str:
    """Small letters and digits alone."""
    return "".join(char for char in text.casefold() if char.isalnum())


def clocks_in(text: str) -> list[int]:
    """The times of day in a text, as minutes after midnight."""
    found = []
    for hour12, minute12, half, hour24, minute24 in _CLOCK.findall(text):
        if half:
            hour = int(hour12) % 12 + (12 if half.casefold() == "pm" else 0)
            found.append(hour * 60 + int(minute12 or 0))
        else:
            found.append(int(hour24) * 60 + int(minute24))
    return found


def minutes_in(text: str) -> float | None:
    """The duration in a text."""
    parts = _DURATION.findall(text)
    if not parts:
        return None
    return sum(float(number) * (60 if unit[0] in "hH" else 1) for number, unit in parts)


def metres_in(text: str) -> float | None:
    """The first length in a text."""
    found = _LENGTH.search(text)
    if found is None:
        return None
    unit = found.group(2).casefold()
    factor = _METRES["mi" if unit.startswith("mi") else unit[0]]
    return float(found.group(1).replace(",", "")) * factor


def minute_of(time: str) -> int:
    """A time of day as minutes after midnight."""
    return clocks_in(time)[0]


def moment(text: str) -> datetime:
    """A time on a weekday of an ordinary week ("Sa 17:00"), as the place's own time."""
    day, time = text.split()
    year, month, monday = MONDAY
    hour, minute = divmod(minute_of(time), 60)
    return datetime(year, month, monday + WEEKDAYS.index(day), hour, minute)  # noqa: DTZ001


def names(things: Sequence[Thing], *, ordered: bool = False) -> Lists:
    """The names of these objects."""
    return Lists(tuple(thing.name for thing in things), ordered)
