"""What both services of the Routes API share: modes, times, waypoints, amounts.

https://developers.google.com/maps/documentation/routes/reference/rest/v2/TopLevel
"""

from map_tools.errors import PlaceNotFoundError
from map_tools.providers.base import Spot
from map_tools.testing.emulate.amounts import distance_text, duration_text
from map_tools.testing.emulate.backend import Backend
from map_tools.testing.emulate.new.bodies import RoutesBody, WaypointBody
from map_tools.testing.emulate.new.envelope import INVALID_ARGUMENT, Json, RpcError
from map_tools.testing.emulate.new.shapes import text
from map_tools.types import TravelMode

SERVICE = "routes.googleapis.com"
_MODES = {
    "TRAVEL_MODE_UNSPECIFIED": TravelMode.DRIVING,
    "DRIVE": TravelMode.DRIVING,
    "TWO_WHEELER": TravelMode.DRIVING,
    "BICYCLE": TravelMode.BICYCLING,
    "WALK": TravelMode.WALKING,
    "TRANSIT": TravelMode.TRANSIT,
}


def checked_mode(backend: Backend, asked: RoutesBody) -> TravelMode:
    """The mode, after the rules about times and traffic."""
    mode = _MODES[asked.travel_mode]
    traffic = asked.routing_preference not in {"ROUTING_PREFERENCE_UNSPECIFIED", "TRAFFIC_UNAWARE"}
    preferred = asked.routing_preference != "ROUTING_PREFERENCE_UNSPECIFIED"
    if preferred and mode is not TravelMode.DRIVING:
        raise RpcError(INVALID_ARGUMENT, "Routing preference cannot be set for WALK, BICYCLE or TRANSIT.")
    if asked.arrival_time is not None and mode is not TravelMode.TRANSIT:
        raise RpcError(INVALID_ARGUMENT, "An arrival time can be set for TRANSIT only.")
    if asked.departure_time is None or mode is TravelMode.TRANSIT:
        return mode
    if int(asked.departure_time.timestamp()) < int(backend.clock.now().timestamp()):
        raise RpcError(INVALID_ARGUMENT, "Timestamp must be set to a future time.")
    if mode is TravelMode.DRIVING and not traffic:
        raise RpcError(
            INVALID_ARGUMENT, "A departure time needs a routing preference that is aware of traffic."
        )
    return mode


async def spot_of(backend: Backend, stop: WaypointBody) -> Spot:
    """Where a waypoint is.

    Raises:
        RpcError: It is not said.
        PlaceNotFoundError: It is not found.
    """
    if stop.location is not None:
        return stop.location.lat_lng.lat_lng()
    if stop.place_id:
        return await backend.place(stop.place_id)
    if not stop.address:
        raise RpcError(INVALID_ARGUMENT, "A waypoint needs a location, a place_id or an address.")
    return await backend.first_match(stop.address)


async def spot_or_none(backend: Backend, stop: WaypointBody) -> Spot | None:
    """As `spot_of`; None if it is not found."""
    try:
        return await spot_of(backend, stop)
    except PlaceNotFoundError:
        return None


def amounts(distance_m: float | None, duration_s: float | None, *, imperial: bool) -> Json:
    """Distance and durations with their texts; a distance of 0 is left out, as the format does it."""
    told: Json = {}
    shown: Json = {}
    if distance_m is not None:
        if round(distance_m):
            told["distanceMeters"] = round(distance_m)
        shown["distance"] = text(distance_text(distance_m, imperial=imperial))
    if duration_s is not None:
        seconds = f"{round(duration_s)}s"
        words = text(duration_text(duration_s))
        told |= {"duration": seconds, "staticDuration": seconds}
        shown |= {"duration": words, "staticDuration": words}
    return told | ({"localizedValues": shown} if shown else {})
