"""Searches a timetable in rounds (RAPTOR).

D. Delling, T. Pajor and R. F. Werneck, "Round-Based Public Transit Routing", ALENEX 2012.

Round k finds for each stop the earliest arrival with k rides. Walks between stops follow rides only.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from map_tools.transit.timetable import Day, Network

MOST_RIDES = 6
"""Rides of a journey; five changes."""
LONGEST_S = 86_400
"""A journey ends at most so long after one asks to leave."""


@dataclass(frozen=True, slots=True, order=True)
class Leg:
    """A ride: the pattern of `Day.forwards`, its ride, and where one gets on and off."""

    pattern: int
    ride: int
    board: int
    leave: int


@dataclass(frozen=True, slots=True)
class Journey:
    """Rides in order; `first_s` and `last_s` are the walks to the first and from the last of them."""

    legs: tuple[Leg, ...]
    depart: int
    arrive: int
    first_s: int
    last_s: int


@dataclass(frozen=True, slots=True)
class _Ready:
    """One can board at a stop from a time on; `after` is the ride before, None at the start."""

    time: int
    after: "_Ride | None"


@dataclass(frozen=True, slots=True)
class _Ride:
    """One comes to a stop at a time."""

    time: int
    leg: Leg
    before: _Ready


def earliest(
    day: Day, start: Mapping[int, int], end: Mapping[int, int], depart: int, *, rides: int = MOST_RIDES
) -> list[Journey]:
    """The earliest arrivals for a departure with ever more rides, each with the latest departure that keeps it.

    Args:
        day: The rides.
        start: Stops that one can walk to, and the seconds that takes.
        end: Stops that one can walk from to where one wants to be.
        depart: Seconds after the day's beginning.
        rides: At most so many.
    """
    found = []
    for count, arrive in _best(day.forwards, start, end, depart, rides):
        held = _last(day, start, end, arrive[0], count)
        if held is not None:
            found.append(held)
    return found


def latest(
    day: Day, start: Mapping[int, int], end: Mapping[int, int], arrive: int, *, rides: int = MOST_RIDES
) -> list[Journey]:
    """The latest departures for an arrival with ever more rides, each with the earliest arrival that it has."""
    found = []
    for count, (turned, _, _) in _best(day.backwards, end, start, -arrive, rides):
        held = next(reversed([*_best(day.forwards, start, end, -turned, count)]), None)
        if held is not None:
            found.append(_journey(day, start, end, _legs(held[1][1])))
    return found


def _last(
    day: Day, start: Mapping[int, int], end: Mapping[int, int], arrive: int, rides: int
) -> Journey | None:
    held = next(reversed([*_best(day.backwards, end, start, -arrive, rides)]), None)
    if held is None:
        return None
    legs = [_turned(day, leg) for leg in reversed(_legs(held[1][1]))]
    return _journey(day, start, end, legs)


def _turned(day: Day, leg: Leg) -> Leg:
    """A ride of the mirrored network as it is."""
    pattern = day.forwards.patterns[leg.pattern]
    last, rides = len(pattern.stops) - 1, pattern.departures.shape[1]
    return Leg(leg.pattern, rides - 1 - leg.ride, last - leg.leave, last - leg.board)


def _legs(ride: _Ride | None) -> list[Leg]:
    legs: list[Leg] = []
    while ride is not None:
        legs.append(ride.leg)
        ride = ride.before.after
    return legs[::-1]


def _journey(day: Day, start: Mapping[int, int], end: Mapping[int, int], legs: list[Leg]) -> Journey:
    first, last = legs[0], legs[-1]
    boarded, left = day.forwards.patterns[first.pattern], day.forwards.patterns[last.pattern]
    first_s, last_s = start[boarded.stops[first.board]], end[left.stops[last.leave]]
    return Journey(
        legs=tuple(legs),
        depart=int(boarded.departures[first.board, first.ride]) - first_s,
        arrive=int(left.arrivals[last.leave, last.ride]) + last_s,
        first_s=first_s,
        last_s=last_s,
    )


def _best(
    network: Network, start: Mapping[int, int], end: Mapping[int, int], depart: int, rides: int
) -> Iterator[tuple[int, tuple[int, _Ride, int]]]:
    """Whenever one more ride arrives earlier: how many rides, and the arrival, the last ride and its stop."""
    ready = {stop: _Ready(depart + seconds, None) for stop, seconds in start.items()}
    arrived: dict[int, int] = {}
    best, marked = depart + LONGEST_S + 1, set(ready)
    for count in range(1, rides + 1):
        found = _ridden(network, ready, marked, arrived, best)
        target: tuple[int, _Ride, int] | None = None
        for stop, ride in found.items():
            if stop in end and ride.time + end[stop] < best:
                best = ride.time + end[stop]
                target = best, ride, stop
        if target is not None:
            yield count, target
        marked = set()
        for stop, ride in found.items():
            for other, seconds in network.foot[stop]:
                known = ready.get(other)
                if ride.time + seconds < best and (known is None or ride.time + seconds < known.time):
                    ready[other] = _Ready(ride.time + seconds, ride)
                    marked.add(other)
        if not marked:
            return


def _passing(network: Network, stops: set[int]) -> dict[int, int]:
    """The patterns that pass some stops, each with its first position there."""
    firsts: dict[int, int] = {}
    for stop in stops:
        for number, position in network.calls.get(stop, ()):
            if position < firsts.get(number, position + 1):
                firsts[number] = position
    return firsts


def _ridden(
    network: Network, ready: Mapping[int, _Ready], marked: set[int], arrived: dict[int, int], best: int
) -> dict[int, _Ride]:
    """One ride more: the stops that are reached earlier than before, and how."""
    found: dict[int, _Ride] = {}
    for number, first in _passing(network, marked).items():
        pattern = network.patterns[number]
        ride, board, before = None, 0, None
        for position in range(first, len(pattern.stops)):
            stop = pattern.stops[position]
            if ride is not None and before is not None and pattern.leaves[position]:
                time = int(pattern.arrivals[position, ride])
                if time < best and time < arrived.get(stop, time + 1):
                    arrived[stop] = time
                    found[stop] = _Ride(time, Leg(number, ride, board, position), before)
            waiting = ready.get(stop)
            if waiting is None or not pattern.boards[position]:
                continue
            if ride is None or waiting.time <= pattern.departures[position, ride]:
                other = pattern.next_ride(position, waiting.time)
                if other is not None and (ride is None or other < ride):
                    ride, board, before = other, position, waiting
    return found
