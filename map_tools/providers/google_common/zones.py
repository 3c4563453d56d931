"""The time zone of a place: Google tells an offset at best, the position tells the zone."""

from map_tools.compute.zone import local_zone
from map_tools.types import LatLng


def zone_at(position: LatLng | None) -> str | None:
    """The IANA zone at a position, None without one."""
    if position is None:
        return None

    return local_zone(position)
