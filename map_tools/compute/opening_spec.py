"""Opening hours in the OpenStreetMap grammar: the week a specification says, and repairs before evaluation.

The grammar: https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from map_tools.compute.scanning import load

DAYS = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
HOLIDAY = "PH"
DAY_MIN = 24 * 60

type Minutes = tuple[int, int]
"""Opening and closing in minutes after midnight; a closing after midnight is over 1440."""

_DAY = rf"(?:{'|'.join((*DAYS, HOLIDAY))})"
_SELECTOR = rf"(?P<days>{_DAY}(?:-{_DAY})?(?:, ?{_DAY}(?:-{_DAY})?)*)"
_OPENS = r"(?:[01]?\d|2[0-3]):[0-5]\d"
_CLOSES = r"(?:[0-3]?\d|4[0-7]):[0-5]\d"  # the grammar lets a closing after midnight be written as 25:00
_SPAN = rf"{_OPENS} ?- ?{_CLOSES}"
_TIMES = rf"(?P<times>{_SPAN}(?:, ?{_SPAN})*)"
_PLAIN_RULE = re.compile(rf"(?:{_SELECTOR}:? ?)?(?:{_TIMES}|(?P<off>off|closed))")
_TIMES_ALONE = re.compile(rf"\s*{_TIMES}\s*")
_FALLBACK = re.compile(r'\|\|(?=(?:[^"]*"[^"]*")*[^"]*$)')
_RULE_BREAK = re.compile(r'(;)(?=(?:[^"]*"[^"]*")*[^"]*$)')
_COMMENT_ONLY = re.compile(r'"[^"]*"')
_COMMENT_LAST = re.compile(r'(?P<rule>.*[^\s"])\s*(?P<comment>"[^"]*")')
_MODIFIER_LAST = re.compile(r"\b(?:open|off|closed|unknown)$")


@dataclass(frozen=True, slots=True)
class Week:
    """Plain weekly hours: the spans of each day; `holidays` is None if nothing is said of them."""

    days: Mapping[str, tuple[Minutes, ...]]
    holidays: tuple[Minutes, ...] | None = None


def alternatives_of(spec: str) -> tuple[str, ...]:
    """The specification and its fallbacks ("Mo-Fr 09:00-17:00 || unknown"), used where it says closed."""
    return tuple(part.strip() for part in _FALLBACK.split(spec))


@lru_cache(maxsize=4096)
def repaired(spec: str) -> str:
    """The specification as it has to be put to the evaluator so that it is read as it is meant.

    1. A rule that is only a comment, or a comment such as "by appointment", leaves the state unknown; the
       evaluator would say open.
    2. In "Fr 18:00-03:00; Sa off" Friday lasts until three; the evaluator would end it at midnight, so plain
       weeks that pass midnight are written as additions (",") instead of replacements (";").
    3. In "Tu, Fr 10:00-18:00" the blank would end the rule, and Tuesday be open all day, so plain weeks are
       written anew.
    4. "11:00-13:00; 14:00-18:00" means both, "Mo-Sa 9:00-22:00; "Sundays too in fine weather"" a note; read to
       the letter the last rule would replace all before it.
    """
    week = parse_week(spec)
    if week is not None:
        return _additive(week) if _passes_midnight(week) else format_week(week)
    parts = _RULE_BREAK.split(_as_meant(spec))
    return "".join(part if index % 2 else _with_unknown(part) for index, part in enumerate(parts))


def _as_meant(spec: str) -> str:
    """The specification with times alone joined, and without notes behind other rules."""
    rules: list[str] = []
    for rule in _RULE_BREAK.split(spec)[::2]:
        if rules and _COMMENT_ONLY.fullmatch(rule.strip()):
            continue
        if rules and _TIMES_ALONE.fullmatch(rule) and _TIMES_ALONE.fullmatch(rules[-1]):
            rules[-1] = f"{rules[-1].strip()},{rule.strip()}"
        else:
            rules.append(rule)
    return ";".join(rules)


def parse_week(spec: str) -> Week | None:
    """The weekly table of a specification made of weekday rules only, else None.

    Later rules replace, but "09:00-12:00; 14:00-18:00" means both. A span longer than a day is none of a weekly table.
    """
    table: dict[str, tuple[Minutes, ...]] = {}
    for rule in _as_meant(spec).strip().rstrip(";").split(";"):
        match = _PLAIN_RULE.fullmatch(" ".join(rule.split()))
        if match is None:
            return None
        spans = () if match["off"] else tuple(_minutes(span) for span in match["times"].split(","))
        if any(closes - opens > DAY_MIN for opens, closes in spans):
            return None
        table.update(dict.fromkeys(expand_days(match["days"] or "Mo-Su"), spans))
    holidays = table.pop(HOLIDAY, None)
    return Week({day: table.get(day, ()) for day in DAYS}, holidays)


def format_week(week: Week) -> str:
    """A weekly table as a specification, days of equal hours together: "Mo-Fr 09:00-17:00; Sa-Su off"."""
    rules = [f"{_day_range(first, last)}{_spans_text(spans)}" for first, last, spans in _groups(week)]
    if week.holidays is not None:
        rules.append(f"{HOLIDAY} {_spans_text(week.holidays)}")
    return "; ".join(rules)


def expand_days(selector: str) -> tuple[str, ...]:
    """The days a selector names: "Sa-Mo,PH" → Sa, Su, Mo, PH."""
    named: list[str] = []
    for part in selector.replace(" ", "").split(","):
        first, _, last = part.partition("-")
        if not last:
            named.append(first)
        elif first in DAYS and last in DAYS:
            start, length = DAYS.index(first), (DAYS.index(last) - DAYS.index(first)) % 7 + 1
            named.extend(DAYS[(start + offset) % 7] for offset in range(length))
    return tuple(named)


def _additive(week: Week) -> str:
    rules = [f"{day} {_spans_text(spans)}" for day, spans in week.days.items() if spans]
    spec = ", ".join(rules)
    return spec if week.holidays is None else f"{spec}; {HOLIDAY} {_spans_text(week.holidays)}"


def _passes_midnight(week: Week) -> bool:
    return any(closes > DAY_MIN for spans in week.days.values() for _, closes in spans)


def _with_unknown(rule: str) -> str:
    """Marks a rule as unknown if its comment says that being open depends on something."""
    stripped = rule.strip()
    if _COMMENT_ONLY.fullmatch(stripped):
        return rule.replace(stripped, f"unknown {stripped}")
    match = _COMMENT_LAST.fullmatch(stripped)
    if match is None or _MODIFIER_LAST.search(match["rule"]):
        return rule
    words = load("hours")["comments"]["uncertain"]
    if not any(word in match["comment"].lower() for word in words):
        return rule
    return rule.replace(stripped, f"{match['rule']} unknown {match['comment']}")


def _minutes(span: str) -> Minutes:
    clocks = (clock.split(":") for clock in span.strip().split("-"))
    opens, closes = (int(hour) * 60 + int(minute) for hour, minute in clocks)
    return opens, closes if closes > opens else closes + DAY_MIN


def _groups(week: Week) -> list[tuple[str, str, tuple[Minutes, ...]]]:
    """Runs of following days with equal hours."""
    groups: list[tuple[str, str, tuple[Minutes, ...]]] = []
    for day in DAYS:
        spans = tuple(week.days.get(day, ()))
        if groups and groups[-1][2] == spans:
            groups[-1] = (groups[-1][0], day, spans)
        else:
            groups.append((day, day, spans))
    return groups


def _day_range(first: str, last: str) -> str:
    return f"{first} " if first == last else f"{first}-{last} "


def _spans_text(spans: tuple[Minutes, ...]) -> str:
    return ",".join(f"{_clock_text(opens)}-{_closing_text(closes)}" for opens, closes in spans) or "off"


def _closing_text(minutes: int) -> str:
    return _clock_text(minutes if minutes <= DAY_MIN else minutes - DAY_MIN)


def _clock_text(minutes: int) -> str:
    return f"{minutes // 60:02d}:{minutes % 60:02d}"
