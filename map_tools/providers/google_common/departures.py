"""When to leave: Google refuses departures in the past, so they are dropped, and the answer says so."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from map_tools.compute.zone import local_zone
from map_tools.providers.base import Spot
from map_tools.types import LatLng, TravelMode

TRANSIT_BACK = timedelta(days=7)
"""How far back timetables can be asked for (`departureTime` in
https://developers.google.com/maps/documentation/routes/reference/rest/v2/TopLevel/computeRoutes)."""


def departure(
    depart_at: datetime | None, origin: Spot, mode: TravelMode, now: datetime
) -> tuple[datetime | None, tuple[str, ...]]:
    """The departure in UTC as Google takes it, and notes on what was changed.

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
