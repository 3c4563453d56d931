"""Days and times of day of a question, and the one moment they fix together."""

import re
from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING

from modules.offline.intents import When
from modules.offline.lexicon import word_set
from modules.offline.marks import SURE, Mark, outermost

if TYPE_CHECKING:
    from modules.offline.analysis import Analysis

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAY = re.compile(r"\b(mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:days?)?\b\.?", re.I)
_SHORT_DAY = re.compile(r"(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)\.?", re.I)
_ISO_DATE = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")
_DATE = re.compile(
    r"\b(?:(?P<d1>\d{1,2})(?:st|nd|rd|th)?(?: of)? (?P<m1>[A-Za-z]{3,9})"
    r"|(?P<m2>[A-Za-z]{3,9}) (?P<d2>\d{1,2})(?:st|nd|rd|th)?)"
    r",? (?P<y>\d{4})\b"
)
_SEVERAL = {
    "when.weekend": When(weekday=5, days=(5, 6)),
    "when.weekdays": When(weekday=0, days=(0, 1, 2, 3, 4)),
}
_RELATIVE = {"when.today": 0, "when.tomorrow": 1, "when.after_tomorrow": 2}
_PARTS = {
    "when.morning": time(10),
    "when.afternoon": time(15),
    "when.evening": time(20),
    "when.late_night": time(23),
    "open.late": time(23),
    "when.night": time(22),
}
"""The hour a part of the day is judged by: amid its business, as no source defines when an evening begins."""
_MEALS = {
    "when.after_lunch": time(15),
    "service.serves_breakfast": time(8),
    "service.serves_lunch": time(13),
    "service.serves_dinner": time(20),
}
"""The hour a meal is judged by."""
_JOINTS = frozenset({"to", "-", "until", "till", "and", "through"})
_HALF = re.compile(r"noon|midnight|[ap]\.?m")
_EARLY = 6
"""Nobody asks about these hours of the morning without saying so."""
_STEP = timedelta(minutes=1)
"""Open *until* or *before* a time is open in the minute before it, *past* a time in the minute after it."""


def days(analysis: "Analysis") -> list[Mark[When]]:
    """Each day or date said, in the order of the text."""
    marks = [*_dates(analysis.text)]
    for match in _WEEKDAY.finditer(analysis.text):
        if _SHORT_DAY.fullmatch(match.group()) and not match.group()[0].isupper():
            continue
        weekday = next(index for index, name in enumerate(WEEKDAYS) if name.startswith(match[1].lower()[:3]))
        marks.append(
            Mark(match.start(), match.start() + len(match.group().rstrip(".")), When(weekday=weekday))
        )
    marks += [
        Mark(*analysis.span(cue), When(relative_days=_RELATIVE[cue.group]))
        for cue in analysis.find(*_RELATIVE)
    ]
    marks += [Mark(*analysis.span(cue), _SEVERAL[cue.group]) for cue in analysis.find(*_SEVERAL)]
    return outermost(marks)


def when(analysis: "Analysis") -> When:
    """One moment out of all days and times: the last day named wins, the first time of day.

    A time that only bounds stands for the minute before it ("until 10 pm") or after it ("past midnight").
    """
    base = analysis.days[-1].value if analysis.days else When()
    clocks = analysis.clocks
    if not clocks:
        return base.model_copy(update={"at": _part_of_day(analysis)})
    until: time | None = None
    if len(clocks) > 1:
        joint = analysis.between(clocks[0].end, clocks[1].start).strip()
        until = clocks[1].value if joint in _JOINTS else None
    at = _by_day(analysis, clocks[0])
    before = analysis.word_before(clocks[0].start)
    if until is None and before in word_set("before_time"):
        at = (datetime.combine(date(2000, 1, 1), at) - _STEP).time()
    elif until is None and before in word_set("before_time", "passing"):
        at = (datetime.combine(date(2000, 1, 1), at) + _STEP).time()
    return base.model_copy(update={"at": at, "until": until})


def _by_day(analysis: "Analysis", mark: Mark[time]) -> time:
    """A time in words that leaves the half of the day open ("quarter past four") is after noon till six."""
    said = analysis.between(mark.start, mark.end + 4)
    worded = not any(char.isdigit() for char in said) and _HALF.search(said) is None
    if worded and 0 < mark.value.hour <= _EARLY and _part_of_day(analysis) is None:
        return mark.value.replace(hour=mark.value.hour + 12)
    return mark.value


def part_of_day_meant(analysis: "Analysis") -> time | None:
    """The hour that tells which of several spans of a day is meant ("open for dinner", "in the evening")."""
    meals = (at for group, at in _MEALS.items() if analysis.has(group))
    return next(meals, None) if not analysis.clocks and analysis.has(*_MEALS) else _part_of_day(analysis)


def _part_of_day(analysis: "Analysis") -> time | None:
    """The hour that stands for "in the evening", "late at night"; None if no part of the day is said."""
    return next((at for group, at in _PARTS.items() if _said(analysis, group)), None)


def _said(analysis: "Analysis", group: str) -> bool:
    """True if a phrase of the group stands outside of names ("Night Market" speaks of no night)."""
    spans = (analysis.span(cue) for cue in analysis.find(group))
    names = [(item.start, item.end) for item in analysis.mentions if item.strength >= SURE]
    return any(not any(low <= start and end <= high for low, high in names) for start, end in spans)


def _dates(text: str) -> Iterable[Mark[When]]:
    for match in _ISO_DATE.finditer(text):
        day = _date(int(match[1]), int(match[2]), int(match[3]))
        if day:
            yield Mark(match.start(), match.end(), When(day=day))
    for match in _DATE.finditer(text):
        month = (match["m1"] or match["m2"]).lower()[:3]
        day = (
            _date(int(match["y"]), _MONTHS.index(month) + 1, int(match["d1"] or match["d2"]))
            if month in _MONTHS
            else None
        )
        if day:
            yield Mark(match.start(), match.end(), When(day=day))


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
