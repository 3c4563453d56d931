"""Tells a journey as a route: walks and rides in steps, with lines, stops and times."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from map_tools.transit.raptor import Journey, Leg
from map_tools.transit.timetable import Day, Timetable
from map_tools.types import LatLng, MatrixCell, Ride, Route, RouteLeg, RouteStep

MINUTE_S = 60
NO_RIDE = "No ride saves anything on this way: this is the walk."


def route_of(
    timetable: Timetable,
    day: Day,
    journey: Journey,
    *,
    ends: tuple[LatLng, LatLng],
    span: tuple[int, int],
    zone: ZoneInfo,
) -> Route:
    """A journey as a route. How far rides go is not told: a timetable does not say it.

    Args:
        timetable: The timetable.
        day: The day that the journey was found on.
        journey: The journey.
        ends: Where it begins and ends.
        span: When one leaves and arrives, in seconds after the day's beginning (`whole_minutes`).
        zone: What times are told in.
    """
    teller = _Teller(timetable, day, zone)
    rides = [ride_of(timetable, day, leg, zone) for leg in journey.legs]
    steps = (
        *_walk(journey.first_s, f"Walk to {rides[0].board}", ends[0]),
        *teller.steps(journey.legs, rides),
        *_walk(journey.last_s, "Walk to the destination", teller.position(journey.legs[-1], end=True)),
    )
    duration_s = float(span[1] - span[0])
    course = (point for leg in journey.legs for point in teller.course(leg))
    return Route(
        summary=", ".join(" ".join(part for part in (ride.vehicle, ride.line) if part) for ride in rides),
        distance_m=None,
        duration_s=duration_s,
        legs=(RouteLeg(distance_m=None, duration_s=duration_s, steps=steps),),
        geometry=(ends[0], *course, ends[1]),
        depart_at=teller.moment(span[0]),
        arrive_at=teller.moment(span[1]),
    )


def whole_minutes(journey: Journey, at: int, *, arriving: bool) -> tuple[int, int]:
    """When one leaves and arrives, to the minute and on the safe side: who leaves a minute late misses the ride.

    The asked time itself is kept to, be it a departure or an arrival.
    """
    depart, arrive = journey.depart // MINUTE_S * MINUTE_S, -(-journey.arrive // MINUTE_S) * MINUTE_S
    return (depart, min(arrive, at)) if arriving else (max(depart, at), arrive)


def walking_route(
    walk: MatrixCell, ends: tuple[LatLng, LatLng], at: int, zone: ZoneInfo, *, arriving: bool
) -> Route:
    """The walk all the way, where no ride saves anything: the steps say so, and a warning.

    Args:
        walk: Its time and length.
        ends: Where it begins and ends.
        at: When it begins, in seconds of the epoch.
        zone: What times are told in.
        arriving: `at` is when it ends.
    """
    seconds = math.ceil(walk.duration_s or 0.0)
    depart = at - seconds if arriving else at
    step = RouteStep(
        instruction="Walk to the destination", distance_m=walk.distance_m, duration_s=seconds, maneuver=WALK,
        location=ends[0],
    )  # fmt: skip
    leg = RouteLeg(distance_m=walk.distance_m, duration_s=float(seconds), steps=(step,))
    return Route(
        summary="on foot",
        distance_m=walk.distance_m,
        duration_s=float(seconds),
        legs=(leg,),
        warnings=(NO_RIDE,),
        geometry=ends,
        depart_at=datetime.fromtimestamp(depart, zone),
        arrive_at=datetime.fromtimestamp(depart + seconds, zone),
    )


def _walk(seconds: int, words: str, location: LatLng) -> Iterator[RouteStep]:
    if seconds > 0:
        yield RouteStep(instruction=words, duration_s=float(seconds), maneuver=WALK, location=location)


@dataclass(frozen=True, slots=True)
class _Teller:
    timetable: Timetable
    day: Day
    zone: ZoneInfo

    def moment(self, seconds: int) -> datetime:
        """A time of the day."""
        return datetime.fromtimestamp(self.day.zero + seconds, self.zone)

    def steps(self, legs: tuple[Leg, ...], rides: list[Ride]) -> Iterator[RouteStep]:
        """The rides with the walks between them."""
        for number, (leg, ride) in enumerate(zip(legs, rides, strict=True)):
            if number:
                yield from self._change(legs[number - 1], leg, ride)
            yield step_of(ride, self.position(leg, end=False))

    def _change(self, before: Leg, after: Leg, ride: Ride) -> Iterator[RouteStep]:
        start, end = self._stop(before, end=True), self._stop(after, end=False)
        if start != end:
            seconds = dict(self.day.forwards.foot[start])[end]
            yield from _walk(seconds, f"Walk to {ride.board}", self.timetable.position(start))

    def course(self, leg: Leg) -> Iterator[LatLng]:
        """The stops that one passes."""
        stops = self.day.forwards.patterns[leg.pattern].stops
        return (self.timetable.position(stop) for stop in stops[leg.board : leg.leave + 1])

    def position(self, leg: Leg, *, end: bool) -> LatLng:
        """Where one gets on or off."""
        return self.timetable.position(self._stop(leg, end=end))

    def _stop(self, leg: Leg, *, end: bool) -> int:
        return self.day.forwards.patterns[leg.pattern].stops[leg.leave if end else leg.board]


def ride_of(timetable: Timetable, day: Day, leg: Leg, zone: ZoneInfo) -> Ride:
    """A ride with its names and times."""
    pattern = day.forwards.patterns[leg.pattern]
    trip = pattern.trips[leg.ride]
    line = timetable.trip_line[trip]
    depart, arrive = pattern.departures[leg.board, leg.ride], pattern.arrivals[leg.leave, leg.ride]
    return Ride(
        line=timetable.lines[line],
        vehicle=timetable.vehicles[line],
        headsign=timetable.headsigns[timetable.trip_headsign[trip]],
        board=timetable.stop_names[pattern.stops[leg.board]],
        leave=timetable.stop_names[pattern.stops[leg.leave]],
        depart_at=datetime.fromtimestamp(day.zero + int(depart), zone),
        arrive_at=datetime.fromtimestamp(day.zero + int(arrive), zone),
        stops=leg.leave - leg.board,
    )


WALK, RIDE = "walk", "ride"
"""The manoeuvres of a way by public transport."""


def step_of(ride: Ride, location: LatLng | None = None) -> RouteStep:
    """A ride as a step of a way."""
    return RouteStep(
        instruction=_words(ride),
        duration_s=(ride.arrive_at - ride.depart_at).total_seconds(),
        maneuver=RIDE,
        notes=(
            f"Board at {ride.board} at {ride.depart_at:%H:%M}",
            f"Get off at {ride.leave} at {ride.arrive_at:%H:%M}",
            f"{ride.stops} stop{'' if ride.stops == 1 else 's'}",
        ),
        location=location,
        ride=ride,
    )


def _words(ride: Ride) -> str:
    """The instruction for a ride: "Tram 4 towards Harbour"."""
    named = " ".join(part for part in (ride.vehicle or "Ride", ride.line) if part)
    return f"{named} towards {ride.headsign}" if ride.headsign else named
