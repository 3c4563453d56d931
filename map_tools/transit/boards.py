"""What leaves from a stop, as a departure board has it."""

from collections.abc import Iterator, Sequence
from zoneinfo import ZoneInfo

import numpy as np

from map_tools.text import same_name
from map_tools.transit.days import Day
from map_tools.transit.footpaths import metres_to
from map_tools.transit.raptor import LONGEST_S, Leg
from map_tools.transit.telling import ride_of
from map_tools.transit.timetable import Timetable
from map_tools.types import LatLng, Ride

NAMED_WITHIN_M, WITHIN_M = 500.0, 150.0
"""The stops of a place: those of its name this near, else all that are as near as the second."""
MOST = 50


def stops_of(timetable: Timetable, place: LatLng, name: str) -> list[int]:
    """The stops that are meant by a place of the map."""
    metres = metres_to(timetable.stop_lats, timetable.stop_lngs, place)
    near = [int(stop) for stop in np.flatnonzero(metres <= NAMED_WITHIN_M)]
    named = [stop for stop in near if name and same_name(timetable.stop_names[stop], name)]
    return named or [stop for stop in near if metres[stop] <= WITHIN_M]


def departures(
    timetable: Timetable, day: Day, stops: Sequence[int], at: int, zone: ZoneInfo
) -> tuple[tuple[Ride, ...], bool]:
    """The next rides from some stops to the ends of their ways, in order, and whether that is all within a day.

    Args:
        timetable: The timetable.
        day: The rides around the moment.
        stops: The stops.
        at: The moment, in seconds after the day's beginning.
        zone: What times are told in.
    """
    found = sorted(leg for stop in stops for leg in _leaving(day, stop, at))
    rides = tuple(ride_of(timetable, day, leg, zone) for _, leg in found[:MOST])
    return rides, len(found) <= MOST


def _leaving(day: Day, stop: int, at: int) -> Iterator[tuple[int, Leg]]:
    for number, position in day.forwards.calls.get(stop, ()):
        pattern = day.forwards.patterns[number]
        last = max((place for place in range(len(pattern.stops)) if pattern.leaves[place]), default=0)
        if not pattern.boards[position] or last <= position:
            continue
        times = pattern.departures[position]
        first, past = np.searchsorted(times, np.array([at, at + LONGEST_S], dtype=times.dtype))
        for ride in range(int(first), min(int(past), int(first) + MOST + 1)):
            yield int(times[ride]), Leg(number, ride, position, last)
