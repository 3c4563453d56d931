"""The rides of a day and those around it, in the order in which a search scans them."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import cached_property
from itertools import pairwise

import numpy as np

from map_tools.transit.timetable import Ints, Timetable

type Foot = Sequence[Sequence[tuple[int, int]]]
"""By stop: where one can change to on foot, and the seconds that takes."""


@dataclass(frozen=True)
class Pattern:
    """Rides over the same stops, none of which overtakes another.

    Attributes:
        stops: In the order of the way.
        boards, leaves: Whether one may get on and off there.
        arrivals, departures: A row for each stop, a column for each ride; ascending along each row.
        trips: The trip of the timetable that each ride is.
    """

    stops: Sequence[int]
    boards: Sequence[bool]
    leaves: Sequence[bool]
    arrivals: Ints
    departures: Ints
    trips: Ints

    def next_ride(self, position: int, ready: int) -> int | None:
        """The first ride that leaves a stop at or after a time."""
        found = bisect_left(self.departures[position], ready)
        return found if found < self.departures.shape[1] else None

    def mirrored(self) -> "Pattern":
        """The same rides backwards in time: searched forwards they tell the latest departure."""
        return Pattern(
            stops=self.stops[::-1],
            boards=self.leaves[::-1],
            leaves=self.boards[::-1],
            arrivals=np.ascontiguousarray(-self.departures[::-1, ::-1]),
            departures=np.ascontiguousarray(-self.arrivals[::-1, ::-1]),
            trips=self.trips[::-1],
        )


class Network:
    """Patterns and changes on foot, as a search uses them."""

    def __init__(self, patterns: Sequence[Pattern], foot: Foot) -> None:
        self.patterns, self.foot = patterns, foot
        self.calls: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for number, pattern in enumerate(patterns):
            for position, stop in enumerate(pattern.stops):
                self.calls[stop].append((number, position))


class Day:
    """All that may be taken on a day: what began on days before is still on the road, the next day goes on.

    Times are seconds after the beginning of its service day, `zero` in seconds of the epoch.
    """

    def __init__(self, timetable: Timetable, day: int) -> None:
        self.zero = beginning(timetable, day)
        self.forwards = Network(list(_patterns(timetable, day, self.zero)), _foot(timetable))

    @cached_property
    def backwards(self) -> Network:
        """The same with times and ways turned round."""
        turned: list[list[tuple[int, int]]] = [[] for _ in self.forwards.foot]
        for start, ends in enumerate(self.forwards.foot):
            for end, seconds in ends:
                turned[end].append((start, seconds))
        return Network([pattern.mirrored() for pattern in self.forwards.patterns], turned)


def beginning(timetable: Timetable, day: int) -> int:
    """When a service day begins, in seconds of the epoch: twelve hours before noon, also where clocks change."""
    noon = datetime.combine(date.fromordinal(day), time(12), timetable.time_zone)
    return int(noon.timestamp()) - 43_200


def _foot(timetable: Timetable) -> Foot:
    first, to, took = (one.tolist() for one in (timetable.foot_first, timetable.foot_to, timetable.foot_s))
    return [list(zip(to[begin:past], took[begin:past], strict=True)) for begin, past in pairwise(first)]


def _patterns(timetable: Timetable, day: int, zero: int) -> Iterator[Pattern]:
    running = []
    for other in range(day - timetable.days_back, day + 2):
        number = other - timetable.first_day
        if 0 <= number < timetable.active.shape[1]:
            active = timetable.active[:, number][timetable.trip_service]
            running.append((active, beginning(timetable, other) - zero))
    firsts, trips = timetable.pattern_first.tolist(), timetable.pattern_trips.tolist()
    for number in range(len(firsts) - 1):
        stops = slice(firsts[number], firsts[number + 1])
        held = _rides(timetable, slice(trips[number], trips[number + 1]), stops.stop - stops.start, running)
        if held is not None:
            yield from _lanes(timetable, stops, *held)


def _rides(
    timetable: Timetable, trips: slice, length: int, running: list[tuple[np.ndarray, int]]
) -> tuple[Ints, Ints, Ints] | None:
    """Trips, arrivals and departures (a row for each ride) of a pattern on all days; None if there are none."""
    first = int(timetable.trip_times[trips.start])
    times = slice(first, first + (trips.stop - trips.start) * length)
    arrivals = timetable.arrivals[times].reshape(-1, length)
    departures = timetable.departures[times].reshape(-1, length)
    numbers, come, go = [], [], []
    for active, shift in running:
        rows = np.flatnonzero(active[trips])
        if len(rows):
            numbers.append(rows + trips.start)
            come.append(arrivals[rows] + shift)
            go.append(departures[rows] + shift)
    if not numbers:
        return None
    return tuple(np.concatenate(one).astype(np.int32) for one in (numbers, come, go))  # type: ignore[return-value]


def _lanes(
    timetable: Timetable, stops: slice, trips: Ints, arrivals: Ints, departures: Ints
) -> Iterator[Pattern]:
    """Patterns in which no ride overtakes another: a search takes the first to leave for the first to arrive."""
    lanes: list[list[int]] = []
    for row in np.lexsort((arrivals[:, -1], departures[:, 0])).tolist():
        for lane in lanes:
            last = lane[-1]
            if (arrivals[row] >= arrivals[last]).all() and (departures[row] >= departures[last]).all():
                lane.append(row)
                break
        else:
            lanes.append([row])
    for lane in lanes:
        yield Pattern(
            stops=timetable.pattern_stops[stops].tolist(),
            boards=timetable.boards[stops].tolist(),
            leaves=timetable.leaves[stops].tolist(),
            arrivals=np.ascontiguousarray(arrivals[lane].T),
            departures=np.ascontiguousarray(departures[lane].T),
            trips=trips[lane],
        )
