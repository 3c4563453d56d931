"""Opening hours in their simplest written form: enough for true answers that leave no doubt.

Only values such as "Mo-Fr 09:00-18:00; Sa 10:00-16:00" and "24/7" are read
(https://wiki.openstreetmap.org/wiki/Key:opening_hours); everything else is no material for a question.
"""

import re

ALWAYS = "24/7"
_DAY_MINUTES = 24 * 60
DAYS = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
DAY_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_RULE = re.compile(
    r"(?:(?P<days>(?:Mo|Tu|We|Th|Fr|Sa|Su)(?:[-,](?:Mo|Tu|We|Th|Fr|Sa|Su))*) )?"
    r"(?P<from>[0-2]\d:[0-5]\d)-(?P<to>[0-2]\d:[0-5]\d)"
)
_PART = re.compile(r"(\w\w)(?:-(\w\w))?")

type Span = tuple[int, int]
"""Minutes after midnight, opening and closing."""
type Week = tuple[Span | None, ...]
"""One span for each day from Monday; None where it is closed."""


def read_week(text: str) -> Week | None:
    """The week, None unless the text has the simple form with one span a day that ends before midnight."""
    if text.strip() == ALWAYS:
        return ((0, _DAY_MINUTES),) * 7
    week: list[Span | None] = [None] * 7
    for rule in text.split(";"):
        match = _RULE.fullmatch(rule.strip())
        if match is None:
            return None
        span = (_minutes(match["from"]), _minutes(match["to"]))
        if not span[0] < span[1] <= _DAY_MINUTES:
            return None
        for day in _days(match["days"]):
            if week[day] is not None:
                return None
            week[day] = span
    return tuple(week)


def _days(text: str | None) -> list[int]:
    if text is None:
        return list(range(7))
    days: list[int] = []
    for first, last in _PART.findall(text):
        start = DAYS.index(first)
        end = DAYS.index(last or first)
        days += [day % 7 for day in range(start, (end if end >= start else end + 7) + 1)]
    return days


def _minutes(clock: str) -> int:
    hours, minutes = clock.split(":")
    return int(hours) * 60 + int(minutes)
