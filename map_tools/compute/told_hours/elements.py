"""What told opening hours are made of: words, times of day and spans between them, statements about days."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from map_tools.compute.opening_spec import DAY_MIN
from map_tools.compute.scanning import load

_LEXEME = re.compile(r"\d+|[^\W\d_]+(?:'[^\W\d_]+)*'?|\S|\n")
_LONGEST_PHRASE = 6
"""Lexemes of the longest phrase that is looked for."""

_VALUED = ("groups", "dates", "sun", "named_times", "hours", "minutes", "parts", "season_edges", "ordinals")
_NOON = DAY_MIN // 2
_EARLY = 5 * 60
"""A place that opens before, as the clock says with no half of the day, opens in the afternoon."""

_SURELY_MORNING = 8 * 60
_LATE_MORNING = 9 * 60
_SHORT = 5 * 60
"""A span shorter than this from an hour before eight may be one of the morning or of the evening."""

_NIGHT = 4 * 60
_LONGEST = 18 * 60


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A word, a number or a mark of a text."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Phrase:
    """What a phrase means: the list it stands in, and its value there."""

    kind: str
    value: str = ""


def lexemes(folded: str) -> list[Lexeme]:
    """The words, numbers and marks of a folded text."""
    return [Lexeme(match.group(), match.start(), match.end()) for match in _LEXEME.finditer(folded)]


def longest_phrase(words: Sequence[Lexeme], at: int) -> tuple[int, tuple[Phrase, ...]]:
    """The number of lexemes of the longest phrase that begins there, and what it may mean."""
    table = _phrases()
    for length in range(min(_LONGEST_PHRASE, len(words) - at), 0, -1):
        found = table.get(tuple(word.text for word in words[at : at + length]))
        if found is not None:
            return length, found
    return 0, ()


def day_words(words: Sequence[Lexeme]) -> dict[str, str]:
    """The day that each day word of a text means, in the language most of them belong to."""
    known = _days()
    counts = Counter(language for word in words for language, table in known.items() if word.text in table)
    ranked = sorted(known, key=lambda language: -counts[language])  # stable: the first listed on a tie
    return {word: day for language in reversed(ranked) for word, day in known[language].items()}


@lru_cache(maxsize=1)
def _days() -> dict[str, dict[str, str]]:
    return {
        language: {word: day for day, listed in table.items() for word in listed}
        for language, table in load("told_hours")["days"].items()
    }


@lru_cache(maxsize=1)
def _phrases() -> dict[tuple[str, ...], tuple[Phrase, ...]]:
    table: dict[tuple[str, ...], list[Phrase]] = {}
    for phrase, meaning in _listed():
        words = tuple(word.text for word in lexemes(phrase))
        table.setdefault(words, []).append(meaning)
    return {words: tuple(meanings) for words, meanings in table.items()}


def _listed() -> Iterator[tuple[str, Phrase]]:
    lists = load("told_hours")
    for kind in (*_VALUED, "months"):
        for value, phrases in lists[kind].items():
            yield from ((phrase, Phrase(kind, value)) for phrase in phrases)
    for kind, phrases in lists["words"].items():
        yield from ((phrase, Phrase(kind)) for phrase in phrases)
    for listed in lists["days"].values():
        for phrase in (phrase for phrases in listed.values() for phrase in phrases):
            yield phrase, Phrase("day")


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day as told.

    Attributes:
        minutes: After midnight as the numbers say.
        half: "am", "pm", "night" or "" if nothing is said.
        fixed: It is told on the 24-hour clock.
        bare: An hour alone, with nothing that marks it as a time.
        vague: "about two", "threeish".
        sun: An event of the sun instead ("sunset"); `minutes` says about when, only to bring spans in order.
    """

    minutes: int
    half: str = ""
    fixed: bool = False
    bare: bool = False
    vague: bool = False
    sun: str = ""

    def readings(self) -> list[int]:
        """The minutes after midnight it may mean."""
        if self.fixed or self.sun or self.minutes > _NOON + 59:
            return [self.minutes]
        early = self.minutes % _NOON
        match self.half:
            case "am":
                return [early]
            case "pm":
                return [early + _NOON]
            case "night":
                return [early + _NOON] if early >= _EARLY else [early]
            case _:
                plain = self.minutes
                return [plain, early if plain >= _NOON else plain + _NOON]

    def leaning(self, half: str) -> "Clock":
        """It with a half of the day that the words beside it say, if it has none."""
        return (
            replace(self, half=half) if half and not self.half and not self.fixed and not self.sun else self
        )


def span_of(
    opens: Clock, closes: Clock, part: str, *, clock_24: bool, after: int | None
) -> tuple[int, int] | None:
    """From one time to another in minutes after midnight of the day, a closing past midnight over 1440.

    None if the words leave open what is meant.

    Args:
        opens: When it begins.
        closes: When it ends.
        part: The half of the day that words around it say.
        clock_24: Other times beside it are told on the 24-hour clock.
        after: When the span before it on the same day ends.
    """
    if opens.vague or closes.vague:
        return None
    if opens.minutes == DAY_MIN:
        opens = replace(opens, minutes=0)  # from midnight
    if part:
        return _in_part(opens, closes, part, after)
    firsts, lasts = opens.readings(), closes.readings()
    if len(firsts) == 1 or len(lasts) == 1:
        return _half_told(opens, closes, clock_24=clock_24, after=after)
    first, last = firsts[0], lasts[0]
    if clock_24 and first < last:
        return first, last
    bumped = after is not None and first < after
    if bumped or (after is None and first < _EARLY and not clock_24):
        first += _NOON
    if (
        after is None
        and not clock_24
        and _EARLY <= first < _SURELY_MORNING
        and 0 < last - first < _SHORT
        and last < _NOON
    ):
        return (first + _NOON, last + _NOON) if first < _EARLY + 60 else None
    while last <= first:
        last += _NOON
    return (first, last) if last - first <= (_SHORT + 30 if bumped else _LONGEST) else None


def _in_part(opens: Clock, closes: Clock, part: str, after: int | None) -> tuple[int, int] | None:
    """A span of which words around it say that it lies in a half of the day."""
    start = opens.leaning(part).readings()[0]
    if opens.minutes // 60 in {11, 12} and not opens.half and part == "pm":
        start = opens.minutes  # lunch from half past eleven
    if after is not None and start < after:
        return None
    return _closing(start, closes, 13 * 60)


def _half_told(opens: Clock, closes: Clock, *, clock_24: bool, after: int | None) -> tuple[int, int] | None:
    firsts, lasts = opens.readings(), closes.readings()
    if len(firsts) > 1 and (closes.fixed or closes.minutes > _NOON + 59) and not closes.half:
        firsts = firsts[:1]  # "9-20": both on the 24-hour clock
    if len(firsts) > 1 and closes.sun:
        firsts = firsts[:1]
    if len(firsts) > 1 and clock_24:
        firsts = firsts[:1]
    spans = [
        (first, last if last > first else last + DAY_MIN)
        for first in firsts
        if after is None or first >= after
        for last in lasts
    ]
    if len(lasts) > 1 and opens.sun:
        spans = [span for span in spans if span[1] <= DAY_MIN]
    if not spans:
        return None
    best = min(spans, key=lambda span: span[1] - span[0])
    told_am = opens.half == "am" or (opens.fixed and opens.minutes < _LATE_MORNING)
    if (
        len(lasts) > 1
        and told_am
        and not clock_24
        and closes.minutes < _NOON
        and 0 < closes.minutes - opens.minutes < _SHORT
    ):
        return None  # "7am-10": in the morning or at night
    if len(firsts) > 1 and len(lasts) == 1 and best[1] > DAY_MIN and best[1] - best[0] < _NIGHT:
        return None  # "11 to 2 at night": from eleven in the morning or at night
    return best


def _closing(start: int, closes: Clock, longest: int) -> tuple[int, int] | None:
    ends = [last if last > start else last + DAY_MIN for last in closes.readings()]
    end = min(ends)
    return (start, end) if end - start <= longest else None


def near(clock: Clock, known: int, *, over: int | None = None, under: int | None = None) -> int | None:
    """The minute a time means beside a known one of the same kind: "Fri till 4" where others close at 17:30.

    Args:
        clock: The time.
        known: When the place else opens or closes.
        over: It comes after this.
        under: It comes before this.
    """
    if clock.vague:
        return None
    readings = [minute + day for minute in clock.readings() for day in (0, DAY_MIN)]
    fit = [
        minute
        for minute in readings
        if (over is None or over < minute <= over + DAY_MIN) and (under is None or minute < under)
    ]
    return min(fit, key=lambda minute: (abs(minute - known), minute)) if fit else None


@dataclass(slots=True)
class Statement:
    """Days, and when the place is open on them.

    Attributes:
        days: None if nothing is said of which.
        excepted: Days on which it does not hold.
        others: It holds on all days of which nothing is said elsewhere.
        season: The selector of the season it holds in; empty for all the year.
        spans: From when to when; None for an end that no clock tells.
        opens: A beginning alone; `closes` an end alone; `told` says which of the two are told.
        minus: Spans in which it is closed.
        closed: It is closed.
        unsure: What is said of hours is not understood.
        part: The half of the day that words beside the times say; `part_closed` if it is closed then.
        also: Its spans come to those of other statements.
        only: "only" these days.
    """

    days: tuple[str, ...] | None = None
    excepted: tuple[str, ...] = ()
    others: bool = False
    season: str = ""
    spans: list[tuple[Clock | None, Clock | None]] = field(default_factory=list)
    opens: Clock | None = None
    closes: Clock | None = None
    told: set[str] = field(default_factory=set)
    minus: list[tuple[Clock | None, Clock | None]] = field(default_factory=list)
    all_day: bool = False
    closed: bool = False
    unsure: bool = False
    part: str = ""
    part_closed: bool = False
    only: bool = False
    also: bool = False

    @property
    def dated(self) -> bool:
        """It says of which days it speaks."""
        return self.days is not None or self.others

    @property
    def valued(self) -> bool:
        """It says something of hours."""
        open_then = self.spans or self.told or self.minus or self.all_day
        return bool(open_then or self.closed or self.part_closed or self.unsure)
