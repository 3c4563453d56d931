"""Amounts with units in running text: durations, distances and areas.

A *part* is an amount and a unit ("5 mins", "a mile and a half", "two and a half hours", "half an hour");
parts whose units get smaller join to one quantity ("1 hour 5 mins"). In a range ("10-15 minutes", "between
5 and 10 km") the first amount borrows the unit of the second.

`parse_*` reads a whole text and gives None if it says anything else; `find_*` scans running text and gives
spans in order; `format_*` writes what `parse_*` reads. Seconds, metres and square metres.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from map_tools.compute.scanning import (
    FRACTION_TAIL,
    NOT_BEFORE,
    Span,
    alternatives,
    load,
    lowered,
    overlaps,
    plain_pattern,
    plain_value,
)

MINUTE_S = 60
HOUR_S = 3600
KILOMETRE_M = 1000
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


_STOPWATCH = re.compile(r"(?P<hours>\d{1,3}):(?P<minutes>[0-5]\d):(?P<seconds>[0-5]\d)")
_FOUR_DIGIT_CLOCK = re.compile(r"\d{4} ?h(?:(?:ou)?rs)?")
_RATE_BEFORE = re.compile(r"(?:\b(?:kms?|kilomet(?:re|er)s?|miles?|times|once|twice)|[$€£]\d[\d.,]*) ?$")


def find_durations(text: str) -> list[Span[float]]:
    """All durations in running text, in seconds, in order.

    "17h30" and "1:30 h" are durations unless a word such as "at" or "by" makes them times of day. In
    "10-15 minutes" both ends are found. A lone "5 m" is a distance.
    """
    folded = lowered(text)
    compact = [
        Span(match.start(), match.end(), _compact_value(match), text[match.start() : match.end()])
        for match in _compact().finditer(folded)
        if not _cue_before().search(folded, max(0, match.start() - 12), match.start())
    ]
    masked = folded
    for span in compact:
        masked = masked[: span.start] + "\0" * (span.end - span.start) + masked[span.end :]
    plain = (
        span
        for span in _durations().find(masked, text)
        if not _FOUR_DIGIT_CLOCK.fullmatch(masked, span.start, span.end)
        and not _RATE_BEFORE.search(masked, max(0, span.start - 16), span.start)
        and not _is_clock(folded, span)
    )
    return sorted([*compact, *plain], key=lambda span: span.start)


def parse_duration_s(text: str) -> float | None:
    """The duration in seconds a whole text says, None if it says anything else.

    Words such as "about" and a closing full stop are allowed; "01:30:00" is read as hours, minutes, seconds.
    """
    body = strip_approximation(text)
    watch = _STOPWATCH.fullmatch(body)
    if watch:
        return float(int(watch["hours"]) * HOUR_S + int(watch["minutes"]) * MINUTE_S + int(watch["seconds"]))
    spans = find_durations(body)
    return spans[0].value if len(spans) == 1 and spans[0].text == body else None


def format_duration(duration_s: float) -> str:
    """A duration for showing: "1 h 5 min", "14 min", and "40 s" under a minute; rounded to the unit shown."""
    sign, magnitude = ("-", -duration_s) if duration_s < 0 else ("", duration_s)
    seconds = round(magnitude)
    if seconds < MINUTE_S:
        return f"{sign if seconds else ''}{seconds} s"
    hours, minutes = divmod(round(magnitude / MINUTE_S), 60)
    parts = [f"{hours} h"] * bool(hours) + [f"{minutes} min"] * bool(minutes)
    return sign + " ".join(parts)


def strip_approximation(text: str) -> str:
    """Folds a text and takes off "about", "~", brackets and closing punctuation."""
    body = lowered(text).strip(" \n()[]")
    body = re.sub(r"[,;:!?]+$|(?<![a-z])\.$|(?<=[a-z]{2})\.$", "", body)
    return _approximator().sub("", body).strip()


def without_overlap(spans: list[Span[float]], others: list[Span[float]]) -> list[Span[float]]:
    """Those spans that share no character with any of the others."""
    return [span for span in spans if not any(overlaps(span, other) for other in others)]


def _compact_value(match: re.Match[str]) -> float:
    minutes = match["glued_minutes"] or match["colon_minutes"] or match["bare_minutes"]
    return float(int(match["hours"]) * HOUR_S + int(minutes) * MINUTE_S + int(match["seconds"] or 0))


def _is_clock(folded: str, span: Span[float]) -> bool:
    """True for a bare "17h" after "at": a time of day."""
    hour = re.fullmatch(r"(?:[01]?\d|2[0-4]) ?h", folded[span.start : span.end])
    return hour is not None and _cue_before().search(folded, max(0, span.start - 12), span.start) is not None


@lru_cache(maxsize=1)
def _compact() -> re.Pattern[str]:
    """Hours and minutes of which only the hours have a unit ("1h30", "1:30 h"); or one word ("1hr30min")."""
    lists = load("quantities")
    unit = alternatives([*lists["duration"], *lists["distance"]])
    glued = r"(?P<glued>h|hrs?)(?P<glued_minutes>\d{1,2})(?:m|mins?)(?:(?P<seconds>\d{1,2})s(?:ecs?)?)?(?!\w)"
    colon = r":(?P<colon_minutes>[0-5]\d) ?(?:h|hrs?|hours?)(?![\w:])"
    bare = rf" ?h(?:rs?)? ?(?P<bare_minutes>[0-5]\d)(?! ?(?:{unit})(?!\w))(?![\w:]|[.,]\d)"
    return re.compile(rf"(?<![\w:.,])(?P<hours>\d{{1,3}})(?:{glued}|{colon}|{bare})")


@lru_cache(maxsize=1)
def _cue_before() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{alternatives(load('quantities')['clock']['cues'])}) $")


@lru_cache(maxsize=1)
def _approximator() -> re.Pattern[str]:
    words = alternatives(load("quantities")["rules"]["approximators"])
    return re.compile(rf"^(?:(?:{words})(?:(?<=[~≈])|(?!\w)) ?)+")


@lru_cache(maxsize=1)
def _durations() -> Measure:
    lists = load("quantities")
    return Measure(
        factors=lists["duration"],
        articled=frozenset(lists["rules"]["articled_durations"]),
        dependent=frozenset(lists["rules"]["dependent_durations"]),
    )


def find_distances(text: str) -> list[Span[float]]:
    """All distances in running text, in metres, in order. Speeds and areas ("60 km/h", "3 km²") are none.

    In "5-10 km" both ends are found. The "30 m" of a duration ("1 h 30 m") is not a distance.
    """
    spans = _distances().find(lowered(text), text)
    return without_overlap(spans, find_durations(text)) if spans else []


def parse_distance_m(text: str) -> float | None:
    """The distance in metres a whole text says, None if it says anything else ("3 blocks")."""
    body = strip_approximation(text)
    spans = find_distances(body)
    return spans[0].value if len(spans) == 1 and spans[0].text == body else None


def format_distance(distance_m: float) -> str:
    """A distance for showing: "350 m", "1.23 km", "12.3 km", "123 km"; three digits, no idle zeros."""
    metres = round(distance_m)
    if abs(metres) < KILOMETRE_M:
        return f"{metres} m"
    kilometres = distance_m / KILOMETRE_M
    decimals = 2 if abs(kilometres) < 10 else 1 if abs(kilometres) < 100 else 0
    shown = f"{kilometres:.{decimals}f}"
    return f"{shown.rstrip('0').rstrip('.') if '.' in shown else shown} km"


@lru_cache(maxsize=1)
def _distances() -> Measure:
    lists = load("quantities")
    return Measure(
        factors=lists["distance"],
        articled=frozenset(lists["rules"]["articled_distances"]),
        dependent=frozenset(lists["rules"]["dependent_distances"]),
    )


_NUMBER = r"(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?(?:e\+?\d+)?)"
_SQUARE = r"(?:square|sq\.?)[\s-]*"
_UNITS = (
    (rf"{_SQUARE}(?:kilomet(?:er|re)s?|kms?)|km\s?(?:²|\^?2)", 1e6),
    (rf"{_SQUARE}(?:miles?|mi)|mi\s?(?:²|\^?2)", 2_589_988.110336),
    (r"hectares?|ha\b", 1e4),
    (r"acres?", 4_046.8564224),
    (rf"{_SQUARE}(?:feet|foot|ft)|ft\s?(?:²|\^?2)", 0.09290304),
    (rf"{_SQUARE}(?:met(?:er|re)s?|m\b)|m\s?(?:²|\^?2)", 1.0),
)
"""Units and their size in square metres; those of the international mile of 1959 (1609.344 m); an acre is
1/640 square mile."""
_SCALED = r"(?:\s*(?P<scale>thousand|million|billion))?"
_AREAS = tuple(
    (re.compile(rf"{_NUMBER}{_SCALED}\s*(?:{unit})", re.IGNORECASE), size) for unit, size in _UNITS
)
_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9}


def find_areas_m2(text: str) -> tuple[float, ...]:
    """All areas in square metres, in the order of the text; numbers are in digits."""
    found = [
        (match.start(), _value(match) * size) for pattern, size in _AREAS for match in pattern.finditer(text)
    ]
    return tuple(value for _, value in sorted(found))


def parse_area_m2(text: str) -> float | None:
    """The area a whole text says, None if it says anything else ("5 Acre Park")."""
    whole = (
        _value(match) * size
        for pattern, size in _AREAS
        if (match := pattern.fullmatch(text.strip())) is not None
    )
    return next(whole, None)


def _value(match: re.Match[str]) -> float:
    return float(match["number"].replace(",", "")) * _SCALES.get((match["scale"] or "").casefold(), 1.0)
