"""Reads a GTFS feed into a timetable (https://gtfs.org/documentation/schedule/reference/)."""

from array import array
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np

from map_tools.clock import Clock, SystemClock
from map_tools.files import file_sha256
from map_tools.transit.archive import FeedArchive, read_calendar
from map_tools.transit.info import TimetableInfo
from map_tools.transit.timetable import Ints, Timetable, footpaths
from map_tools.types import Box

LATEST_S = 72 * 3600
"""Times of a service day that are later than this are broken."""
MOST_STOP_TIMES = 20_000_000
MOST_TRIPS = 3_000_000
MOST_STOPS = 1_000_000
MOST_CHANGES = 5_000_000
"""Pairs of stops that a feed may give changes for."""
NO_TIME = -1
VEHICLES = {
    0: "Tram", 1: "Metro", 2: "Train", 3: "Bus", 4: "Ferry", 5: "Cable tram", 6: "Cable car", 7: "Funicular",
    11: "Trolleybus", 12: "Monorail",
}  # fmt: skip
_EXTENDED = {
    1: "Train",
    2: "Coach",
    4: "Metro",
    7: "Bus",
    8: "Trolleybus",
    9: "Tram",
    10: "Ferry",
    14: "Funicular",
}
"""The hundreds of the extended route types (https://developers.google.com/transit/gtfs/reference/extended-route-types)."""
_NO, _SET_TIME, _NOT_POSSIBLE = "1", "2", "3"


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed that was read."""

    timetable: Timetable
    info: TimetableInfo


def read_feed(path: Path, *, box: Box, zone: str, clock: Clock | None = None) -> Feed:
    """Reads and checks a feed.

    Args:
        path: The zip file.
        box: What the map covers.
        zone: The map's IANA zone, for a feed that names none.
        clock: Tells today; a very long calendar is cut around it.

    Raises:
        InputFileError: It is missing, damaged or incomplete, its times or calendar are broken, or none of its stops
            lies on the map.
    """
    with FeedArchive(path) as archive:
        today = (clock or SystemClock()).now().date().toordinal()
        return _Reading(archive, zone).feed(path, box, today)


class _Reading:
    def __init__(self, archive: FeedArchive, zone: str) -> None:
        self._archive = archive
        self._zone = zone
        self._publishers: tuple[str, ...] = ()
        self._stops: dict[str, int] = {}
        self._parents: dict[str, list[int]] = defaultdict(list)
        self._names: list[str] = []
        self._places: list[tuple[float, float]] = []
        self._lines: list[tuple[str, str]] = []
        self._trips: dict[str, int] = {}
        self._trip_line = array("i")
        self._trip_headsign = array("i")
        self._trip_service = array("i")
        self._headsigns: dict[str, int] = {}
        self._services: dict[str, int] = {}

    def feed(self, path: Path, box: Box, today: int) -> Feed:
        """The whole feed."""
        self._read_agencies()
        self._read_stops()
        lines = self._read_lines()
        self._read_trips(lines)
        patterns = self._patterns()
        first_day, active = read_calendar(self._archive, self._services, today)
        inside = self._on_map(box)
        lats, lngs = (np.array(one, dtype=np.float64) for one in zip(*self._places, strict=True))
        foot_first, foot_to, foot_s = footpaths(lats, lngs, dict(self._transfers()))
        timetable = Timetable(
            zone=self._zone,
            first_day=first_day,
            stop_names=tuple(self._names),
            stop_ids=tuple(self._stops),
            lines=tuple(name for name, _ in self._lines),
            vehicles=tuple(vehicle for _, vehicle in self._lines),
            headsigns=tuple(self._headsigns),
            stop_lats=lats,
            stop_lngs=lngs,
            active=active,
            foot_first=foot_first,
            foot_to=foot_to,
            foot_s=foot_s,
            **patterns,
        )
        first, last = timetable.days()
        info = TimetableInfo(
            source_file=path.name,
            source_sha256=file_sha256(path),
            publishers=self._publishers,
            first_day=first.isoformat(),
            last_day=last.isoformat(),
            counts={
                "stops": len(self._names),
                "stops_on_map": inside,
                "lines": len(self._lines),
                "trips": len(timetable.trip_line),
                "services": len(self._services),
            },
        )
        return Feed(timetable, info)

    def _read_agencies(self) -> None:
        agencies = [row for _, row in self._archive.rows("agency", ("agency_name", "agency_timezone"))]
        self._publishers = tuple(dict.fromkeys(row["agency_name"].strip() for row in agencies))
        named = next(
            (row["agency_timezone"].strip() for row in agencies if row["agency_timezone"].strip()), ""
        )
        try:
            self._zone = str(ZoneInfo(named or self._zone))
        except (ValueError, OSError) as error:  # ZoneInfoNotFoundError is a KeyError with some sources
            raise self._archive.wrong(f"'{named[:40]}' is no time zone") from error
        except KeyError as error:
            raise self._archive.wrong(f"'{named[:40]}' is no time zone") from error

    def _read_stops(self) -> None:
        for line, row in self._archive.rows("stops", ("stop_id", "stop_name", "stop_lat", "stop_lon")):
            if row.get("location_type", "").strip() not in {"", "0"}:
                continue  # stations, entrances and the like: nothing stops there
            at = _position(row["stop_lat"], row["stop_lon"])
            if at is None:
                raise self._archive.wrong(f"the stop in line {line} of stops.txt has no valid position")
            stop = row["stop_id"].strip()
            parent = row.get("parent_station", "").strip()
            if parent:
                self._parents[parent].append(len(self._names))
            if stop in self._stops:
                raise self._archive.wrong(f"the stop '{stop[:40]}' stands twice in stops.txt")
            if len(self._names) >= MOST_STOPS:
                raise self._archive.wrong(f"it has more than {MOST_STOPS} stops")
            self._stops[stop] = len(self._names)
            self._names.append(row["stop_name"].strip() or stop)
            self._places.append(at)
        if not self._stops:
            raise self._archive.wrong("stops.txt has no stops")

    def _on_map(self, box: Box) -> int:
        """How many stops lie on the map."""
        inside = sum(box.south <= lat <= box.north and _between(lng, box) for lat, lng in self._places)
        if not inside:
            raise self._archive.wrong(f"none of its {len(self._places)} stops lies on the map")
        return inside

    def _read_lines(self) -> dict[str, int]:
        lines: dict[str, int] = {}
        for _, row in self._archive.rows("routes", ("route_id", "route_type")):
            name = row.get("route_short_name", "").strip() or row.get("route_long_name", "").strip()
            route = row["route_id"].strip()
            if route in lines:
                raise self._archive.wrong(f"the route '{route[:40]}' stands twice in routes.txt")
            lines[route] = len(self._lines)
            self._lines.append((name, vehicle_of(row["route_type"].strip())))
        return lines

    def _read_trips(self, lines: Mapping[str, int]) -> None:
        for number, row in self._archive.rows("trips", ("route_id", "service_id", "trip_id")):
            line = lines.get(row["route_id"].strip())
            if line is None:
                raise self._archive.wrong(
                    f"line {number} of trips.txt names a route that routes.txt does not have"
                )
            trip = row["trip_id"].strip()
            if trip in self._trips:
                raise self._archive.wrong(f"the trip '{trip[:40]}' stands twice in trips.txt")
            self._trips[trip] = len(self._trip_line)
            self._trip_line.append(line)
            headsign = row.get("trip_headsign", "").strip()
            self._trip_headsign.append(self._headsigns.setdefault(headsign, len(self._headsigns)))
            service = row["service_id"].strip()
            self._trip_service.append(self._services.setdefault(service, len(self._services)))
            if len(self._trip_line) > MOST_TRIPS:
                raise self._archive.wrong(f"it has more than {MOST_TRIPS} trips")

    def _stop_times(self) -> tuple[Ints, ...]:
        """Trip, stop, arrival, departure, boarding and leaving of all stop times, in order."""
        trips, orders, stops = array("i"), array("i"), array("i")
        arrivals, departures = array("i"), array("i")
        boards, leaves = array("i"), array("i")
        columns = ("trip_id", "stop_id", "stop_sequence", "arrival_time", "departure_time")
        for line, row in self._archive.rows("stop_times", columns):
            trip, stop = self._trips.get(row["trip_id"].strip()), self._stops.get(row["stop_id"].strip())
            order = row["stop_sequence"].strip()
            if trip is None or stop is None or not order.isdecimal() or len(order) > 9:
                what = "trip" if trip is None else "stop" if stop is None else "place in the sequence"
                raise self._archive.wrong(f"line {line} of stop_times.txt has an unknown {what}")
            arrive, depart = self._time(row["arrival_time"], line), self._time(row["departure_time"], line)
            arrive, depart = (
                (depart if arrive == NO_TIME else arrive),
                (arrive if depart == NO_TIME else depart),
            )
            if depart < arrive:
                raise self._archive.wrong(f"in line {line} of stop_times.txt a trip leaves before it arrives")
            trips.append(trip)
            orders.append(int(order))
            stops.append(stop)
            arrivals.append(arrive)
            departures.append(depart)
            boards.append(row.get("pickup_type", "").strip() != _NO)
            leaves.append(row.get("drop_off_type", "").strip() != _NO)
            if len(trips) > MOST_STOP_TIMES:
                raise self._archive.wrong(f"it has more than {MOST_STOP_TIMES} stop times")
        found = [
            np.array(one, dtype=np.int32) for one in (trips, stops, arrivals, departures, boards, leaves)
        ]
        order_ = np.lexsort((np.array(orders, dtype=np.int32), found[0]))
        return tuple(one[order_] for one in found)

    def _time(self, text: str, line: int, table: str = "stop_times") -> int:
        found = seconds_of(text)
        if found is None:
            raise self._archive.wrong(f"in line {line} of {table}.txt '{text[:20]}' is no time (HH:MM:SS)")
        return found

    def _patterns(self) -> dict[str, Any]:
        """Trips put together that call at the same stops, as the arrays of `Timetable`."""
        trips, stops, arrivals, departures, boards, leaves = self._stop_times()
        headways = self._frequencies()
        ids = list(self._trips)
        members: dict[tuple[int, bytes, bytes, bytes], list[tuple[int, Ints, Ints]]] = defaultdict(list)
        bounds = np.flatnonzero(np.diff(trips, prepend=-1, append=-1))
        made = times = 0
        for first, past in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
            if past - first < 2:
                continue
            trip, span = int(trips[first]), slice(first, past)
            arrive, depart = self._timed(arrivals[span], departures[span], ids[trip])
            key = (
                self._trip_line[trip], stops[span].tobytes(), boards[span].tobytes(), leaves[span].tobytes(),
            )  # fmt: skip
            shifts = [0] if trip not in headways else [start - int(depart[0]) for start in headways[trip]]
            made, times = made + len(shifts), times + len(shifts) * len(arrive)
            if made > MOST_TRIPS or times > 2 * MOST_STOP_TIMES:
                raise self._archive.wrong("its headways make too many trips")
            if shifts:
                members[key] += [(trip, arrive + shift, depart + shift) for shift in shifts]
        if not members:
            raise self._archive.wrong("no trip has two stops with times")
        return self._laid_out(members)

    def _laid_out(
        self, members: Mapping[tuple[int, bytes, bytes, bytes], list[tuple[int, Ints, Ints]]]
    ) -> dict[str, Any]:
        rows = [row for own in members.values() for row in own]
        whole = [np.frombuffer(key[1], dtype=np.int32) for key in members]
        lengths = np.array([len(one) for one in whole], dtype=np.int32)
        counts = np.array([len(own) for own in members.values()], dtype=np.int32)
        of_trips = np.repeat(lengths, counts).astype(np.int64)

        def taken(column: array[int]) -> Ints:
            return np.array([column[row[0]] for row in rows], dtype=np.int32)

        return {
            "pattern_first": np.concatenate(([0], np.cumsum(lengths))).astype(np.int32),
            "pattern_stops": np.concatenate(whole),
            "boards": np.concatenate([np.frombuffer(key[2], dtype=np.int32) for key in members]).astype(
                np.bool_
            ),
            "leaves": np.concatenate([np.frombuffer(key[3], dtype=np.int32) for key in members]).astype(
                np.bool_
            ),
            "pattern_trips": np.concatenate(([0], np.cumsum(counts))).astype(np.int32),
            "trip_line": taken(self._trip_line),
            "trip_headsign": taken(self._trip_headsign),
            "trip_service": taken(self._trip_service),
            "trip_times": np.concatenate(([0], np.cumsum(of_trips)[:-1])),
            "arrivals": np.concatenate([row[1] for row in rows]),
            "departures": np.concatenate([row[2] for row in rows]),
        }

    def _timed(self, arrive: Ints, depart: Ints, trip: str) -> tuple[Ints, Ints]:
        """The times of a trip; stops without are put evenly between those with."""
        known = np.flatnonzero(arrive != NO_TIME)
        if len(known) < len(arrive):
            if len(known) < 2 or known[0] != 0 or known[-1] != len(arrive) - 1:
                raise self._archive.wrong(f"the trip '{trip[:40]}' has no time at its first or last stop")
            places, missing = np.arange(len(arrive)), arrive == NO_TIME
            # Between two stops with times a bus leaves the one before it arrives at the other.
            filled = np.empty(len(arrive))
            for first, past in zip(known[:-1].tolist(), known[1:].tolist(), strict=True):
                span = slice(first, past + 1)
                filled[span] = np.interp(places[span], [first, past], [depart[first], arrive[past]])
            arrive = np.where(missing, filled, arrive).astype(np.int32)
            depart = np.where(missing, filled, depart).astype(np.int32)
        if (arrive[1:] < depart[:-1]).any():
            raise self._archive.wrong(f"the times of the trip '{trip[:40]}' go backwards")
        return arrive, depart

    def _frequencies(self) -> dict[int, list[int]]:
        """When trips begin that are told by their headway; one that is only about so often is taken as exact."""
        begins: dict[int, list[int]] = defaultdict(list)
        if not self._archive.has("frequencies"):
            return begins
        columns, made = ("trip_id", "start_time", "end_time", "headway_secs"), 0
        for line, row in self._archive.rows("frequencies", columns):
            trip, headway = self._trips.get(row["trip_id"].strip()), row["headway_secs"].strip()
            start, end = (self._time(row[name], line, "frequencies") for name in columns[1:3])
            if trip is None or not headway.isdecimal() or not 1 <= int(headway[:6]) <= LATEST_S or start < 0:
                raise self._archive.wrong(f"line {line} of frequencies.txt has an unknown trip or no headway")
            begins[trip] += range(start, end, int(headway))
            made += max(end - start, 0) // int(headway)
            if made > MOST_TRIPS:
                raise self._archive.wrong("its headways make too many trips")
        return begins

    def _transfers(self) -> Iterator[tuple[tuple[int, int], int | None]]:
        """Changes that the feed itself gives times for, or forbids; those of single lines and trips are left out."""
        if not self._archive.has("transfers"):
            return
        made = 0
        for _, row in self._archive.rows("transfers", ("from_stop_id", "to_stop_id")):
            only = ("from_route_id", "to_route_id", "from_trip_id", "to_trip_id")
            kind, least = row.get("transfer_type", "").strip(), row.get("min_transfer_time", "").strip()
            if any(row.get(name, "").strip() for name in only) or kind not in {_SET_TIME, _NOT_POSSIBLE}:
                continue
            if kind == _SET_TIME and not (least.isdecimal() and int(least[:6]) <= LATEST_S):
                continue
            starts, ends = (self._meant(row[name].strip()) for name in ("from_stop_id", "to_stop_id"))
            made += len(starts) * len(ends)
            if made > MOST_CHANGES:
                raise self._archive.wrong(f"it gives more than {MOST_CHANGES} changes")
            for start in starts:
                for end in ends:
                    yield (start, end), None if kind == _NOT_POSSIBLE else int(least)

    def _meant(self, stop: str) -> list[int]:
        """A stop, or all stops of a station."""
        return [self._stops[stop]] if stop in self._stops else self._parents.get(stop, [])


def vehicle_of(route_type: str) -> str:
    """What goes on a line ("Tram"); "" for a type that is unknown."""
    if not route_type.isdecimal() or len(route_type) > 4:
        return ""
    number = int(route_type)
    return VEHICLES.get(number, _EXTENDED.get(number // 100, ""))


def seconds_of(text: str) -> int | None:
    """Seconds of a time such as "25:10:00"; `NO_TIME` for an empty one, None if it is broken."""
    if not text.strip():
        return NO_TIME
    parts = text.strip().split(":")
    if len(parts) != 3 or not all(part.isdecimal() and len(part) <= 2 for part in parts):
        return None
    hours, minutes, seconds = map(int, parts)
    total = hours * 3600 + minutes * 60 + seconds
    return total if minutes < 60 and seconds < 60 and total <= LATEST_S else None


def _position(lat: str, lng: str) -> tuple[float, float] | None:
    try:
        at = float(lat), float(lng)
    except ValueError:
        return None
    return at if -90 <= at[0] <= 90 and -180 <= at[1] <= 180 else None


def _between(lng: float, box: Box) -> bool:
    if box.west <= box.east:
        return box.west <= lng <= box.east
    return lng >= box.west or lng <= box.east
