"""Journeys between places: walks over the map's roads, rides by its timetable; and what leaves from a stop."""

import asyncio
import math
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

import numpy as np

from map_tools.clock import Clock, SystemClock
from map_tools.compute.measures import format_duration
from map_tools.errors import LimitError, NoRouteError, UnsupportedError
from map_tools.text import same_name
from map_tools.together import Threads
from map_tools.transit.raptor import LONGEST_S, Journey, Leg, earliest, latest
from map_tools.transit.telling import ride_of, route_of, walking_route, whole_minutes
from map_tools.transit.timetable import Day, Timetable, metres_to
from map_tools.types import NO_WAY, LatLng, MatrixCell, Ride, Route, TravelMode

STOPS_WITHIN_M = 1_500.0
"""Stops farther off than this, in a straight line, are not walked to."""
MOST_STOPS = 48
"""Stops around a place that are tried, the nearest ones."""
LONGEST_WALK_S = 1_800
"""Walks of more than half an hour are no part of a journey."""
NEAR_S = 300
"""Nobody waits for a ride to what is five minutes away."""
MOST_PAIRS = 250
"""Pairs of one matrix: each is a search of its own."""
_DAYS_KEPT = 3

type Cells = tuple[tuple[MatrixCell, ...], ...]
type Walks = Callable[[Sequence[LatLng], Sequence[LatLng], TravelMode], Awaitable[Cells]]


@dataclass(frozen=True, slots=True)
class When:
    """When a journey is asked for: the earliest departure, or the latest arrival, in seconds of the epoch."""

    at: int
    arriving: bool = False


@dataclass(frozen=True, slots=True)
class _Ends:
    """What is known of two places: the walks to and from stops, and the one between them."""

    start: Mapping[int, int]
    end: Mapping[int, int]
    walk: MatrixCell


class Journeys:
    """Journeys by one map's timetable.

    Args:
        load: Reads the timetable, when it is first needed.
        walks: Times on foot from origins (rows) to destinations, as `maps.routing.Router.matrix`.
        zone: The map's IANA zone: what times without one are in, and what times are told in.
        clock: Tells when somebody leaves who says no time.
    """

    def __init__(
        self, load: Callable[[], Timetable], walks: Walks, zone: str, clock: Clock | None = None
    ) -> None:
        self._load = load
        self._loaded: Timetable | None = None
        self._walks = walks
        self._zone = ZoneInfo(zone)
        self._clock = clock or SystemClock()
        self._days: dict[int, Day] = {}
        # One thread: it alone reads the timetable and makes its days.
        self._threads = Threads("timetable")

    async def routes(
        self,
        origin: LatLng,
        destination: LatLng,
        *,
        depart_at: datetime | None = None,
        arrive_by: datetime | None = None,
        alternatives: bool = False,
    ) -> tuple[Route, ...]:
        """Ways by public transport, best first; the others have fewer changes.

        The best arrives earliest, of these with the fewest changes, and leaves as late as that allows; for an
        arrival the other way round. A walk is the answer only where a ride would save nothing: to what is nearer
        than `NEAR_S`, or than the walks to and from the stops.

        Raises:
            UnsupportedError: The day is not in the timetable.
            NoRouteError: Nothing goes within a day.
        """
        when = self._when(depart_at, arrive_by)
        timetable = await self._threads.run(self._timetable)
        ends = await self._ends(timetable, origin, destination)
        day, journeys = await self._threads.run(lambda: self._search(timetable, ends, when))
        found = [
            route_of(
                timetable,
                day,
                one,
                ends=(origin, destination),
                span=whole_minutes(one, when.at - day.zero, arriving=when.arriving),
                zone=self._zone,
            )
            for one in reversed(journeys)
        ]
        walk_s = math.ceil(ends.walk.duration_s) if ends.walk.duration_s is not None else None
        if walk_s is not None and self._is_as_early(day, journeys, walk_s, when):
            if walk_s <= max(NEAR_S, self._walks_s(journeys)):
                found = [
                    walking_route(
                        ends.walk, (origin, destination), when.at, self._zone, arriving=when.arriving
                    )
                ]
            elif found:
                words = f"Walking all the way takes {format_duration(walk_s)} and is as quick."
                found[0] = found[0].model_copy(update={"warnings": (words,)})
        if not found:
            raise NoRouteError(
                self._why_none(ends, origin, destination), "Try another time, or another mode."
            )
        return tuple(found) if alternatives else tuple(found[:1])

    async def matrix(
        self,
        origins: Sequence[LatLng],
        destinations: Sequence[LatLng],
        *,
        depart_at: datetime | None = None,
        arrive_by: datetime | None = None,
    ) -> Cells:
        """The best way of each pair, as `routes` has it; a cell is empty where there is none.

        Raises:
            UnsupportedError: The day is not in the timetable.
            LimitError: More than `MOST_PAIRS` pairs.
        """
        if len(origins) * len(destinations) > MOST_PAIRS:
            raise LimitError(
                f"{len(origins)} by {len(destinations)} places are too many for a timetable at once.",
                f"Ask for at most {MOST_PAIRS} pairs.",
            )
        when = self._when(depart_at, arrive_by)
        moment = datetime.fromtimestamp(when.at, self._zone)
        depart_at, arrive_by = (None, moment) if when.arriving else (moment, None)

        async def cell(origin: LatLng, destination: LatLng) -> MatrixCell:
            try:
                (best, *_) = await self.routes(origin, destination, depart_at=depart_at, arrive_by=arrive_by)
            except NoRouteError:
                return NO_WAY
            return MatrixCell(
                distance_m=best.distance_m,
                duration_s=best.duration_s,
                depart_at=best.depart_at,
                arrive_at=best.arrive_at,
            )

        return tuple([tuple([await cell(start, end) for end in destinations]) for start in origins])

    async def departures(
        self, place: LatLng, name: str, at: datetime | None = None
    ) -> tuple[tuple[Ride, ...], bool]:
        """What leaves from a stop within a day, and whether that is all of it.

        Raises:
            UnsupportedError: No stop of the timetable is there, or the day is not in it.
        """
        when = self._when(at, None)
        timetable = await self._threads.run(self._timetable)
        stops = stops_of(timetable, place, name)
        if not stops:
            raise UnsupportedError(
                f"No stop of the timetable is within {WITHIN_M:.0f} m of '{name or place}'.", "Name a stop."
            )

        def look() -> tuple[tuple[Ride, ...], bool]:
            day = self._day(timetable, when.at)
            return departures(timetable, day, stops, when.at - day.zero, self._zone)

        return await self._threads.run(look)

    async def close(self) -> None:
        """Ends the thread; a search under way is waited for."""
        await self._threads.close()

    def _timetable(self) -> Timetable:
        if self._loaded is None:
            self._loaded = self._load()
        return self._loaded

    def _when(self, depart_at: datetime | None, arrive_by: datetime | None) -> When:
        """A time without a zone is in the map's."""
        given = depart_at or arrive_by or self._clock.now()
        local = given.replace(tzinfo=self._zone) if given.tzinfo is None else given
        if depart_at is None and arrive_by is not None:
            return When(math.floor(local.timestamp()), arriving=True)
        return When(math.ceil(local.timestamp()))

    async def _ends(self, timetable: Timetable, origin: LatLng, destination: LatLng) -> _Ends:
        near, far = _stops_near(timetable, origin), _stops_near(timetable, destination)
        positions = [timetable.position(stop) for stop in near], [timetable.position(stop) for stop in far]
        there, back, between = await asyncio.gather(
            self._walks((origin,), positions[0], TravelMode.WALKING),
            self._walks(positions[1], (destination,), TravelMode.WALKING),
            self._walks((origin,), (destination,), TravelMode.WALKING),
        )
        start = dict(zip(near, there[0] if near else (), strict=True))
        end = dict(zip(far, (row[0] for row in back), strict=True))
        return _Ends(_walkable(start), _walkable(end), between[0][0])

    def _search(self, timetable: Timetable, ends: _Ends, when: When) -> tuple[Day, list[Journey]]:
        day = self._day(timetable, when.at, after=int(when.arriving))
        seconds = when.at - day.zero
        search = latest if when.arriving else earliest
        return day, search(day, ends.start, ends.end, seconds)

    def _day(self, timetable: Timetable, at: int, *, after: int = 0) -> Day:
        """The rides around a moment, which may be so many days after the last one: its night goes on."""
        number = datetime.fromtimestamp(at, timetable.time_zone).date().toordinal()
        if not timetable.first_day <= number <= timetable.last_day + after:
            first, last = timetable.days()
            raise UnsupportedError(
                f"The timetable of this map runs from {first} to {last}, not on "
                f"{datetime.fromtimestamp(at, timetable.time_zone).date()}.",
                "Ask for a day in it, or add the map again with a newer feed.",
            )
        if number not in self._days:
            while len(self._days) >= _DAYS_KEPT:
                del self._days[next(iter(self._days))]
            self._days[number] = Day(timetable, number)
        return self._days[number]

    def _walks_s(self, journeys: Sequence[Journey]) -> int:
        """How long one walks to and from the stops of the best journey."""
        return journeys[-1].first_s + journeys[-1].last_s if journeys else 0

    def _is_as_early(self, day: Day, journeys: Sequence[Journey], walk_s: int, when: When) -> bool:
        """Whether walking all the way is as good as the best ride."""
        if not journeys:
            return True
        best = journeys[-1]
        if when.arriving:
            return when.at - walk_s >= day.zero + best.depart
        return when.at + walk_s <= day.zero + best.arrive

    def _why_none(self, ends: _Ends, origin: LatLng, destination: LatLng) -> str:
        for stops, place in ((ends.start, origin), (ends.end, destination)):
            if not stops:
                return f"No stop of public transport is within a walk of {place}."
        return f"Nothing goes from {origin} to {destination} by public transport within a day of that time."


def _stops_near(timetable: Timetable, place: LatLng) -> list[int]:
    """The stops that may be walked to or from, nearest first."""
    metres = metres_to(timetable.stop_lats, timetable.stop_lngs, place)
    nearest = np.argsort(metres, kind="stable")[:MOST_STOPS]
    return [int(stop) for stop in nearest if metres[stop] <= STOPS_WITHIN_M]


def _walkable(cells: Mapping[int, MatrixCell]) -> dict[int, int]:
    """The seconds to the stops that are near enough on foot."""
    took = {stop: cell.duration_s for stop, cell in cells.items() if cell.duration_s is not None}
    return {stop: math.ceil(seconds) for stop, seconds in took.items() if seconds <= LONGEST_WALK_S}


NAMED_WITHIN_M, WITHIN_M = 500.0, 150.0
"""The stops of a place: those of its name this near, else all that are as near as the second."""
MOST_DEPARTURES = 50


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
    rides = tuple(ride_of(timetable, day, leg, zone) for _, leg in found[:MOST_DEPARTURES])
    return rides, len(found) <= MOST_DEPARTURES


def _leaving(day: Day, stop: int, at: int) -> Iterator[tuple[int, Leg]]:
    for number, position in day.forwards.calls.get(stop, ()):
        pattern = day.forwards.patterns[number]
        last = max((place for place in range(len(pattern.stops)) if pattern.leaves[place]), default=0)
        if not pattern.boards[position] or last <= position:
            continue
        times = pattern.departures[position]
        first, past = np.searchsorted(times, np.array([at, at + LONGEST_S], dtype=times.dtype))
        for ride in range(int(first), min(int(past), int(first) + MOST_DEPARTURES + 1)):
            yield int(times[ride]), Leg(number, ride, position, last)
