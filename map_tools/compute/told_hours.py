"""Opening hours as sentences tell them: "opens at 10 and closes at 17:30 every day except Monday"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from map_tools.compute.opening_spec import DAY_MIN, DAYS, Minutes, Week, expand_days, format_week
from map_tools.compute.text import fold
from map_tools.compute.vocabulary import alternatives, load

_TIME = r"\d{1,2}(?::\d\d)?"
_NOON_MIN = DAY_MIN // 2
_LONGEST_BREAK_MIN = 8 * 60
"""A place that would be closed for less than this between two days is read as closing in the afternoon."""

_MONTH = re.compile(
    r"\b(?:in |from )?(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b",
    re.IGNORECASE,
)
"""From a month on a sentence tells the hours of a season, which are not read."""


@dataclass(slots=True)
class _Part:
    """What a sentence says between two of its breaks: of which days, and when they begin and end."""

    days: list[str] = field(default_factory=list)
    excepted: list[str] = field(default_factory=list)
    others: bool = False
    spans: list[Minutes] = field(default_factory=list)
    opens: int | None = None
    closes: int | None = None
    closed: bool = False

    @property
    def dated(self) -> bool:
        return bool(self.days or self.excepted or self.others)

    @property
    def valued(self) -> bool:
        return bool(self.spans) or self.closed or self.opens is not None or self.closes is not None

    def take(self, kind: str, text: str, *, cued: bool) -> None:
        """Takes a token in; a bare range of numbers only beside a day or where hours are spoken of (`cued`)."""
        clocks = re.findall(_TIME, text)
        match kind:
            case "days":
                self.days += _days(text)
            case "except":
                self.excepted += _days(text)
            case "span" if ":" in clocks[0] + clocks[1] or cued or self.days:
                self.spans.append(_bare_span(*clocks))
            case "opens":
                self.opens = _minutes(clocks[-1])
            case "closes":
                self.closes = _minutes(clocks[-1])
            case "all_day":
                self.spans.append((0, DAY_MIN))
            case "others" | "closed":
                setattr(self, kind, True)

    def belongs_to(self, other: "_Part") -> bool:
        """True if this goes on with what the part before it says."""
        if not self.valued:
            return not other.dated or not other.valued
        if self.dated:
            return (self.opens is None) != (other.opens is None) and not other.dated and not other.spans
        if self.closed:
            return bool(other.excepted) or not other.valued
        half = self.opens is None or self.closes is None
        return bool(self.spans) or not other.valued or (half and not other.spans)

    def join(self, other: "_Part") -> None:
        """Takes over what a further part says."""
        self.days += other.days
        self.excepted += other.excepted
        self.others = self.others or other.others
        self.spans += other.spans
        self.opens = other.opens if self.opens is None else self.opens
        self.closes = other.closes if self.closes is None else self.closes
        self.closed = self.closed or (other.closed and not self.valued)


def told_hours(text: str) -> str | None:
    """The opening hours that words tell, in OpenStreetMap's grammar; None if they tell none.

    Other words may stand between. Days of which nothing is said are closed where others are said to be open,
    and unknown where others are only said to be closed.
    """
    parts: list[_Part] = []
    for part in _parts(_plain_clocks(_MONTH.split(text, maxsplit=1)[0])):
        if parts and part.belongs_to(parts[-1]):
            parts[-1].join(part)
        else:
            parts.append(part)
    parts = [part for part in parts if part.valued]
    named = {day for part in parts for day in (*part.days, *part.excepted)}
    table: dict[str, tuple[Minutes, ...]] = {}
    for part in sorted(parts, key=lambda part: part.dated):
        days = part.days or [day for day in DAYS if not part.others or day not in named]
        for day in days:
            if day in part.excepted:
                continue
            spans = _spans(part, table.get(day, ()))
            if spans is None:
                return None
            table[day] = spans
        table |= {day: () for day in part.excepted if not part.closed}
    if not any(table.values()):
        closed = ",".join(day for day in DAYS if day in table)
        return f'Mo-Su unknown "not stated"; {closed} off' if closed and len(table) < len(DAYS) else None
    return format_week(Week({day: table.get(day, ()) for day in DAYS}))


def _spans(part: _Part, known: tuple[Minutes, ...]) -> tuple[Minutes, ...] | None:
    if part.spans or part.closed:
        return tuple(sorted(part.spans))
    opens = part.opens if part.opens is not None else known[0][0] if known else None
    closes = part.closes if part.closes is not None else known[-1][1] if known else None
    return None if opens is None or closes is None else (_span(opens, closes),)


def _span(opens: int, closes: int) -> Minutes:
    return opens, opens + ((closes - opens) % DAY_MIN or DAY_MIN)


def _plain_clocks(text: str) -> str:
    """The text folded, with its times of day as 17:30."""
    from map_tools.compute.clocks import find_clocks

    folded = fold(text)
    for clock in reversed(find_clocks(folded)):
        folded = f"{folded[: clock.start]}{clock.value:%H:%M}{folded[clock.end :]}"
    folded = re.sub(r"half past (\d\d):00", r"\1:30", folded)
    return re.sub(r"(?<![\d.,])(\d{1,2})\.(\d\d)(?=\s*[-–]|\s*$)", r"\1:\2", folded)


def _parts(text: str) -> Iterator[_Part]:
    part = _Part()
    cued = re.search(load("hours")["sentence"]["cue"], text) is not None
    for token in _token().finditer(text):
        kind = token.lastgroup or ""
        if kind != "break":
            part.take(kind, token.group(), cued=cued)
            continue
        if part.dated or part.valued:
            yield part
        part = _Part()
    if part.dated or part.valued:
        yield part


def _bare_span(first: str, last: str) -> Minutes:
    """From one time to another; "9-5" is nine to five."""
    opens, closes = _minutes(first), _minutes(last)
    if closes <= opens < _NOON_MIN and (":" not in first + last or opens - closes < _LONGEST_BREAK_MIN):
        closes += _NOON_MIN
    return _span(opens, closes)


def _minutes(clock: str) -> int:
    hour, _, minute = clock.partition(":")
    return int(hour) * 60 + int(minute or 0)


def _days(text: str) -> Iterator[str]:
    words = load("hours")
    groups: dict[str, str] = words["groups"]
    group = next((days for name, days in groups.items() if name in text), None)
    if group is not None:
        yield from expand_days(group)
        return
    ids = {word: day for day, listed in words["days"].items() for word in listed}
    found = [ids[match.group()] for match in re.finditer(_day_word(), text)]
    listed = re.search(r"/|\band\b|&|,", text)
    yield from found if listed or len(found) > 2 else expand_days("-".join(found))


@lru_cache(maxsize=1)
def _day_word() -> str:
    listed = load("hours")["days"]
    return rf"(?<!\w)(?:{alternatives(word for day, words in listed.items() if day in DAYS for word in words)})\b"


@lru_cache(maxsize=1)
def _token() -> re.Pattern[str]:
    words = load("hours")
    told = words["sentence"]
    to = rf"(?:\s?[-–]\s?|\s(?:{alternatives(words['glue']['ranges'])})\s)"
    day = rf"{_day_word()}\.?(?:(?:{to}|\s?[/&]\s?|\sand\s){_day_word()}\.?)?"
    groups = alternatives(words["groups"])
    return re.compile(
        rf"(?P<except>(?:{told['except']})\s(?:{day}|(?:{groups})\b))"
        rf"|(?P<days>(?:{groups})\b|{day})"
        rf"|(?P<others>{told['others']})"
        rf"|(?P<all_day>(?:{told['all_day']}|{alternatives(words['values']['all_day'])})(?!\w))"
        rf"|(?P<span>(?<![\d.,:/$€£])(?:between\s{_TIME}\sand\s{_TIME}|(?:from\s)?{_TIME}{to}{_TIME})(?![\d.,]*\d|\s?(?:{_unit()})))"
        rf"|(?P<opens>(?:{told['opens']})\s\d\d:\d\d(?!{to}\d))"
        rf"|(?P<closes>(?:{told['closes']})\s(?:at\s)?\d\d:\d\d)"
        rf"|(?P<closed>\b(?:{told['closed']})\b)"
        rf"|(?P<break>[,;.()]|(?<!\w)(?:{told['break']})(?!\w))"
    )


def _unit() -> str:
    """A unit that makes a range of numbers one of lengths or durations."""
    lists = load("quantities")
    return alternatives([*lists["duration"], *lists["distance"]]) + r"(?!\w)"
