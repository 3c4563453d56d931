"""Opening hours in everyday words ("Monday: 8:00 AM – 5:00 PM, Tuesday: Closed") → the OpenStreetMap grammar.

A text is cut into tokens: days, spans of time, words such as "closed". If anything is left over that is none
of these, the text is not understood: half-read hours would be guessed hours.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from map_tools.compute.opening_spec import DAY_MIN, DAYS, HOLIDAY, Minutes, Week, expand_days, format_week
from map_tools.compute.scanning import alternatives, fold, load

_HALF_DAY_MIN = DAY_MIN // 2
_REMARK = re.compile(r"\([^()\d]*\)")
"""Words in brackets are left out; numbers there are hours that are not."""
_ALL_DAY: tuple[Minutes, ...] = ((0, DAY_MIN),)


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


def weekly_spec(text: str) -> str | None:
    """The specification a text of weekly hours means; None if any of its words is not understood."""
    folded = _REMARK.sub(" ", fold(text)).replace("\n", ", ")
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
