"""Matching times of day: "1:37 PM", "13.37", "5:00 AM - 7:00 AM"."""

import re
from dataclasses import dataclass

from map_tools.compute.quantities import find_clocks, parse_clock
from mapagent.core.answer import ClockTime
from modules.answer_generator.matching.outcome import (
    Choices,
    Match,
    NoMatch,
    Option,
    chosen,
    clearly_nearest,
    comes_nearest,
    same_text,
    tie,
)

DAY_MIN = 24 * 60
HALF_DAY_MIN = 12 * 60
TOLERANCE_MIN = 3.0
"""Sums of printed travel times carry a rounding of half a minute a leg; six legs are as many as a day has."""

CLEARLY_NEARER = 0.75
"""The nearest option must be at most this share of the next one's distance away."""

RANGE_MARK = re.compile(r"\s*(?:-|–|—|to|until|till|and)\s*", re.IGNORECASE)
HALF_OF_DAY = re.compile(r"(?<![a-z])([ap])\.?\s*m\b|noon|midnight|midday", re.IGNORECASE)


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
