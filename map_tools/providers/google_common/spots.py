"""Positions and place ids in requests, and limits of routes."""

import re
from collections.abc import Sequence

from map_tools.errors import NoRouteError, UnsupportedError
from map_tools.providers.base import Spot, position_of
from map_tools.types import LatLng, TravelMode

MAX_STOPS = 25
"""Intermediate stops of a route, in both generations
(https://developers.google.com/maps/documentation/routes/intermed_waypoints,
https://developers.google.com/maps/documentation/directions/get-directions#Waypoints)."""

_GOOGLE_ID = re.compile(r"[A-Za-z0-9_-]{10,}")
"""Ids are opaque text (https://developers.google.com/maps/documentation/places/web-service/place-id); this
tells them from places of our own making ("here", "point:60.1,24.9")."""


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
