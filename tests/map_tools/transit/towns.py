"""Small random towns with a timetable, written as a feed, and an oracle that knows them from what was drawn.

The oracle is a Dijkstra search over all that can be done from a stop: it shares no code with the search that it judges.
"""

import heapq
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from map_tools.types import Box

MONDAY = date(2026, 11, 23)
CHANGE_S = 60
BOX = Box(south=52, west=9, north=53, east=10)
CALENDARS = ("1111100", "0000011", "1111111")
"""Working days, weekends, always."""


@dataclass(frozen=True)
class Call:
    """A stop of a trip."""

    stop: int
    arrive: int
    depart: int
    board: bool = True
    leave: bool = True


@dataclass(frozen=True)
class Town:
    """A town as it was drawn.

    Attributes:
        stops: How many; a kilometre and more apart, so that nothing but `walks` joins them on foot.
        trips: Each with its calendar.
        headways: By trip: begin, end and headway.
        walks: Seconds between two stops.
    """

    stops: int
    trips: tuple[tuple[int, tuple[Call, ...]], ...]
    headways: Mapping[int, tuple[int, int, int]]
    walks: Mapping[tuple[int, int], int]

    def tables(self) -> dict[str, str]:
        """The town as a feed."""
        stops = (f"s{n},Stop {n},{52.1 + 0.02 * (n % 3)},{9.1 + 0.03 * (n // 3)}" for n in range(self.stops))
        times = (
            f"t{number},s{call.stop},{place * 5},{clock(call.arrive)},{clock(call.depart)},"
            f"{0 if call.board else 1},{0 if call.leave else 1}"
            for number, (_, calls) in enumerate(self.trips)
            for place, call in enumerate(calls)
        )
        often = (f"t{n},{clock(a)},{clock(b)},{every}" for n, (a, b, every) in self.headways.items())
        walks = (f"s{a},s{b},2,{seconds}" for (a, b), seconds in self.walks.items())
        weeks = (f"c{n},{','.join(days)},20261101,20261231" for n, days in enumerate(CALENDARS))
        week = ",".join((MONDAY + timedelta(days=n)).strftime("%A").lower() for n in range(7))
        columns = "trip_id,stop_id,stop_sequence,arrival_time,departure_time,pickup_type,drop_off_type"
        return {
            "agency": "agency_name,agency_url,agency_timezone\nTown,https://example.org,Europe/Berlin",
            "stops": _table("stop_id,stop_name,stop_lat,stop_lon", stops),
            "routes": "route_id,route_short_name,route_type\nr,1,3",
            "trips": _table(
                "route_id,service_id,trip_id", (f"r,c{own},t{n}" for n, (own, _) in enumerate(self.trips))
            ),
            "stop_times": _table(columns, times),
            "calendar": _table(f"service_id,{week},start_date,end_date", weeks),
            "frequencies": _table("trip_id,start_time,end_time,headway_secs", often),
            "transfers": _table("from_stop_id,to_stop_id,transfer_type,min_transfer_time", walks),
        }

    def rides(self, day: date) -> Iterator[tuple[Call, ...]]:
        """All trips from the day before to the day after, in seconds after the day's beginning."""
        for number, (own, calls) in enumerate(self.trips):
            begins = [calls[0].depart]
            if number in self.headways:
                begins = list(range(*self.headways[number]))
            for shift_days in (-1, 0, 1):
                running = CALENDARS[own][(day + timedelta(days=shift_days)).weekday()] == "1"
                for begin in begins if running else ():
                    shift = begin - calls[0].depart + shift_days * 86_400
                    yield tuple(
                        Call(one.stop, one.arrive + shift, one.depart + shift, one.board, one.leave)
                        for one in calls
                    )

    def earliest(
        self, day: date, start: Mapping[int, int], end: Mapping[int, int], depart: int, rides: int = 6
    ) -> int | None:
        """When one arrives at the earliest with so many rides at most, and one at least; None: not within a day."""
        running = list(self.rides(day))
        ready: dict[tuple[int, int], int] = {}
        queue = [(depart + seconds, 0, stop) for stop, seconds in start.items()]
        heapq.heapify(queue)
        came: list[int] = []
        while queue:
            time, ridden, stop = heapq.heappop(queue)
            if ready.get((stop, ridden), time + 1) <= time or ridden == rides:
                continue
            ready[stop, ridden] = time
            for calls in running:
                for place, call in enumerate(calls):
                    if call.stop != stop or not call.board or call.depart < time:
                        continue
                    for other in calls[place + 1 :]:
                        if not other.leave:
                            continue
                        if other.stop in end:
                            came.append(other.arrive + end[other.stop])
                        for onward, seconds in self.changes(other.stop):
                            heapq.heappush(queue, (other.arrive + seconds, ridden + 1, onward))
        best = min(came, default=None)
        return best if best is not None and best <= depart + 86_400 else None

    def changes(self, stop: int) -> Iterator[tuple[int, int]]:
        """Where one can change to from a stop, and how long that takes."""
        yield stop, self.walks.get((stop, stop), CHANGE_S)
        for (a, b), seconds in self.walks.items():
            if a == stop != b:
                yield b, seconds

    def latest(
        self, day: date, start: Mapping[int, int], end: Mapping[int, int], arrive: int, rides: int = 6
    ) -> int | None:
        """When one may leave at the latest: of all moments at which a ride can be caught the last that will do."""
        moments = {
            call.depart - start[call.stop]
            for calls in self.rides(day)
            for call in calls
            if call.stop in start
        }
        for moment in sorted(moments, reverse=True):
            if arrive - 86_400 <= moment <= arrive:
                came = self.earliest(day, start, end, moment, rides)
                if came is not None and came <= arrive:
                    return moment
        return None


def draw(seed: int) -> Town:
    """A town of up to six stops; no journey needs more than six rides."""
    dice = random.Random(seed)
    stops = dice.randint(2, 6)
    trips, headways = [], {}
    for number in range(dice.randint(1, 20)):
        way = dice.sample(range(stops), min(stops, dice.choice((2, 2, 3, 6))))
        if dice.random() < 0.2:
            way.append(way[0])  # once round
        at, calls = dice.randrange(0, 26 * 3600, 30), []
        for stop in way:
            at += dice.randrange(60, 1_500, 30)
            leaves = at + dice.choice((0, 0, 30, 600))
            calls.append(Call(stop, at, leaves, dice.random() < 0.9, dice.random() < 0.9))
            at = leaves
        trips.append((dice.randrange(len(CALENDARS)), tuple(calls)))
        if dice.random() < 0.3:
            begin = dice.randrange(0, 24 * 3600, 600)
            headways[number] = (
                begin,
                begin + dice.randrange(600, 4 * 3600, 600),
                dice.randrange(300, 3_600, 60),
            )
    walks = {
        (a, b): dice.randrange(0, 1_200, 10)
        for a in range(stops)
        for b in range(stops)
        if dice.random() < (0.2 if a == b else 0.15)
    }
    return Town(stops, tuple(trips), headways, walks)


def clock(seconds: int) -> str:
    """Seconds as a feed writes them."""
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _table(head: str, rows: Iterator[str]) -> str:
    return "\n".join((head, *rows))
