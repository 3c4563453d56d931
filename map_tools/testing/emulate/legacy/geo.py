"""The Geocoding and Time Zone endpoints.

https://developers.google.com/maps/documentation/geocoding/requests-geocoding and
https://developers.google.com/maps/documentation/timezone/requests-timezone.
"""

from zoneinfo import ZoneInfo

from map_tools.compute.zone import local_zone
from map_tools.testing.emulate.addresses import title_of
from map_tools.testing.emulate.backend import Backend
from map_tools.testing.emulate.ids import google_id
from map_tools.testing.emulate.kinds import types_of
from map_tools.testing.emulate.legacy.envelope import (
    INVALID_REQUEST,
    OK,
    ZERO_RESULTS,
    Json,
    LegacyStatusError,
    Parameters,
)
from map_tools.testing.emulate.legacy.shapes import address_components, geometry
from map_tools.types import LatLng, Place, RankBy

_REVERSE_RADIUS_M = 250.0
"""How far from a position an address may lie that is given for it."""
_REVERSE_LOOKED_AT = 60
_MOST_RESULTS = 5


async def geocode(backend: Backend, given: Parameters) -> Json:
    """`geocode`: places for an address, or addresses for a position or a place id."""
    point, text, place_id = given.position("latlng"), given.text("address"), given.text("place_id")
    if point is not None:
        places = await _addresses_at(backend, point)
    elif place_id:
        places = [await backend.place(place_id)]
    elif text:
        found = await backend.provider.find_place(text, limit=_MOST_RESULTS)
        places = [candidate.place for candidate in found if candidate.score >= found[0].score]
    else:
        raise LegacyStatusError(INVALID_REQUEST, "One of 'address', 'latlng' and 'place_id' is needed.")
    results = [_result(place) for place in places if place.location is not None]
    return {"results": results, "status": OK if results else ZERO_RESULTS}


async def time_zone(backend: Backend, given: Parameters) -> Json:
    """`timezone`: the zone at a position and its offsets at a moment. `timeZoneName` is an abbreviation."""
    point, moment = given.position("location"), given.moment("timestamp", backend)
    if point is None or moment is None:
        missing = "location" if point is None else "timestamp"
        raise LegacyStatusError(INVALID_REQUEST, f"The parameter '{missing}' is missing.")
    zone = local_zone(point)
    local = moment.astimezone(ZoneInfo(zone))
    offset, saving = local.utcoffset(), local.dst()
    total_s = int(offset.total_seconds()) if offset is not None else 0
    saving_s = int(saving.total_seconds()) if saving is not None else 0
    return {
        "dstOffset": saving_s,
        "rawOffset": total_s - saving_s,
        "status": OK,
        "timeZoneId": zone,
        "timeZoneName": local.tzname() or zone,
    }


async def _addresses_at(backend: Backend, point: LatLng) -> list[Place]:
    """Places with an address around a position, the nearest first."""
    found = await backend.provider.nearby(
        point, radius_m=_REVERSE_RADIUS_M, rank=RankBy.DISTANCE, limit=_REVERSE_LOOKED_AT
    )
    return [item.place for item in found if item.place.address][:_MOST_RESULTS]


def _result(place: Place) -> Json:
    """A geocoded place; `formatted_address` is its name where it has no address (a town, a park)."""
    shape = geometry(place) or {}
    exact = any(part["types"] == ["street_number"] for part in address_components(place))
    return {
        "address_components": address_components(place),
        "formatted_address": place.address or title_of(place),
        "geometry": shape | {"location_type": "ROOFTOP" if exact else "GEOMETRIC_CENTER"},
        "place_id": google_id(place.id),
        "types": list(types_of(place)),
    }
