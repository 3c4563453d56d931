"""Ways to work out right answers that the questions of this set share."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tests.e2e.cases import (
    Clock,
    Counts,
    Exactly,
    Expected,
    Judge,
    Lists,
    Metres,
    Minutes,
    Says,
    YesNo,
    moment,
    names,
)
from tests.e2e.tellers import Teller, others
from tests.e2e.test_geometry import wind
from tests.e2e.test_trips import Leg, total
from tests.e2e.truth import MARGIN_M, NotClearError, RawMap, Rule, Thing

type Rules = dict[str, Rule]

NARROW_MIN = 2.5
"""A deadline is only asked about where it is met or missed by more than this."""


@dataclass(frozen=True, slots=True)
class Both(Judge):
    """Two answers in one text."""

    parts: tuple[Judge, ...]

    def fits(self, text: str) -> bool:
        return all(part.fits(text) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Feet(Judge):
    """A length said in feet."""

    metres: float

    def fits(self, text: str) -> bool:
        found = re.search(r"(\d[\d,]*)\s*(ft|feet)\b", text)
        return (
            found is not None
            and abs(int(found.group(1).replace(",", "")) * 0.3048 - self.metres) <= 0.06 * self.metres
        )


def both(*tellers: Teller) -> Teller:
    """The answer tells all of these."""
    return lambda raw: Both(tuple(tell(raw) for tell in tellers))  # type: ignore[misc]


def says_nearest(anchor: str, **rules: Rule) -> Teller:
    """The answer names the nearest."""
    return lambda raw: Says((raw.nearest(anchor, others(raw, anchor, **rules)).name,))


def open_ones(raw: RawMap, day: str, time: str, **rules: Rule) -> list[Thing]:
    """The objects that obey the rules and state hours that are open then."""
    return [thing for thing in raw.all(**rules) if thing.open_at(moment(day, time))]


def minutes_to_nearest(mode: str, anchor: str, among: Callable[[RawMap], Sequence[Thing]]) -> Teller:
    """The answer is the time to the nearest, which is the first to be reached as well."""

    def tell(raw: RawMap) -> Expected:
        near = raw.nearest_few(anchor, among(raw), 2)
        times = [raw.minutes(mode, anchor, thing) for thing in near]
        if min(times) < times[0]:
            raise NotClearError(f"another one is reached sooner: {times}")
        return Minutes(times[0])

    return tell


def in_time(leave_min: float, deadline_min: float, *legs: Leg, stay: float = 0.0) -> Teller:
    """Yes if the last leg ends before the deadline (both in minutes after midnight)."""

    def tell(raw: RawMap) -> Expected:
        there = leave_min + total(raw, legs, stay)
        if abs(there - deadline_min) < NARROW_MIN:
            raise NotClearError(f"{there:.1f} is too close to {deadline_min}")
        return YesNo(there < deadline_min)

    return tell


def arrives(leave_min: float, *legs: Leg, stay: float = 0.0) -> Teller:
    """The answer is the time of arrival."""
    return lambda raw: Clock(leave_min + total(raw, legs, stay), 2.1)


def more_of(anchor: str, radius_m: float, one: tuple[str, Rules], other: tuple[str, Rules]) -> Teller:
    """The word for the kind there is more of."""

    def tell(raw: RawMap) -> Expected:
        first, second = (
            len(raw.within(anchor, others(raw, anchor, **rules), radius_m)) for _, rules in (one, other)
        )
        assert first != second
        return Says((one[0] if first > second else other[0],))

    return tell


def count_open(anchor: str, radius_m: float, day: str, time: str, **rules: Rule) -> Teller:
    """How many within a radius are open."""
    return lambda raw: Counts(len(raw.within(anchor, open_ones(raw, day, time, **rules), radius_m)))


def list_open(anchor: str, radius_m: float, day: str, time: str, **rules: Rule) -> Teller:
    """Those within a radius that are open."""
    return lambda raw: names(raw.within(anchor, open_ones(raw, day, time, **rules), radius_m))


def nearest_open(anchor: str, day: str, time: str, **rules: Rule) -> Teller:
    """The nearest of those open, the anchor aside."""
    return lambda raw: Exactly(
        raw.nearest(anchor, [t for t in open_ones(raw, day, time, **rules) if t.name != anchor]).name
    )


def closer(anchor: str, *places: str) -> Teller:
    """The place nearest to the anchor."""

    def tell(raw: RawMap) -> Expected:
        gaps = sorted((raw.metres(anchor, place), place) for place in places)
        if gaps[1][0] - gaps[0][0] < MARGIN_M:
            raise NotClearError("as far away")
        return Exactly(gaps[0][1])

    return tell


def further(anchor: str, *places: str) -> Teller:
    """The place farthest from the anchor."""
    return lambda raw: Exactly(max(places, key=lambda place: raw.metres(anchor, place)))


def sooner(mode: str, start: str, *places: str) -> Teller:
    """The place reached first."""

    def tell(raw: RawMap) -> Expected:
        times = sorted((raw.minutes(mode, start, place), place) for place in places)
        if times[1][0] - times[0][0] < 1:
            raise NotClearError(f"as soon: {times}")
        return Exactly(times[0][1])

    return tell


def in_order(start: str, *places: str) -> Teller:
    """The places by distance from the start."""
    return lambda raw: Lists(tuple(sorted(places, key=lambda place: raw.metres(start, place))), ordered=True)


def slower_by(start: str, end: str, slow: str, fast: str) -> Teller:
    """How many minutes longer one mode takes."""
    return lambda raw: Minutes(raw.minutes(slow, start, end) - raw.minutes(fast, start, end), 1.6)


def rules_of(key: str, *values: str, **more: Rule) -> Rules:
    """Rules that ask one key for one of several values."""
    return {key: values if len(values) > 1 else values[0], **more}


def way_and_wind(start: str, end: str) -> Teller:
    """The answer tells how far and in which direction."""
    return lambda raw: Both((Metres(raw.metres(start, end)), Says((wind(raw, start, end),))))
