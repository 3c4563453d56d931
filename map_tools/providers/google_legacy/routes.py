"""Finding ways with the Directions and the Distance Matrix API.

The replies: https://developers.google.com/maps/documentation/directions/get-directions#DirectionsResponses
and https://developers.google.com/maps/documentation/distance-matrix/distance-matrix#DistanceMatrixResponse.
Instructions are HTML; remarks stand in `div`s behind them.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from map_tools.clock import Clock
from map_tools.maps.valhalla_reply import decode_polyline
from map_tools.providers.base import Spot
from map_tools.providers.google_common.terms import LEGACY_DIRECTIONS, LEGACY_MATRIX, cost_of, reading
from map_tools.providers.google_common.ways import (
    CHEAP_STOPS,
    POLYLINE_DIGITS,
    Trip,
    Ways,
    id_or_position,
    ride_notes,
    ride_words,
    step_of,
    whole_block,
)
from map_tools.providers.google_legacy.client import LegacyClient
from map_tools.providers.google_legacy.places import Json, read_position
from map_tools.providers.travel_table import Cells, Spots
from map_tools.types import NO_WAY, LatLng, MatrixCell, Route, RouteLeg, RouteStep, TravelMode

TABLE_SIDE = 10
"""Rows and columns of one matrix request: at most 100 elements
(https://developers.google.com/maps/documentation/distance-matrix/usage-and-billing#other-usage-limits)."""
METRIC = "metric"

_REMARK = re.compile(r"<div[^>]*>")


class RouteCalls(Ways):
    """The calls about ways.

    Args:
        client: The way to Google.
        language: Language of the instructions.
        region: Two-letter country code, or None.
        clock: Tells whether a departure lies in the past.
    """

    def __init__(self, client: LegacyClient, language: str, region: str | None, clock: Clock) -> None:
        super().__init__(clock)
        self._client = client
        self._language = language
        self._region = region

    async def _routes(self, trip: Trip, notes: tuple[str, ...]) -> tuple[Route, ...]:
        traffic = trip.depart_at is not None and trip.mode is TravelMode.DRIVING
        dear = traffic or len(trip.stops) > CHEAP_STOPS
        found = await self._client.call(
            LEGACY_DIRECTIONS,
            "directions",
            cost_of("legacy_directions_advanced" if dear else "legacy_directions"),
            subject="place with one of these ids",
            origin=_where(trip.origin),
            destination=_where(trip.destination),
            mode=trip.mode.value,
            waypoints=list(map(_where, trip.stops)) or None,
            # With stops on the way Google gives no alternatives.
            alternatives=(trip.alternatives and not trip.stops) or None,
            departure_time=round(trip.depart_at.timestamp()) if trip.depart_at else None,
            language=self._language,
            region=self._region,
            units=METRIC,
        )
        with reading(LEGACY_DIRECTIONS):
            return read_routes(found, notes)

    async def _cells(self, rows: Spots, columns: Spots, mode: TravelMode) -> Cells:
        reply = await self._client.call(
            LEGACY_MATRIX,
            "distance_matrix",
            cost_of("legacy_matrix", len(rows) * len(columns)),
            subject="place with one of these ids",
            origins=list(map(_where, rows)),
            destinations=list(map(_where, columns)),
            mode=mode.value,
            language=self._language,
            region=self._region,
            units=METRIC,
        )
        with reading(LEGACY_MATRIX):
            cells = list(read_cells(reply))
        return whole_block(LEGACY_MATRIX, cells, len(rows), len(columns))

    def _side(self, mode: TravelMode) -> int:  # noqa: ARG002 (the same for all)
        return TABLE_SIDE


def _where(spot: Spot) -> str | tuple[float, float]:
    """A spot as the client takes it."""
    where = id_or_position(spot)
    return (where.lat, where.lng) if isinstance(where, LatLng) else f"place_id:{where}"


def read_routes(routes: Iterable[Json], notes: tuple[str, ...] = ()) -> tuple[Route, ...]:
    """The routes in Google's order, best first; `notes` are added to the warnings of each."""
    return tuple(_route(route, notes) for route in routes)


def read_cells(reply: Json) -> Iterator[tuple[int, int, MatrixCell]]:
    """(origin, destination, travel) for each pair; one with any other status than OK has no way."""
    for row, line in enumerate(reply["rows"]):
        for column, element in enumerate(line["elements"]):
            yield row, column, _cell(element)


def _cell(element: Json) -> MatrixCell:
    if element["status"] != "OK":
        return NO_WAY
    return MatrixCell(distance_m=element["distance"]["value"], duration_s=element["duration"]["value"])


def _route(route: Json, notes: tuple[str, ...]) -> Route:
    legs = tuple(map(_leg, route["legs"]))
    shape = (route.get("overview_polyline") or {}).get("points", "")
    return Route(
        summary=route.get("summary", ""),
        distance_m=sum(leg.distance_m or 0.0 for leg in legs),
        duration_s=sum(leg.duration_s or 0.0 for leg in legs),
        legs=legs,
        warnings=(*route.get("warnings", ()), *notes),
        geometry=tuple(LatLng(lat=lat, lng=lng) for lat, lng in decode_polyline(shape, POLYLINE_DIGITS)),
    )


def _leg(leg: Json) -> RouteLeg:
    """With a departure by car the time in traffic counts."""
    time: Any = leg.get("duration_in_traffic") or leg["duration"]
    return RouteLeg(
        distance_m=leg["distance"]["value"],
        duration_s=time["value"],
        steps=tuple(map(_step, leg.get("steps", ()))),
    )


def _step(step: Json) -> RouteStep:
    ride = step.get("transit_details")
    words, *notes = _ride(ride) if ride else _REMARK.split(step.get("html_instructions", ""))
    return step_of(
        words,
        tuple(notes),
        maneuver=step.get("maneuver", ""),
        distance_m=step["distance"]["value"],
        duration_s=step["duration"]["value"],
        location=read_position(step.get("start_location")),
    )


def _ride(ride: Json) -> tuple[str, ...]:
    """The instruction for a ride and the remarks on it."""
    line = ride.get("line") or {}
    vehicle = (line.get("vehicle") or {}).get("name", "")
    words = ride_words(vehicle, line.get("short_name") or line.get("name", ""), ride.get("headsign", ""))
    board = (ride.get("departure_stop") or {}).get("name", "")
    leave = (ride.get("arrival_stop") or {}).get("name", "")
    return (words, *ride_notes(board, leave, ride.get("num_stops")))
