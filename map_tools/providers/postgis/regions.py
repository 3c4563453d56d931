"""The regions of a database: what they are, and which of them a place can lie in."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from map_tools.maps.geodesic import lat_margin_deg
from map_tools.maps.info import MapInfo
from map_tools.types import Box, LatLng


@dataclass(frozen=True, slots=True)
class Region:
    """One extract in the database.

    Attributes:
        number: Its number, which no other load of an extract ever gets.
        info: Its description.
        kinds: All category ids of its features.
        box: The box of the points of all its features.
    """

    number: int
    info: MapInfo
    kinds: frozenset[str]
    box: Box


def near_circle(regions: Iterable[Region], center: LatLng, radius_m: float) -> list[int]:
    """The numbers of the regions that can have points in a circle."""
    return [region.number for region in regions if _may_reach(region.box, center, radius_m)]


def _may_reach(box: Box, center: LatLng, radius_m: float) -> bool:
    margin = lat_margin_deg(radius_m)
    if not box.south - margin <= center.lat <= box.north + margin:
        return False
    widest = min(abs(center.lat) + margin, 90.0)
    width = margin / max(math.cos(math.radians(widest)), 1e-9)
    return (center.lng - box.west + width) % 360.0 <= (box.east - box.west) % 360.0 + 2 * width


def box_around(boxes: Iterable[Box]) -> Box:
    """One box around several; around the whole Earth where they lie on both sides of the antimeridian."""
    given = list(boxes)
    south, north = min(box.south for box in given), max(box.north for box in given)
    if len(given) > 1 and any(box.west > box.east for box in given):
        return Box(south=south, west=-180.0, north=north, east=180.0)
    west, east = min(box.west for box in given), max(box.east for box in given)
    return Box(south=south, west=west, north=north, east=east)


def holding(regions: Sequence[Region], positions: Sequence[LatLng]) -> list[Region]:
    """The regions whose extracts cover all of some positions, the largest first.

    A position that no extract covers counts for nothing.
    """
    covered = [at for at in positions if any(_covers(region.info.bbox, at) for region in regions)]
    found = [region for region in regions if all(_covers(region.info.bbox, at) for at in covered)]
    return sorted(found, key=lambda region: -_extent(region.info.bbox))


def _covers(box: Box, at: LatLng) -> bool:
    return box.south <= at.lat <= box.north and (at.lng - box.west) % 360.0 <= (box.east - box.west) % 360.0


def _extent(box: Box) -> float:
    return (box.north - box.south) * ((box.east - box.west) % 360.0)
