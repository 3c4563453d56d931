"""What a case is, and what counts as the right answer to it."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from mapagent.answer import Answer, Status
from tests.e2e.truth import NotClearError, RawMap, Thing

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


@dataclass(frozen=True, slots=True)
class Case:
    """A question, and how its right answer is worked out from the raw data.

    Attributes:
        world: Name of the map it is asked of.
        near: Where the user stands: latitude, longitude.
        at: The present moment.
    """

    world: str
    question: str
    expected: Callable[[RawMap], Expected]
    options: tuple[str, ...] = ()
    near: tuple[float, float] | None = None
    at: datetime | None = None

    def __str__(self) -> str:
        text = unicodedata.normalize("NFKD", self.question).encode("ascii", "ignore").decode()
        return f"{self.world}-{text[:70]}"


@dataclass(frozen=True, slots=True)
class Picks:
    """The option of this text is chosen."""

    option: str

    def problem(self, answer: Answer, options: Sequence[str]) -> str | None:
        assert list(options).count(self.option) == 1, f"{self.option!r} is not one of the options {options}"
        if answer.option_index == list(options).index(self.option):
            return None
        return f"expected option {self.option!r}"


@dataclass(frozen=True, slots=True)
class Says:
    """The answer holds all these words, whatever their case, spacing and punctuation."""

    words: tuple[str, ...]

    def problem(self, answer: Answer, options: Sequence[str]) -> str | None:
        del options
        text = squeezed(answer.text)
        missing = [word for word in self.words if squeezed(word) not in text]
        return f"expected {self.words}" if missing or not answer.text else None


@dataclass(frozen=True, slots=True)
class Exactly:
    """The answer is this word and nothing more."""

    word: str

    def problem(self, answer: Answer, options: Sequence[str]) -> str | None:
        del options
        return None if squeezed(answer.text) == squeezed(self.word) else f"expected {self.word!r}"


@dataclass(frozen=True, slots=True)
class Lists:
    """Exactly these names, in this order if `ordered`."""

    names: tuple[str, ...]
    ordered: bool = False

    def problem(self, answer: Answer, options: Sequence[str]) -> str | None:
        del options
        rest, places = answer.text, []
        for name in sorted(self.names, key=len, reverse=True):
            if name not in rest:
                return f"expected exactly {self.names}"
            places.append((answer.text.index(name), self.names.index(name)))
            rest = rest.replace(name, "", 1)
        if re.search(r"\w", re.sub(r"\band\b|\d+\.", "", rest)):
            return f"expected {self.names} and nothing more"
        order = [index for _, index in sorted(places)]
        return f"expected the order {self.names}" if self.ordered and order != sorted(order) else None


@dataclass(frozen=True, slots=True)
class OneName:
    """The name of one place: the option of this name where there are options, else this name alone."""

    name: str

    def problem(self, answer: Answer, options: Sequence[str]) -> str | None:
        judge = Picks(self.name) if options else Lists((self.name,))
        return judge.problem(answer, options)


@dataclass(frozen=True, slots=True)
class Counts:
    """A number of things."""

    number: int

    def problem(self, answer: Answer, options: Sequence[str]) -> str | None:
        del options
        found = re.search(r"\d+", answer.text)
        said = int(found.group()) if found else 0 if re.match(r"(?i)no|none", answer.text) else None
        return None if said == self.number else f"expected {self.number}"


@dataclass(frozen=True, slots=True)
class Metres:
    """A length."""

    metres: float
    tolerance_m: float = 15.0

    def problem(self, answer: Answer, options: Sequence[str]) -> str | None:
        del options
        said = metres_in(answer.text)
        if said is not None and abs(said - self.metres) <= max(self.tolerance_m, 0.06 * self.metres):
            return None
        return f"expected {self.metres:.0f} m"


@dataclass(frozen=True, slots=True)
class Minutes:
    """A duration."""

    minutes: float
    tolerance_min: float = 1.2

    def problem(self, answer: Answer, options: Sequence[str]) -> str | None:
        del options
        said = minutes_in(answer.text)
        if said is not None and abs(said - self.minutes) <= self.tolerance_min:
            return None
        return f"expected {self.minutes:.1f} min"


@dataclass(frozen=True, slots=True)
class Clock:
    """One time of day, in minutes after midnight."""

    minute: float
    tolerance_min: float = 0.0

    def problem(self, answer: Answer, options: Sequence[str]) -> str | None:
        del options
        said = clocks_in(answer.text)
        if len(said) == 1 and abs((said[0] - self.minute + 720) % 1440 - 720) <= self.tolerance_min:
            return None
        return f"expected {int(self.minute) // 60:02d}:{self.minute % 60:04.1f}"


@dataclass(frozen=True, slots=True)
class Clocks:
    """All these times of day are named, and no other."""

    times: tuple[str, ...]

    def problem(self, answer: Answer, options: Sequence[str]) -> str | None:
        del options
        wanted = {minute for time in self.times for minute in clocks_in(time)}
        return (
            None
            if {minute % 1440 for minute in clocks_in(answer.text)} == wanted
            else f"expected {self.times}"
        )


@dataclass(frozen=True, slots=True)
class YesNo:
    """Yes or no."""

    yes: bool

    def problem(self, answer: Answer, options: Sequence[str]) -> str | None:
        del options
        word = "yes" if self.yes else "no"
        right = re.match(rf"{word}\b", answer.text, re.IGNORECASE) is not None
        return None if right and answer.status is Status.ANSWERED else f"expected {word}"


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


def moment(day: str, time: str) -> datetime:
    """A time on a weekday ("Sa", "17:00") of an ordinary week, as the place's own time."""
    hour, minute = map(int, time.split(":"))
    year, month, monday = MONDAY
    return datetime(year, month, monday + WEEKDAYS.index(day), hour, minute)  # noqa: DTZ001


def closest(value: float, options: Sequence[str], read: Callable[[str], float | None]) -> Picks:
    """The option whose number is nearest to the value, and nearer by far than any other."""
    gaps = []
    for option in options:
        number = read(option) if option.strip() else None
        if number is not None:
            gaps.append((abs(number - value), option))
    gaps.sort()
    if gaps[0][0] * 2.5 > gaps[1][0]:
        raise NotClearError(f"{value:.1f} lies between the options {options}")
    return Picks(gaps[0][1])


def name_option(thing: Thing) -> Picks:
    """The option that is this object's name."""
    return Picks(thing.name)


def names(things: Sequence[Thing], *, ordered: bool = False) -> Lists:
    """The names of these objects."""
    return Lists(tuple(thing.name for thing in things), ordered)
