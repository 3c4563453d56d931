"""Reading amounts in option texts: numbers with units, words, bounds ("under 1 km"), ranges ("10-15 min"), winds."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf

from map_tools.compute.geodesy import OCTANT_DEG, WINDS, wind_words
from map_tools.compute.measures import find_distances, find_durations, parse_distance_m, parse_duration_s
from map_tools.compute.scanning import Span, parse_number, parse_ordinal
from map_tools.text import normalise
from modules.answer_generator.outcome import has_phrase, is_phrase, phrases, values

NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
RANGE_BEFORE = re.compile(r"(\d+(?:[.,]\d+)?)\s*(?:-|–|—|to|and)\s*$", re.IGNORECASE)
RANGE_MARK = re.compile(r"\s*(?:-|–|—|to|and)\s*", re.IGNORECASE)

MIN_WORD = 3
"""A letter or two ("S", "NW") is a direction only where the text is nothing else: "S High St" is a street."""


@dataclass(frozen=True, slots=True)
class Amount:
    """What an option says about a number: all numbers from `low` to `high`.

    `step` is the unit of the last digit printed; `open_low`/`open_high` exclude the limit itself.
    """

    low: float
    high: float
    step: float
    open_low: bool = False
    open_high: bool = False

    @property
    def is_point(self) -> bool:
        """True for a single number, False for a range."""
        return self.low == self.high

    def distance(self, value: float) -> float:
        """How far a value is from what the option says; 0 inside a range (infinite at an excluded limit)."""
        if (value == self.low and self.open_low) or (value == self.high and self.open_high):
            return inf
        return max(self.low - value, value - self.high, 0.0)


def durations(text: str, *, bare_unit: str | None) -> tuple[Amount, ...]:
    """The durations an option speaks of, in seconds."""
    return _measures(text, find_durations, parse_duration_s, bare_unit)


def distances(text: str, *, bare_unit: str | None) -> tuple[Amount, ...]:
    """The distances an option speaks of, in metres."""
    return _measures(text, find_distances, parse_distance_m, bare_unit)


def areas(text: str) -> tuple[Amount, ...]:
    """The areas an option speaks of, in square metres."""
    found = []
    for unit, factor in sorted(values("area").items(), key=lambda entry: -len(entry[0])):
        pattern = rf"({NUMBER.pattern})\s*{re.escape(unit)}(?!\w)"
        found += [(hit, factor) for hit in re.finditer(pattern, text, re.IGNORECASE)]
        if found:
            break
    spans = [(hit.start(), hit.end(), _number(hit.group(1)) * factor, hit.group(1)) for hit, factor in found]
    factor = found[0][1] if found else 1.0
    return tuple(
        _bounded(text, start, end, value, _step(shown) * factor) for start, end, value, shown in spans
    )


def counts(text: str) -> tuple[Amount, ...]:
    """The number an option says, in digits ("13", "2nd") or words ("Three", "Seven (7)")."""
    if is_phrase(text, phrases("numbers", "zero")):
        return (Amount(0, 0, 1),)
    word = _number_word(text)
    if word is not None:
        return (_bounded(text, 0, len(text), word, 1),)
    hits = list(NUMBER.finditer(text))
    if len(hits) == 2 and RANGE_MARK.fullmatch(text[hits[0].end() : hits[1].start()]):
        return (Amount(_number(hits[0].group()), _number(hits[1].group()), 1),)
    return tuple(
        _bounded(text, hit.start(), hit.end(), _number(hit.group()), _step(hit.group())) for hit in hits[:1]
    )


def prices(text: str) -> tuple[Amount, ...]:
    """The price level an option says: "$$", "Moderate", "very expensive"."""
    if text.strip() and set(text.strip()) <= set("$€£¥"):
        level = float(len(text.strip()))
        return (Amount(level, level, 1),)
    folded = f" {normalise(text)} "
    for word, level in sorted(values("price").items(), key=lambda entry: -len(entry[0])):
        if f" {word} " in folded:
            return (Amount(level, level, 1),)
    return ()


def degrees(text: str) -> tuple[Amount, ...]:
    """The angle an option says in degrees ("45°")."""
    hits = [hit for hit in NUMBER.finditer(text) if re.match(r"\s*(?:°|deg)", text[hit.end() :])]
    return tuple(Amount(_number(hit.group()), _number(hit.group()), _step(hit.group())) for hit in hits[:1])


def wind_of(text: str) -> str | None:
    """The one of eight winds a text names; None if it names none, or several different ones.

    Two words are tried before one ("north west"), so that a compound is never read as its halves.
    """
    whole = wind_words(text)
    if whole is not None:
        return whole
    words = [word for word in normalise(text).split() if len(word) >= MIN_WORD]
    compounds = {wind_words(f"{a}{b}") for a, b in pairwise(words)} - {None}
    found = compounds or {wind_words(word) for word in words} - {None}
    return found.pop() if len(found) == 1 else None


def bearing_of(text: str) -> float | None:
    """The bearing in degrees of the wind a text names."""
    wind = wind_of(text)
    return None if wind is None else WINDS.index(wind) * OCTANT_DEG


def _measures(
    text: str,
    scan: Callable[[str], Sequence[Span[float]]],
    parse: Callable[[str], float | None],
    bare_unit: str | None,
) -> tuple[Amount, ...]:
    spans = list(scan(text))
    if not spans and bare_unit is not None:
        text = _with_unit(text, bare_unit)
        spans = list(scan(text))
    if len(spans) == 2 and RANGE_MARK.fullmatch(text[spans[0].end : spans[1].start]):
        low, high = sorted(float(span.value) for span in spans)
        return (Amount(low, high, _span_step(spans[1].text, parse)),)
    return tuple(_one_measure(text, span, parse) for span in spans)


def _one_measure(text: str, span: Span[float], parse: Callable[[str], float | None]) -> Amount:
    value, step = float(span.value), _span_step(span.text, parse)
    before = RANGE_BEFORE.search(text[: span.start])
    shown = NUMBER.search(span.text)
    if before and shown and _number(shown.group()):
        low = _number(before.group(1)) * value / _number(shown.group())
        return Amount(min(low, value), max(low, value), step)
    return _bounded(text, span.start, span.end, value, step)


def _bounded(text: str, start: int, end: int, value: float, step: float) -> Amount:
    """The number itself, or the open range that words beside it make of it."""
    before, after = text[:start], text[end:]
    whole_before = text if start == 0 and end == len(text) else before
    inclusive = has_phrase(whole_before, phrases("bounds", "inclusive")) or _symbol(before, "≤≥")
    if has_phrase(after, phrases("bounds", "above_after")) or after.strip().startswith("+"):
        return Amount(value, inf, step)
    if has_phrase(after, phrases("bounds", "below_after")):
        return Amount(-inf, value, step)
    if has_phrase(whole_before, phrases("bounds", "below")) or _symbol(before, "<≤"):
        return Amount(-inf, value, step, open_high=not inclusive)
    if has_phrase(whole_before, phrases("bounds", "above")) or _symbol(before, ">≥"):
        return Amount(value, inf, step, open_low=not inclusive)
    return Amount(value, value, step)


def _symbol(before: str, symbols: str) -> bool:
    return before.strip()[-1:] != "" and before.strip()[-1] in symbols


def _with_unit(text: str, unit: str) -> str:
    """Puts the unit the question asks in behind a bare number ("35" → "35 min")."""
    return NUMBER.sub(lambda hit: f"{hit.group()} {unit}", text, count=1)


def _span_step(shown: str, parse: Callable[[str], float | None]) -> float:
    """The unit of the last digit written: a tenth of a kilometre for "1.2 km", a minute for "1 h 5 min"."""
    hits = list(NUMBER.finditer(shown))
    if not hits:
        return 1.0
    last = hits[-1]
    unit = parse(f"1 {shown[last.end() :].strip()}") or 1.0
    if ":" in shown:
        unit = parse("1 min") or 60.0
    return unit * _step(last.group())


def _step(number: str) -> float:
    _, _, decimals = number.replace(",", ".").partition(".")
    return float(10.0 ** -len(decimals)) if decimals else 1.0


def _number(text: str) -> float:
    """Digits with a decimal point or comma; commas before groups of three separate thousands."""
    if re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", text):
        return float(text.replace(",", ""))
    parts = text.replace(",", ".").split(".")
    return float("".join(parts)) if len(parts) > 2 else float(".".join(parts))


def _number_word(text: str) -> float | None:
    """The number said by the first word or words, also as an ordinal ("2nd exit", "third")."""
    words = normalise(text).split()
    often = next((times for word, times in values("times").items() if word in words), None)
    if often is not None:
        return often
    for start in range(len(words)):
        for length in (3, 2, 1):
            piece = " ".join(words[start : start + length])
            if len(words[start : start + length]) == length and not piece[:1].isdigit():
                number = parse_number(piece)
                number = parse_ordinal(piece) if number is None else number
                if number is not None:
                    return float(number)
    ordinal = re.match(r"\s*(\d+)(?:st|nd|rd|th)\b", text, re.IGNORECASE)
    return float(ordinal.group(1)) if ordinal else None
