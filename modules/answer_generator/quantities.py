"""Matching a number with its unit or a time of day: the nearest option, if near and clearly nearer than the next."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from map_tools.compute.clocks import find_clocks, parse_clock
from map_tools.compute.geodesy import angle_between, wind
from map_tools.text import normalise
from mapagent.core.answer import ClockTime, Quantity
from modules.answer_generator import amounts
from modules.answer_generator.amounts import Amount, bearing_of
from modules.answer_generator.outcome import (
    TIGHT_SHARE,
    Choices,
    Match,
    NoMatch,
    Option,
    chosen,
    clearly_nearest,
    comes_nearest,
    has_phrase,
    phrases,
    same_text,
    tie,
)
from modules.answer_generator.render import render_quantity

RELATIVE_TOLERANCE = 0.05
"""An option may be this share away from a measured value: routing engines differ by as much."""

CLEARLY_NEARER = 0.75
"""The nearest option must be at most this share as far off as the next, or be what the value rounds to."""

MEASURED = frozenset({"s", "m", "m2"})
"""Units of measured values; counts, ratings and price levels must agree to the digit printed."""

ROUNDING = 1e-6
"""Sums and differences of decimals are off by as little."""

SECTOR_DEG = 45.0
"""A wind may be this far from the bearing: options often offer only the four main winds."""

BARE_UNITS = {
    "s": {"hours": "hour", "minutes": "min", "mins": "min", "seconds": "sec"},
    "m": {
        "kilometers": "km", "kilometres": "km", "km": "km", "kms": "km", "miles": "miles",
        "feet": "feet", "meters": "m", "metres": "m",
    },
}  # fmt: skip
"""Words of a question that say in which unit its bare numbers are."""

DEFAULT_UNITS = {"s": "min"}
"""What bare numbers mean where the question does not say: travel times are given in minutes."""

DAY_MIN = 24 * 60

HALF_DAY_MIN = 12 * 60

TOLERANCE_MIN = 3.0
"""Sums of printed travel times carry a rounding of half a minute a leg; six legs are as many as a day has."""

RANGE_MARK = re.compile(r"\s*(?:-|–|—|to|until|till|and)\s*", re.IGNORECASE)

HALF_OF_DAY = re.compile(r"(?<![a-z])([ap])\.?\s*m\b|noon|midnight|midday", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Near:
    option: Option
    amount: Amount
    off: float


def match_quantity(value: Quantity, choices: Choices) -> Match | NoMatch:
    """The option that says this amount; one that says it less exactly has a warning."""
    shown = render_quantity(value)
    if value.unit == "deg":
        return _match_bearing(value.value, choices, shown)
    near = _read(value, choices)
    if not near:
        return NoMatch(reason=f"None of the options states an amount to compare with {shown}.")
    step = min(entry.amount.step for entry in near)
    fitting = _nearest_per_option(
        [entry for entry in near if entry.off <= _tolerance(value, entry.amount, step)]
    )
    if not fitting:
        return NoMatch(reason=f"None of the options is near {shown}.")
    told = min((amount.step for amount in _reader(value.unit, choices)(shown)), default=step)
    return _nearest(fitting, _nearest_per_option(near), step, shown, told)


def nearest_amount(value: Quantity, choices: Choices) -> Match | None:
    """Of options that all state an amount, the one that is clearly nearest, though none says it."""
    near = [] if value.unit == "deg" else _nearest_per_option(_read(value, choices))
    if len(near) < len(choices.options) or not near or not near[0].amount.is_point:
        return None
    return clearly_nearest(
        [(entry.off, entry.option) for entry in near], "nearest amount", render_quantity(value)
    )


def _read(value: Quantity, choices: Choices) -> list[_Near]:
    """The amounts that the options state, and how far off each is."""
    read = _reader(value.unit, choices)
    signs = [sign_of(option.text) if value.unit in MEASURED else None for option in choices.options]
    both = {1, -1} <= set(signs)
    near = [
        _Near(option, amount, amount.distance(_seen(value, sign if amount.is_point else None, both=both)))
        for option, sign in zip(choices.options, signs, strict=True)
        for amount in read(option.text)
    ]
    finest = min((entry.amount.step for entry in near), default=1.0)
    return near + [
        _Near(option, Amount(0.0, 0.0, finest), abs(value.value))
        for option, sign in zip(choices.options, signs, strict=True)
        if sign == 0
    ]


def sign_of(text: str) -> int | None:
    """Which way an option says that a difference goes: 1 (more), -1 (less), 0 (there is none); None: it is not said."""
    digits = [index for index, char in enumerate(text) if char.isdigit()]
    if not digits:
        return 0 if has_phrase(text, phrases("sign", "equal")) else None
    behind = text[digits[-1] + 1 :]
    for entry, sign in (("more", 1), ("less", -1)):
        listed = phrases("sign", entry)
        if has_phrase(behind, listed) or has_phrase(text, [f"{phrase} by" for phrase in listed]):
            return sign
    return None


def _seen(value: Quantity, sign: int | None, *, both: bool) -> float:
    """A measured difference as an option counts it: with its sign where the options go both ways, else without."""
    if value.unit not in MEASURED:
        return value.value
    return value.value * sign if both and sign else abs(value.value)


def _reader(unit: str, choices: Choices) -> Callable[[str], tuple[Amount, ...]]:
    if unit == "s":
        bare = _bare_unit("s", choices.question.text)
        return lambda text: amounts.durations(text, bare_unit=bare)
    if unit == "m":
        bare = _bare_unit("m", choices.question.text)
        return lambda text: amounts.distances(text, bare_unit=bare)
    if unit == "m2":
        return amounts.areas
    if unit == "price_level":
        return amounts.prices
    return amounts.counts


def _bare_unit(unit: str, question: str) -> str | None:
    words = normalise(question).split()
    return next(
        (BARE_UNITS[unit][word] for word in words if word in BARE_UNITS[unit]), DEFAULT_UNITS.get(unit)
    )


def _tolerance(value: Quantity, amount: Amount, step: float) -> float:
    if value.unit == "rating":
        return step / 2 if step < 1 else 0.0
    if value.unit not in MEASURED:
        return ROUNDING
    return 0.0 if not amount.is_point else max(RELATIVE_TOLERANCE * amount.high, step / 2)


def _nearest_per_option(near: Sequence[_Near]) -> list[_Near]:
    """The nearest reading of each option, in ascending distance (ranges by width, narrow first)."""
    best: dict[int, _Near] = {}
    for entry in near:
        held = best.get(entry.option.index)
        if held is None or entry.off < held.off:
            best[entry.option.index] = entry
    return sorted(best.values(), key=lambda entry: (entry.off, entry.amount.high - entry.amount.low))


def _nearest(
    fitting: Sequence[_Near], known: Sequence[_Near], step: float, shown: str, told: float
) -> Match | NoMatch:
    """The nearest of those that fit; `told` is the unit of the last digit that is shown of the value."""
    best = fitting[0]
    twins = [entry.option for entry in fitting if same_text(entry.option.text, best.option.text)]
    others = [entry for entry in fitting if entry.option not in twins]
    tied = [entry.option for entry in others if not _clear(best, entry, step)]
    if tied:
        return tie([best.option, *tied], shown)
    next_off = min((entry.off for entry in known if entry.option not in twins), default=None)
    share = 1.0 if not next_off else 1 - best.off / (best.off + next_off)
    if others and best.off == others[0].off:
        share = TIGHT_SHARE  # nested ranges: both are true, the narrower says more
    found = chosen(twins, share, "amount")
    itself = best.off <= min(told, best.amount.step) / 2 + ROUNDING
    return found if itself else comes_nearest(found, shown)


def _clear(best: _Near, other: _Near, step: float) -> bool:
    if best.off == 0 and other.off == 0:
        return _inside(best.amount, other.amount)
    if best.amount.is_point and best.off < step / 2 <= other.off:
        return True
    return best.off <= CLEARLY_NEARER * other.off


def _inside(inner: Amount, outer: Amount) -> bool:
    """True if one range is truly a part of the other (a point is part of any range around it)."""
    return (
        outer.low <= inner.low
        and inner.high <= outer.high
        and (outer.low, outer.high) != (inner.low, inner.high)
    )


def _match_bearing(bearing: float, choices: Choices, shown: str) -> Match | NoMatch:
    near = []
    for option in choices.options:
        stated = amounts.degrees(option.text)
        angle = stated[0].low if stated else bearing_of(option.text)
        if angle is not None:
            off = angle_between(bearing, angle)
            near.append(_Near(option, Amount(angle, angle, 1 if stated else SECTOR_DEG), off))
    fitting = [entry for entry in _nearest_per_option(near) if entry.off <= SECTOR_DEG]
    if not fitting:
        return NoMatch(reason=f"None of the options is the direction {wind(bearing)} ({shown}).")
    return _nearest(fitting, _nearest_per_option(near), 1.0, shown, SECTOR_DEG)


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day in minutes after midnight; `either_half` if before or after noon is left open."""

    minutes: float
    either_half: bool

    def off(self, minutes: float) -> float:
        """Minutes between this time and another, the short way round the dial."""
        dial = HALF_DAY_MIN if self.either_half else DAY_MIN
        gap = (minutes - self.minutes) % dial
        return min(gap, dial - gap)


def clocks_in(text: str) -> tuple[Clock, ...]:
    """All times of day in a text, in order; a bare "10.13" is one only where it is the whole text."""
    stated = [(span.value, span.text) for span in find_clocks(text)]
    whole = parse_clock(text.strip()) if not stated else None
    if whole is not None:
        stated = [(whole, text.strip())]
    found = []
    for at, shown in stated:
        marked = HALF_OF_DAY.search(shown) or at.hour > 12 or at.hour == 0 or re.match(r"\s*0\d", shown)
        found.append(Clock(at.hour * 60 + at.minute, either_half=not marked))
    return tuple(found)


def match_clock(value: ClockTime, choices: Choices) -> Match | NoMatch:
    """The option that says this time of day, or the span of hours it lies in."""
    shown = value.at.strftime("%H:%M")
    near = _ranked(value, choices)
    fitting = [(off, option) for off, option in near if off <= TOLERANCE_MIN]
    if not fitting:
        return NoMatch(reason=f"None of the options is the time {shown}.")
    best_off, best = fitting[0]
    twins = [option for _, option in near if same_text(option.text, best.text)]
    others = [(off, option) for off, option in fitting if option not in twins]
    tied = [option for off, option in others if best_off > CLEARLY_NEARER * off or off == best_off]
    if tied:
        return tie([best, *tied], shown)
    next_off = min((off for off, option in near if option not in twins), default=None)
    share = 1.0 if not next_off else 1 - best_off / (best_off + next_off)
    found = chosen(twins, share, "time of day")
    return found if best_off < 1 else comes_nearest(found, shown)


def nearest_clock(value: ClockTime, choices: Choices) -> Match | None:
    """Of options that all state a time of day, the one that is clearly nearest, though none says it."""
    near = _ranked(value, choices)
    if len(near) < len(choices.options) or not near or len(clocks_in(near[0][1].text)) > 1:
        return None  # a time beside a span of hours is none of them
    return clearly_nearest(near, "nearest time of day", value.at.strftime("%H:%M"))


def _ranked(value: ClockTime, choices: Choices) -> list[tuple[float, Option]]:
    """How many minutes off each option is that states a time of day, the nearest first."""
    minutes = value.at.hour * 60 + value.at.minute + value.at.second / 60
    return sorted(
        ((off, option) for option in choices.options if (off := _off(option, minutes)) is not None),
        key=lambda entry: entry[0],
    )


def _off(option: Option, minutes: float) -> float | None:
    """Minutes from an option's time to `minutes`; 0 inside its span; None if it states no time."""
    spans = list(find_clocks(option.text))
    clocks = clocks_in(option.text)
    if not clocks:
        return None
    if len(clocks) == len(spans) == 2 and RANGE_MARK.fullmatch(option.text[spans[0].end : spans[1].start]):
        start, end = clocks[0].minutes, clocks[1].minutes
        if (minutes - start) % DAY_MIN < (end - start) % DAY_MIN:
            return 0.0
        return DAY_MIN
    return min(clock.off(minutes) for clock in clocks)
