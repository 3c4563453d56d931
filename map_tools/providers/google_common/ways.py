"""Routes and tables of travel: what the two generations of Google's services have in common."""

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import product
from zoneinfo import ZoneInfo

from map_tools.clock import Clock, local_zone
from map_tools.compute.route_replies import read_step
from map_tools.errors import NoRouteError, PlaceNotFoundError, UnsupportedError
from map_tools.providers.base import Spot, position_of
from map_tools.providers.google_common.terms import Api, broken
from map_tools.providers.travel_table import Cells, Spots, travel_table
from map_tools.types import LatLng, MatrixCell, Route, RouteStep, TravelMode

MAX_STOPS = 25
"""Intermediate stops of a route, in both generations
(https://developers.google.com/maps/documentation/routes/intermed_waypoints,
https://developers.google.com/maps/documentation/directions/get-directions#Waypoints)."""
CHEAP_STOPS = 10
"""Stops on the way up to which a route is billed at the lowest tier, in both generations
(https://developers.google.com/maps/documentation/routes/usage-and-billing,
https://developers.google.com/maps/documentation/directions/usage-and-billing)."""
POLYLINE_DIGITS = 5
"""https://developers.google.com/maps/documentation/utilities/polylinealgorithm"""
_GOOGLE_ID = re.compile(r"[A-Za-z0-9_-]{10,}")
"""Ids are opaque text (https://developers.google.com/maps/documentation/places/web-service/place-id); this
tells them from places of our own making ("here", "point:60.1,24.9")."""

TRANSIT_BACK = timedelta(days=7)
"""How far back timetables can be asked for (`departureTime` in
https://developers.google.com/maps/documentation/routes/reference/rest/v2/TopLevel/computeRoutes)."""

type Cell = tuple[int, int, MatrixCell]

MANEUVERS = {"uturn-left": "uturn", "uturn-right": "uturn", "name-change": "straight", "ferry-train": "ferry"}
"""Google's hyphenated words that this project has another word for; all others are the same
(https://developers.google.com/maps/documentation/routes/reference/rest/v2/Maneuver)."""


@dataclass(frozen=True, slots=True)
class Trip:
    """A route that is asked for: what `Provider.directions` is called with; `stops` are its waypoints."""

    origin: Spot
    destination: Spot
    mode: TravelMode
    stops: tuple[Spot, ...] = ()
    alternatives: bool = False
    depart_at: datetime | None = None

    def leaving(self, at: datetime | None) -> "Trip":
        """The same trip at another time."""
        return replace(self, depart_at=at)

    def by_position(self) -> "Trip":
        """The same trip with every place told by its position instead of its id.

        Raises:
            UnsupportedError: A place has none.
        """
        origin, destination, *stops = positions((self.origin, self.destination, *self.stops))
        return replace(self, origin=origin, destination=destination, stops=tuple(stops))


class Ways(ABC):
    """The calls about ways.

    Google changes its ids, and the places are still where they were: what it refuses for an id is asked once
    more by position.

    Args:
        clock: Tells whether a departure lies in the past.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    async def routes(self, trip: Trip) -> tuple[Route, ...]:
        """The routes of a trip; see `Provider.directions`."""
        check_stops(trip.mode, trip.stops)
        leave_at, notes = departure(trip.depart_at, trip.origin, trip.mode, self._clock.now())
        wanted = trip.leaving(leave_at)
        try:
            routes = await self._routes(wanted, notes)
        except PlaceNotFoundError:
            routes = await self._routes(wanted.by_position(), notes)
        if not routes:
            raise no_route(trip.origin, trip.destination, trip.mode)
        return routes if trip.alternatives else routes[:1]

    async def table(
        self, origins: Spots, destinations: Spots, mode: TravelMode
    ) -> tuple[tuple[MatrixCell, ...], ...]:
        """Travel between all pairs; see `Provider.matrix`."""

        async def ask(rows: Spots, columns: Spots) -> Cells:
            try:
                return await self._cells(rows, columns, mode)
            except PlaceNotFoundError:
                return await self._cells(positions(rows), positions(columns), mode)

        return await travel_table(origins, destinations, side=self._side(mode), ask=ask)

    @abstractmethod
    async def _routes(self, trip: Trip, notes: tuple[str, ...]) -> tuple[Route, ...]:
        """The routes of one request, none if there is no way; `notes` are warnings for each of them.

        The trip's departure is in UTC and not in the past.

        Raises:
            PlaceNotFoundError: Google does not know one of the ids.
        """

    @abstractmethod
    async def _cells(self, rows: Spots, columns: Spots, mode: TravelMode) -> Cells:
        """The cells of one request for a table; raises as `_routes`."""

    @abstractmethod
    def _side(self, mode: TravelMode) -> int:
        """Most rows, and most columns, of one request for a table."""


def whole_block(api: Api, cells: Sequence[Cell], rows: int, columns: int) -> Sequence[Cell]:
    """The cells of a block of a travel table, if there is one for every pair: Google tells each pair once.

    A pair without a way has a cell that says so: see `condition` in
    https://developers.google.com/maps/documentation/routes/reference/rest/v2/TopLevel/computeRouteMatrix and
    https://developers.google.com/maps/documentation/distance-matrix/distance-matrix#DistanceMatrixElement.

    Raises:
        ProviderError: A pair is missing, foreign or told twice.
    """
    told = sorted((row, column) for row, column, _ in cells)
    if told != list(product(range(rows), range(columns))):
        raise broken(api, f"it tells {len(told)} pairs of places, not each of the {rows * columns} once")
    return cells


def id_or_position(spot: Spot) -> str | LatLng:
    """The place id of a spot, by which Google knows its entrances; else its position.

    Raises:
        UnsupportedError: It has neither.
    """
    if not isinstance(spot, LatLng) and _GOOGLE_ID.fullmatch(spot.id):
        return spot.id
    return position_of(spot)


def positions(spots: Sequence[Spot]) -> tuple[LatLng, ...]:
    """The positions of spots, for where Google does not know their ids any more.

    Raises:
        UnsupportedError: One has none.
    """
    return tuple(map(position_of, spots))


def check_stops(mode: TravelMode, stops: Sequence[Spot]) -> None:
    """Raises `UnsupportedError` if Google routes cannot have these stops on the way."""
    if len(stops) > MAX_STOPS:
        raise UnsupportedError(
            f"Google routes take at most {MAX_STOPS} stops on the way, not {len(stops)}.",
            "Ask for fewer stops at once.",
        )
    if stops and mode is TravelMode.TRANSIT:
        raise UnsupportedError(
            "Google routes by public transport take no stops on the way.", "Ask for each part by itself."
        )


def no_route(origin: Spot, destination: Spot, mode: TravelMode) -> NoRouteError:
    """The error where Google knows no way."""
    remedy = "Google may have no timetables there; try another mode." if mode is TravelMode.TRANSIT else ""
    return NoRouteError(
        f"Google knows no {mode.value} route from {_called(origin)} to {_called(destination)}.", remedy
    )


def _called(spot: Spot) -> str:
    return str(spot) if isinstance(spot, LatLng) else spot.name or spot.id


def departure(
    depart_at: datetime | None, origin: Spot, mode: TravelMode, now: datetime
) -> tuple[datetime | None, tuple[str, ...]]:
    """The departure in UTC as Google takes it, and notes on what was changed: it refuses departures in the past.

    Args:
        depart_at: The departure asked for; without a zone it is the local time of the origin.
        origin: Where one leaves.
        mode: On foot and by bicycle the time of day changes nothing and is not sent.
        now: The present, zone-aware.
    """
    if depart_at is None or mode in {TravelMode.WALKING, TravelMode.BICYCLING}:
        return None, ()
    moment = _in_utc(depart_at, origin)
    earliest = now - TRANSIT_BACK if mode is TravelMode.TRANSIT else now
    if moment >= earliest:
        return moment, ()
    shown = depart_at.strftime("%Y-%m-%d %H:%M")
    return None, (f"The departure at {shown} lies in the past; the times are not those of that moment.",)


def _in_utc(moment: datetime, origin: Spot) -> datetime:
    if moment.tzinfo is not None:
        return moment.astimezone(UTC)
    where = origin if isinstance(origin, LatLng) else origin.location
    zone = local_zone(where) if where is not None else "UTC"
    return moment.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


def step_of(
    instruction: str,
    notes: tuple[str, ...],
    *,
    maneuver: str,
    distance_m: float | None,
    duration_s: float | None,
    location: LatLng | None,
) -> RouteStep:
    """A step with the streets and the roundabout exit that its words tell of.

    Args:
        instruction: Plain text or HTML.
        notes: Remarks that stand beside it.
        maneuver: Google's word in either form ("TURN_LEFT", "turn-left"); empty: it is read from the text.
        distance_m: Metres.
        duration_s: Seconds.
        location: Where it begins.
    """
    read = read_step(instruction, notes)
    word = maneuver.lower().replace("_", "-")
    told = "" if word == "maneuver-unspecified" else MANEUVERS.get(word, word)
    return read.model_copy(
        update={
            "maneuver": told or read.maneuver,
            "distance_m": distance_m,
            "duration_s": duration_s,
            "location": location,
        }
    )


def ride_words(vehicle: str, line: str, headsign: str) -> str:
    """The instruction for a ride: "Tram 4 towards Harbour"."""
    ride = " ".join(part for part in (vehicle or "Ride", line) if part)
    return f"{ride} towards {headsign}" if headsign else ride


def ride_notes(board: str, leave: str, stops: int | None) -> tuple[str, ...]:
    """Remarks on a ride: where one gets on and off, and after how many stops."""
    count = "" if stops is None else f"{stops} stop{'' if stops == 1 else 's'}"
    notes = (f"Board at {board}" if board else "", f"Get off at {leave}" if leave else "", count)
    return tuple(note for note in notes if note)
