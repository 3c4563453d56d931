"""Opening hours in the OpenStreetMap grammar: the weeks of specifications, repairs, everyday words turned into it.

The grammar: https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification

Weekly hours in everyday words ("Monday: 8:00 AM – 5:00 PM, Tuesday: Closed") are cut into tokens: days, spans of
time, words such as "closed". If anything is left over that is none of these, the text is not understood: half-read
hours would be guessed hours.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from map_tools.compute.scanning import alternatives, load, lowered

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
_HALF_DAY_MIN = DAY_MIN // 2
_REMARK = re.compile(r"\([^()\d]*\)")
"""Words in brackets are left out; numbers there are hours that are not."""

_ALL_DAY: tuple[Minutes, ...] = ((0, DAY_MIN),)


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
    rules = [f"{_day_range(first, last)}{spans_text(spans)}" for first, last, spans in _groups(week)]
    if week.holidays is not None:
        rules.append(f"{HOLIDAY} {spans_text(week.holidays)}")
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


def weekly_spec(text: str) -> str | None:
    """The specification a text of weekly hours means; None if any of its words is not understood."""
    folded = _REMARK.sub(" ", lowered(text)).replace("\n", ", ")
    tokens = _tokens(folded)
    if not tokens:
        return None
    if all(token.kind == "uncertain" for token in tokens):
        return 'unknown "by appointment"'
    entries = _entries(tokens)
    if any(not entry.values or any(token.kind == "uncertain" for token in entry.values) for entry in entries):
        return None
    if any(_contradicts(entry.values) for entry in entries):
        return None
    return _spec(entries)


def _additive(week: Week) -> str:
    rules = [f"{day} {spans_text(spans)}" for day, spans in week.days.items() if spans]
    spec = ", ".join(rules)
    return spec if week.holidays is None else f"{spec}; {HOLIDAY} {spans_text(week.holidays)}"


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


def spans_text(spans: tuple[Minutes, ...]) -> str:
    """The hours of a day in the grammar's form: "09:00-12:30,14:00-18:00"; "off" for none."""
    return ",".join(f"{clock_text(opens)}-{_closing_text(closes)}" for opens, closes in spans) or "off"


def _closing_text(minutes: int) -> str:
    return clock_text(minutes if minutes <= DAY_MIN else minutes - DAY_MIN)


def clock_text(minutes: int) -> str:
    """Minutes after midnight in the grammar's form: "09:05"."""
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


@dataclass(frozen=True, slots=True)
class _Token:
    """A piece of the text; `days` of a selector, `spans` of a value (empty: closed)."""

    kind: Literal["days", "value", "uncertain"]
    days: tuple[str, ...] = ()
    spans: tuple[Minutes, ...] = ()


@dataclass(slots=True)
class _Entry:
    """Some days and what is said of them."""

    days: tuple[str, ...]
    values: list[_Token]


def _contradicts(values: list[_Token]) -> bool:
    """True for "closed 13-16", of which the hours are those of a break, and for spans that go back in time."""
    spans = [span for token in values for span in token.spans]
    closed = any(not token.spans for token in values)
    return bool(closed and spans) or any(after[0] < before[1] < DAY_MIN for before, after in pairwise(spans))


def _spec(entries: list[_Entry]) -> str:
    table: dict[str, tuple[Minutes, ...]] = {}
    for entry in entries:
        spans = tuple(sorted(span for token in entry.values for span in token.spans))
        table.update(dict.fromkeys(entry.days, spans))
    holidays = table.pop(HOLIDAY, None)
    return format_week(Week({day: table.get(day, ()) for day in DAYS}, holidays))


def _tokens(folded: str) -> list[_Token] | None:
    """All tokens; None if something is left over."""
    tokens: list[_Token] = []
    position = 0
    while position < len(folded):
        match = _token_pattern().match(folded, position)
        if match is None:
            return None
        token = _token(match)
        if token is not None:
            tokens.append(token)
        position = match.end()
    return tokens


def _token(match: re.Match[str]) -> _Token | None:
    if match["selector"]:
        return _Token("days", days=_selected(match["selector"]))
    if match["all_day"]:
        return _Token("value", spans=_ALL_DAY)
    if match["closed"]:
        return _Token("value")
    if match["uncertain"]:
        return _Token("uncertain")
    if match["opens"]:
        return _Token("value", spans=(_span(match),))
    return None


def _entries(tokens: list[_Token]) -> list[_Entry]:
    """Puts days and values together; days stand before their values ("Mon: 9-5") or after ("9-5 Mon-Fri")."""
    if all(token.kind != "days" for token in tokens):
        return [_Entry(DAYS, tokens)]
    if tokens[0].kind == "days":
        return _day_first(tokens)
    *before, value, last = tokens
    if (
        last.kind == "days"
        and not value.spans
        and before
        and not any(token.kind == "days" for token in before)
    ):
        return [_Entry(DAYS, before), _Entry(last.days, [value])]  # "9-5, closed Sunday"
    if tokens[-1].kind == "days":
        return [_Entry(entry.days, entry.values[::-1]) for entry in _day_first(tokens[::-1])]
    first = next(index for index, token in enumerate(tokens) if token.kind == "days")
    if not any(token.spans for token in tokens[:first]):
        return [_Entry(tokens[first].days, tokens[:first]), *_day_first(tokens[first + 1 :])]
    # "7-7, Sun 8-1": all days, but on Sundays
    return [_Entry(DAYS, tokens[:first]), *_day_first(tokens[first:])]


def _day_first(tokens: list[_Token]) -> list[_Entry]:
    entries: list[_Entry] = []
    for token in tokens:
        if token.kind != "days" and entries:
            entries[-1].values.append(token)
        elif entries and not entries[-1].values:
            entries[-1].days += token.days
        else:
            entries.append(_Entry(token.days, [] if token.kind == "days" else [token]))
    for entry, following in pairwise(entries):
        if not following.values and len(entry.values) > 1:  # "Mon-Fri 9-5, closed Sunday"
            following.values.append(entry.values.pop())
    return entries


def _selected(selector: str) -> tuple[str, ...]:
    groups: dict[str, str] = load("hours")["groups"]
    if selector in groups:
        return expand_days(groups[selector])
    ids = {word: day for day, words in load("hours")["days"].items() for word in words}
    found = [ids[match.group()] for match in _day_word().finditer(selector)]
    return expand_days("-".join(found))


def _span(match: re.Match[str]) -> Minutes:
    """Opening and closing in minutes; a missing half of the day is the one that makes the span short."""
    starts = _readings(match["opens"], match["opens_half"])
    ends = _readings(match["closes"], match["closes_half"])
    if not match["opens_half"] and not match["closes_half"]:
        starts, ends = starts[:1], ends[:1]
        told_24 = match["closes"].startswith("0") or match["opens"] == "midnight"
        if not told_24 and ends[0] <= starts[0] <= _HALF_DAY_MIN + 59 and ends[0] > 0:
            ends = [ends[0] + _HALF_DAY_MIN]  # "9-5", "9:30-5:30" are of the day
    pairs = [(opens, opens + ((closes - opens) % DAY_MIN or DAY_MIN)) for opens in starts for closes in ends]
    return min(pairs, key=lambda pair: pair[1] - pair[0])


def _readings(clock: str, half: str | None) -> list[int]:
    """What a time may mean in minutes after midnight: two readings if the half of the day is not said."""
    if clock in {"noon", "midday"}:
        return [_HALF_DAY_MIN]
    if clock == "midnight":
        return [0]
    hour, minute = (int(part or 0) for part in re.fullmatch(r"(\d+)\D?(\d*)", clock).groups())  # type: ignore[union-attr]
    if hour > 12 or clock.startswith("0"):
        return [(hour * 60 + minute) % DAY_MIN]
    early = hour % 12 * 60 + minute
    if half:
        return [early + (_HALF_DAY_MIN if half.startswith("p") else 0)]
    plain = hour * 60 + minute
    return [plain, (plain + _HALF_DAY_MIN) % DAY_MIN]


@lru_cache(maxsize=1)
def _token_pattern() -> re.Pattern[str]:
    words = load("hours")
    day = rf"(?:{_day_word().pattern})"
    to = alternatives(words["glue"]["ranges"])
    groups = alternatives(words["groups"])
    values = {kind: alternatives(listed) for kind, listed in words["values"].items()}
    clock = r"\d{1,2}(?:[:.h]\d\d)?|noon|midday|midnight"
    half = r"[ap]\.? ?m\b\.?|[ap]\b"
    return re.compile(
        rf"(?P<selector>(?:{groups})\b|{day}\b\.?(?: ?(?:{to}) ?{day}\b\.?)?)"
        rf"|(?P<all_day>(?:{values['all_day']})(?!\w))"
        rf"|(?P<opens>{clock}) ?(?P<opens_half>{half})? ?(?:{to}) ?"
        rf"(?P<closes>{clock})(?: ?(?P<closes_half>{half})| ?h\b)?(?!\w)"
        rf"|(?P<closed>(?:{values['closed']})\b)"
        rf"|(?P<uncertain>(?:{values['uncertain']})\b)"
        rf"|(?:{alternatives(words['glue']['fillers'])})\b"
        r"|[\s,;:/|&.*\-•\[\]'\"]+"
    )


@lru_cache(maxsize=1)
def _day_word() -> re.Pattern[str]:
    words = alternatives(word for listed in load("hours")["days"].values() for word in listed)
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)")
