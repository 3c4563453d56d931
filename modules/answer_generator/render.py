"""Values in words, with their units."""

import re

from map_tools.compute.clocks import format_clock
from map_tools.compute.measures import format_distance, format_duration
from mapagent.core.answer import (
    ClockTime,
    Named,
    NameSet,
    OptionPick,
    Quantity,
    Schedule,
    Sequence,
    Text,
    Value,
    YesNo,
)

M2_PER_KM2 = 1e6
M2_PER_HA = 1e4
PRICE_WORDS = ("free", "inexpensive", "moderate", "expensive", "very expensive")
"""Google's price levels 0 to 4 (Places API, `price_level`)."""


_ASKED_UNIT = re.compile(
    r"\b(?:in|how many)\s+(?:whole\s+|full\s+|total\s+|more\s+)?"
    r"(?P<unit>miles?|mi|kilomet\w+|kms?|met(?:re|er)s?|feet|ft|yards?|minutes?|mins?|seconds?|secs?)\b",
    re.IGNORECASE,
)
_UNITS = (
    ("m", "mil", 1609.344, "miles"),
    ("m", "k", 1000.0, "km"),
    ("m", "met", 1.0, "m"),
    ("m", "f", 0.3048, "feet"),
    ("m", "y", 0.9144, "yards"),
    ("s", "min", 60.0, "min"),
    ("s", "s", 1.0, "s"),
)
"""Unit of the value, how the word in the question begins, its size and its symbol.

The mile, foot and yard are the international ones (1959 agreement: 1 yard = 0.9144 m).
"""


def render(value: Value, question: str = "") -> str:
    """A value as an answer to read: "14 min", "1.2 km", "Yes", "A → B → C".

    Args:
        value: What is to be said.
        question: Its text, for amounts that are asked for in a unit ("in miles").
    """
    match value:
        case Quantity():
            return _in_asked_unit(value, question) or render_quantity(value)
        case ClockTime():
            return _clock(value)
        case YesNo():
            return "Yes" if value.value else "No"
        case Named():
            return f"{value.name} ({value.note})" if value.note else value.name
        case Text() | OptionPick():
            return value.text
        case Sequence():
            return " → ".join(value.names)
        case NameSet():
            return ", ".join(value.names)
        case Schedule():
            return _schedule(value)


def render_quantity(value: Quantity) -> str:
    """A number with its unit."""
    if value.unit == "s":
        return format_duration(value.value)
    if value.unit == "m":
        return format_distance(value.value)
    if value.unit == "m2":
        return _area(value.value)
    if value.unit == "deg":
        return f"{value.value:.0f}°"
    if value.unit == "price_level":
        return _price(value.value)
    if value.unit == "minutes_of_day":
        return minutes_of_day(value.value)
    return f"{value.value:g}"


def _in_asked_unit(value: Quantity, question: str) -> str | None:
    """An amount in the unit the question asks for; None if it asks for none."""
    asked = _ASKED_UNIT.search(question)
    word = asked["unit"].casefold() if asked else ""
    word = "miles" if word == "mi" else word  # "minutes" begins so too
    for unit, said, factor, shown in _UNITS:
        if value.unit == unit and word.startswith(said):
            number = value.value / factor
            return f"{number:.0f} {shown}" if unit == "s" else f"{_figures(number)} {shown}"
    return None


def _figures(number: float) -> str:
    """Three figures at most, without idle zeros."""
    decimals = 2 if abs(number) < 10 else 1 if abs(number) < 100 else 0
    text = f"{number:.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def minutes_of_day(minutes: float) -> str:
    """Minutes after midnight as "HH:MM", with "(+1 d)" beyond the first day."""
    days, rest = divmod(round(minutes), 24 * 60)
    return f"{rest // 60:02d}:{rest % 60:02d}" + (f" (+{days} d)" if days else "")


def _area(square_m: float) -> str:
    if square_m >= M2_PER_KM2:
        return f"{square_m / M2_PER_KM2:.2f} km²"
    if square_m >= M2_PER_HA:
        return f"{square_m / M2_PER_HA:.1f} ha"
    return f"{square_m:.0f} m²"


def _price(level: float) -> str:
    index = round(level)
    return PRICE_WORDS[index] if 0 <= index < len(PRICE_WORDS) else f"{level:g}"


def _clock(value: ClockTime) -> str:
    text = format_clock(value.at)
    return f"{text} (+{value.day_offset} d)" if value.day_offset else text


def _schedule(value: Schedule) -> str:
    return "; ".join(
        f"{stop.name} {minutes_of_day(stop.arrive_min)}–{minutes_of_day(stop.depart_min)}"
        for stop in value.stops
    )
