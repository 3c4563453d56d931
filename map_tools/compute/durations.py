"""Durations: "1 hour 5 mins", "1h30", "1:30 h", "two and a half hours", "a couple of days"."""

import re
from functools import lru_cache

from map_tools.compute.measures import Measure
from map_tools.compute.text import Span, fold, overlaps
from map_tools.compute.vocabulary import alternatives, load

MINUTE_S = 60
HOUR_S = 3600

_STOPWATCH = re.compile(r"(?P<hours>\d{1,3}):(?P<minutes>[0-5]\d):(?P<seconds>[0-5]\d)")
_FOUR_DIGIT_CLOCK = re.compile(r"\d{4} ?h(?:(?:ou)?rs)?")
_RATE_BEFORE = re.compile(r"(?:\b(?:kms?|kilomet(?:re|er)s?|miles?|times|once|twice)|[$€£]\d[\d.,]*) ?$")


def find_durations(text: str) -> list[Span[float]]:
    """All durations in running text, in seconds, in order.

    "17h30" and "1:30 h" are durations unless a word such as "at" or "by" makes them times of day. In
    "10-15 minutes" both ends are found. A lone "5 m" is a distance.
    """
    folded = fold(text)
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
        for span in _measure().find(masked, text)
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
    body = fold(text).strip(" \n()[]")
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
def _measure() -> Measure:
    lists = load("quantities")
    return Measure(
        factors=lists["duration"],
        articled=frozenset(lists["rules"]["articled_durations"]),
        dependent=frozenset(lists["rules"]["dependent_durations"]),
    )
