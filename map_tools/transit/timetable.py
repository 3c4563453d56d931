"""A timetable as arrays: what is kept of a feed, in one file of a map's folder.

With it, the rides of a day and those around it in the order in which a search scans them, and where one can change
on foot, and how long that takes.
"""

import json
import zipfile
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime, time
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import numpy.typing as npt

from map_tools.errors import LimitError, MapStoreError
from map_tools.transit.info import TIMETABLE_FILE
from map_tools.types import LatLng

type Ints = npt.NDArray[np.int32]
type Floats = npt.NDArray[np.float64]
type Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Timetable:
    """Stops, and trips over them.

    A *pattern* is a sequence of stops that trips of one line have in common. The trips of pattern p are
    `pattern_trips[p]` to `pattern_trips[p + 1]`; its stops lie likewise in `pattern_stops`. The times of
    trip t at the n-th stop of its pattern are at `trip_times[t] + n`, in seconds after "noon minus 12 hours"
    of its service day; they may be more than a day.

    Attributes:
        zone: IANA zone of the times.
        first_day: Ordinal of the first service day (`date.toordinal`).
        stop_names, stop_ids: By stop.
        lines, vehicles: What the lines are called ("7"), and what goes there ("Tram"), by line.
        headsigns: By headsign.
        stop_lats, stop_lngs: Positions in degrees.
        boards, leaves: Parallel to `pattern_stops`: whether one may get on and off there.
        trip_line, trip_headsign, trip_service: By trip.
        arrivals, departures: All times.
        active: Services (rows) by day from `first_day` on.
        foot_first, foot_to, foot_s: From stop s one can change to `foot_to[foot_first[s]:foot_first[s + 1]]` on foot
            within `foot_s` seconds; to itself too.
    """

    zone: str
    first_day: int
    stop_names: tuple[str, ...]
    stop_ids: tuple[str, ...]
    lines: tuple[str, ...]
    vehicles: tuple[str, ...]
    headsigns: tuple[str, ...]
    stop_lats: Floats
    stop_lngs: Floats
    pattern_first: Ints
    pattern_stops: Ints
    boards: Flags
    leaves: Flags
    pattern_trips: Ints
    trip_line: Ints
    trip_headsign: Ints
    trip_service: Ints
    trip_times: npt.NDArray[np.int64]
    arrivals: Ints
    departures: Ints
    active: Flags
    foot_first: Ints
    foot_to: Ints
    foot_s: Ints

    @property
    def last_day(self) -> int:
        """Ordinal of the last service day."""
        return self.first_day + int(self.active.shape[1]) - 1

    @cached_property
    def days_back(self) -> int:
        """How many days before may still be on the road."""
        latest = int(self.arrivals.max(initial=0))
        return -(-latest // 86_400)

    @property
    def time_zone(self) -> ZoneInfo:
        """The zone of the times."""
        return ZoneInfo(self.zone)

    def position(self, stop: int) -> LatLng:
        """Where a stop is."""
        return LatLng(lat=float(self.stop_lats[stop]), lng=float(self.stop_lngs[stop]))

    def days(self) -> tuple[date, date]:
        """The first and the last service day."""
        return date.fromordinal(self.first_day), date.fromordinal(self.last_day)

    def save(self, folder: Path) -> None:
        """Writes it into a map's folder."""
        texts: dict[str, Any] = {}
        arrays: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            (arrays if isinstance(value, np.ndarray) else texts)[field.name] = value
        words = np.frombuffer(json.dumps(texts, ensure_ascii=False).encode("utf-8"), dtype=np.uint8)
        np.savez_compressed(folder / TIMETABLE_FILE, words=words, **arrays)

    @classmethod
    def load(cls, folder: Path) -> "Timetable":
        """Reads that of a map's folder.

        Raises:
            MapStoreError: The file is missing or damaged.
        """
        try:
            with (folder / TIMETABLE_FILE).open("rb") as stream, np.load(stream, allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            texts = json.loads(arrays.pop("words").tobytes())
            names = ("stop_names", "stop_ids", "lines", "vehicles", "headsigns")
            return cls(**{**texts, **{name: tuple(texts[name]) for name in names}}, **arrays)
        except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
            raise MapStoreError(
                f"The timetable at {folder / TIMETABLE_FILE} cannot be read.",
                "Build the map again with `mapagent map add FILE.osm.pbf --gtfs FEED.zip`.",
            ) from error


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


REACH_M = 500.0
"""Stops farther from each other than this, in a straight line, are not changed between."""
WALK_MPS = 1.3
"""4.7 km/h, an unhurried walk (Bohannon 1997 measured 1.3 to 1.5 m/s)."""
DETOUR = 1.3
"""A way through streets by its straight line: about the mean of towns (Ballou, Rahardja and Sakai 2002)."""
CHANGE_S = 60
"""What a change takes at least, at the same stop too."""
MOST_PAIRS = 20_000_000
METRES_A_DEGREE = 111_195.0

type Pair = tuple[int, int]


def metres_to(lats: Floats, lngs: Floats, place: LatLng) -> Floats:
    """How far positions are from a place, as the crow flies; good for some kilometres."""
    east = (lngs - place.lng + 180) % 360 - 180
    degrees: Floats = np.hypot(lats - place.lat, east * np.cos(np.radians(place.lat)))
    return degrees * METRES_A_DEGREE


def footpaths(lats: Floats, lngs: Floats, given: Mapping[Pair, int | None]) -> tuple[Ints, Ints, Ints]:
    """All changes on foot, as `Timetable.foot_first`, `.foot_to` and `.foot_s`.

    Args:
        lats: The stops' latitudes.
        lngs: Their longitudes.
        given: Seconds that the feed itself gives for a change; None: it cannot be made.

    Raises:
        LimitError: More than `MOST_PAIRS` stops are near each other.
    """
    own: dict[int, dict[int, int | None]] = {}
    for (start, end), seconds in given.items():
        own.setdefault(start, {})[end] = seconds
    order = np.argsort(lats, kind="stable")
    sorted_lats = lats[order]
    reach_deg = REACH_M / METRES_A_DEGREE
    firsts = np.searchsorted(sorted_lats, lats - reach_deg)
    pasts = np.searchsorted(sorted_lats, lats + reach_deg, side="right")
    ends: list[Ints] = []
    times: list[Ints] = []
    total = 0
    for stop in range(len(lats)):
        near = order[firsts[stop] : pasts[stop]]
        metres = metres_to(lats[near], lngs[near], LatLng(lat=float(lats[stop]), lng=float(lngs[stop])))
        kept = metres <= REACH_M
        lasts = np.maximum(np.ceil(metres[kept] * DETOUR / WALK_MPS), CHANGE_S)
        to, took = near[kept].astype(np.int32), lasts.astype(np.int32)
        if stop in own:
            to, took = _with_given(to, took, own[stop])
        total += len(near)
        if total > MOST_PAIRS:
            raise LimitError("The feed has too many stops beside each other.", "Give a feed of one region.")
        ends.append(to)
        times.append(took)
    counts = np.array([len(one) for one in ends], dtype=np.int32)
    first = np.concatenate(([0], np.cumsum(counts))).astype(np.int32)
    empty = np.zeros(0, dtype=np.int32)
    return first, np.concatenate([*ends, empty]), np.concatenate([*times, empty])


def _with_given(to: Ints, took: Ints, own: Mapping[int, int | None]) -> tuple[Ints, Ints]:
    """What the feed says of changes goes before what is estimated."""
    table: dict[int, int | None] = {**dict(zip(to.tolist(), took.tolist(), strict=True)), **own}
    kept = {end: seconds for end, seconds in table.items() if seconds is not None}
    return np.array(list(kept), dtype=np.int32), np.array(list(kept.values()), dtype=np.int32)
