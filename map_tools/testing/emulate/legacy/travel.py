"""What Directions and Distance Matrix share: modes, times, stops, amounts.

Parameters: https://developers.google.com/maps/documentation/directions/get-directions.
"""

from dataclasses import dataclass
from datetime import datetime

from map_tools.errors import PlaceNotFoundError
from map_tools.providers.base import Spot
from map_tools.testing.emulate.addresses import title_of
from map_tools.testing.emulate.amounts import distance_text, duration_text
from map_tools.testing.emulate.backend import Backend, position_in
from map_tools.testing.emulate.ids import google_id
from map_tools.testing.emulate.kinds import types_of
from map_tools.testing.emulate.legacy.envelope import INVALID_REQUEST, OK, Json, LegacyStatusError, Parameters
from map_tools.types import Place, TravelMode

_PLACE_ID = "place_id:"
_VIA = "via:"


@dataclass(frozen=True, slots=True)
class Stop:
    """A stop as it was found. `via`: the route passes it without a leg of its own."""

    spot: Spot
    via: bool = False

    @property
    def address(self) -> str:
        """The line shown for it."""
        if isinstance(self.spot, Place):
            return self.spot.address or title_of(self.spot)
        return str(self.spot)

    def geocoded(self) -> Json:
        """Its entry in `geocoded_waypoints`; empty for a bare position."""
        if not isinstance(self.spot, Place):
            return {}
        return {
            "geocoder_status": OK,
            "place_id": google_id(self.spot.id),
            "types": list(types_of(self.spot)),
        }


def mode_of(given: Parameters) -> TravelMode:
    """The mode asked for; driving if none is.

    Raises:
        LegacyStatusError: There is no such mode.
    """
    word = given.text("mode") or TravelMode.DRIVING.value
    try:
        return TravelMode(word)
    except ValueError as error:
        raise LegacyStatusError(INVALID_REQUEST, f"The mode '{word}' is unknown.") from error


def departure_of(backend: Backend, given: Parameters, mode: TravelMode) -> datetime | None:
    """The time of departure; one in the past is refused except by public transport."""
    moment = given.moment("departure_time", backend)
    past = moment is not None and int(moment.timestamp()) < int(backend.clock.now().timestamp())
    if past and mode is not TravelMode.TRANSIT:
        raise LegacyStatusError(INVALID_REQUEST, "departure_time is in the past.")
    if moment is not None and given.text("arrival_time"):
        raise LegacyStatusError(INVALID_REQUEST, "Give departure_time or arrival_time, not both.")
    return moment


async def stop_of(backend: Backend, text: str) -> Stop:
    """A stop given as "lat,lng", "place_id:ID" or words, any of them behind "via:"."""
    via = text.startswith(_VIA)
    words = text.removeprefix(_VIA).strip()
    if words.startswith(_PLACE_ID):
        return Stop(await backend.place(words.removeprefix(_PLACE_ID)), via)
    point = position_in(words)
    return Stop(point if point is not None else await backend.first_match(words), via)


async def stop_or_none(backend: Backend, text: str) -> Stop | None:
    """As `stop_of`; None if it is not found."""
    try:
        return await stop_of(backend, text.strip())
    except PlaceNotFoundError:
        return None


def metres(distance_m: float, *, imperial: bool) -> Json:
    """A distance: the value in metres whatever the unit of the text."""
    return {"text": distance_text(distance_m, imperial=imperial), "value": round(distance_m)}


def seconds(duration_s: float) -> Json:
    """A duration in seconds with its text."""
    return {"text": duration_text(duration_s), "value": round(duration_s)}
