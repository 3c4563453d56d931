"""Works out right answers about straight lines, ways and trips from the raw data of a map.

A leg of a trip is (mode, from, to), with Valhalla's name of the mode.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tests.e2e.cases import Both, Clock, Counts, Exactly, Feet, Lists, Metres, Minutes, Says, YesNo, minute_of
from tests.e2e.truth import MARGIN_M, NotClearError, RawMap, best_order

WINDS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")
NARROW_MIN = 2.5
"""Whether there is time enough is only asked where more than this is left or lacking."""

type Leg = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Ways:
    """All ways to work out an answer about distances and times."""

    raw: RawMap

    # straight lines

    def straight(self, start: str, end: str, *, miles: bool = False) -> Metres:
        return Metres(self.raw.metres(start, end), miles=miles)

    def feet(self, start: str, end: str) -> Feet:
        return Feet(self.raw.metres(start, end))

    def farther_than(self, limit_m: float, start: str, end: str) -> YesNo:
        return YesNo(self.raw.metres(start, end) > limit_m)

    def wind(self, start: str, end: str) -> Exactly:
        """In which of the eight directions `end` lies from `start`."""
        return Exactly(self._wind(start, end))

    def is_wind(self, start: str, end: str, wind: str) -> YesNo:
        return YesNo(self._wind(start, end) == wind)

    def way_and_wind(self, start: str, end: str) -> Both:
        return Both((Metres(self.raw.metres(start, end)), Says((self._wind(start, end),))))

    def closest(self, anchor: str, *places: str) -> Exactly:
        return Exactly(self._by_distance(anchor, places)[0])

    def farthest(self, anchor: str, *places: str) -> Exactly:
        return Exactly(self._by_distance(anchor, places)[-1])

    def by_distance(self, anchor: str, *places: str) -> Lists:
        return Lists(self._by_distance(anchor, places), ordered=True)

    def closer_than(self, place: str, other: str, anchor: str) -> YesNo:
        return YesNo(self.raw.metres(anchor, place) < self.raw.metres(anchor, other))

    def of_these_within(self, reach_m: float, anchor: str, *places: str) -> Lists:
        return Lists(tuple(self._these_within(reach_m, anchor, places)))

    def count_beyond(self, reach_m: float, anchor: str, *places: str) -> Counts:
        return Counts(len(places) - len(self._these_within(reach_m, anchor, places)))

    def between(self, start: str, end: str, *places: str) -> Exactly:
        """The place that makes the smallest detour."""
        raw = self.raw
        detours = sorted((raw.metres(start, place) + raw.metres(place, end), place) for place in places)
        assert detours[0][0] < 1.2 * raw.metres(start, end)
        assert detours[1][0] > 1.5 * raw.metres(start, end)
        return Exactly(detours[0][1])

    def closest_pair(self, *pairs: str) -> Exactly:
        """The pair ("A and B") whose places are nearest to each other."""
        gaps = sorted((self.raw.metres(*pair.split(" and ")), pair) for pair in pairs)
        assert gaps[1][0] - gaps[0][0] > 2 * MARGIN_M
        return Exactly(gaps[0][1])

    # ways

    def takes(self, mode: str, *stops: str) -> Minutes:
        return Minutes(self.raw.minutes(mode, *stops))

    def takes_less(self, limit_min: float, mode: str, start: str, end: str) -> YesNo:
        return YesNo(self.raw.minutes(mode, start, end) < limit_min)

    def road(self, mode: str, *stops: str, miles: bool = False) -> Metres:
        """The length of the way over all stops."""
        return Metres(self.raw.road_metres(mode, *stops), miles=miles)

    def shorter(self, limit_m: float, mode: str, start: str, end: str) -> YesNo:
        return YesNo(self.raw.road_metres(mode, start, end) < limit_m)

    def faster(self, start: str, end: str, one: str, other: str) -> YesNo:
        return YesNo(self.raw.minutes(one, start, end) < self.raw.minutes(other, start, end))

    def fastest_mode(self, start: str, end: str, **words: str) -> Says:
        """The word for the mode that takes the least time, by more than a minute."""
        times = sorted((self.raw.minutes(mode, start, end), word) for mode, word in words.items())
        return Says((_leader(times),))

    def slower_by(self, start: str, end: str, slow: str, fast: str) -> Minutes:
        return Minutes(self._slower_by(start, end, slow, fast), 1.6)

    def slower_by_more(self, limit_min: float, start: str, end: str, slow: str, fast: str) -> YesNo:
        return YesNo(self._slower_by(start, end, slow, fast) > limit_min)

    def quickest(self, mode: str, start: str, *places: str) -> Exactly:
        """The place that is reached first, by more than a minute."""
        return Exactly(_leader(self._times(mode, start, places)))

    def by_time(self, mode: str, start: str, *places: str) -> Lists:
        """The places in the order they can be reached."""
        times = self._times(mode, start, places)
        assert all(b[0] - a[0] > 0.5 for a, b in pairwise(times))
        return Lists(tuple(place for _, place in times), ordered=True)

    def main_street(self, start: str, end: str) -> Exactly:
        """The street that most of the drive runs on."""
        return Exactly(self.raw.main_street("auto", start, end))

    def step_after(self, mode: str, start: str, end: str, street: str, found: str) -> Exactly:
        """The street that the instruction after the one onto `street` leads onto, read by hand."""
        steps = self.raw.steps(mode, start, end)
        onto = [index for index, step in enumerate(steps) if street in step]
        if len(onto) != 1 or found not in steps[onto[0] + 1]:
            raise NotClearError(f"the route is another one: {steps}")
        return Exactly(found)

    def reads(self, mode: str, start: str, end: str, instruction: str, words: str) -> Exactly:
        """What was read by hand out of an instruction, which is checked to be part of the route still."""
        if sum(instruction in step for step in self.raw.steps(mode, start, end)) != 1:
            raise NotClearError(f"no {instruction!r}")
        return Exactly(words)

    # trips: legs and minutes of stays

    def lasts(self, *legs: Leg, stay: float = 0.0) -> Minutes:
        return Minutes(self._total(legs, stay), 2.1)

    def time_left(self, limit_min: float, *legs: Leg) -> Minutes:
        return Minutes(limit_min - self._total(legs), 2.1)

    def arrives(self, start: str, *legs: Leg, stay: float = 0.0, tolerance_min: float = 2.1) -> Clock:
        return Clock(minute_of(start) + self._total(legs, stay), tolerance_min)

    def leave_by(self, arrive: str, *legs: Leg, stay: float = 0.0) -> Clock:
        """The latest time of departure."""
        return Clock(minute_of(arrive) - self._total(legs, stay), 2.1)

    def enough(self, limit_min: float, *legs: Leg, stay: float = 0.0) -> YesNo:
        """Whether all of it takes less than the limit, with no narrow margin."""
        needed = self._total(legs, stay)
        if abs(needed - limit_min) < NARROW_MIN:
            raise NotClearError(f"{needed:.1f} min of {limit_min} is too narrow")
        return YesNo(needed < limit_min)

    def in_time(self, start: str, deadline: str, *legs: Leg, stay: float = 0.0) -> YesNo:
        """As `enough`, between two times of day."""
        return self.enough(minute_of(deadline) - minute_of(start), *legs, stay=stay)

    def order(self, mode: str, start: str, stops: Sequence[str], arrow: str = " -> ") -> Exactly:
        """The quickest order."""
        return Exactly(arrow.join(self._best_order(mode, start, stops)))

    def first_of_order(self, mode: str, start: str, stops: Sequence[str]) -> Exactly:
        return Exactly(self._best_order(mode, start, stops)[0])

    def rests_on(self, words: str, *totals: tuple[float, float, float, Leg, Leg]) -> Exactly:
        """What was reckoned by hand from totals, each given as its limits, the stay and its legs."""
        for low, high, stay, *legs in totals:
            assert low < self._total(legs, stay) < high
        return Exactly(words)

    def _wind(self, start: str, end: str) -> str:
        eighths = self.raw.bearing(start, end) / 45
        if abs(eighths - round(eighths)) > 0.4:
            raise NotClearError(f"{end!r} lies between two directions from {start!r}")
        return WINDS[round(eighths) % 8]

    def _by_distance(self, anchor: str, places: Sequence[str]) -> tuple[str, ...]:
        gaps = sorted((self.raw.metres(anchor, place), place) for place in places)
        assert all(b[0] - a[0] > MARGIN_M for a, b in pairwise(gaps))
        return tuple(place for _, place in gaps)

    def _these_within(self, reach_m: float, anchor: str, places: Sequence[str]) -> list[str]:
        gaps = {place: self.raw.metres(anchor, place) for place in places}
        assert all(abs(gap - reach_m) > 0.02 * reach_m for gap in gaps.values())
        return [place for place, gap in gaps.items() if gap < reach_m]

    def _times(self, mode: str, start: str, places: Sequence[str]) -> list[tuple[float, str]]:
        return sorted((self.raw.minutes(mode, start, place), place) for place in places)

    def _slower_by(self, start: str, end: str, slow: str, fast: str) -> float:
        return self.raw.minutes(slow, start, end) - self.raw.minutes(fast, start, end)

    def _total(self, legs: Sequence[Leg], stay_min: float = 0.0) -> float:
        return stay_min + sum(self.raw.minutes(mode, start, end) for mode, start, end in legs)

    def _best_order(self, mode: str, start: str, stops: Sequence[str]) -> list[str]:
        return best_order(lambda a, b: self.raw.minutes(mode, a, b), start, stops)


def _leader(times: list[tuple[float, str]]) -> str:
    if times[1][0] - times[0][0] <= 1:
        raise NotClearError(f"as soon: {times}")
    return times[0][1]
