"""A way and its surroundings: how far places lie from it, and circles that cover it.

Positions are few kilometres apart, so the Earth is taken as flat around each place, with the radii of
curvature of the WGS84 ellipsoid at the latitude half-way: errors stay below a thousandth of the distance.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import ceil

import numpy as np
import numpy.typing as npt

from map_tools.compute.geodesy import distance_m
from map_tools.types import LatLng

type Floats = npt.NDArray[np.float64]

MAX_CIRCLES = 12
"""One search each: a long way is covered by fewer, wider circles, and the exact distance decides."""

_A_M = 6_378_137.0
_E2 = 6.69437999014e-3
"""Semi-major axis and first eccentricity squared of WGS84 (NIMA TR8350.2, tables 3.1 and 3.3)."""


def distances_to_way(places: Sequence[LatLng], way: Sequence[LatLng]) -> Floats:
    """The shortest distance of each place from a polyline, in metres.

    Args:
        places: Any positions, some kilometres from the way at most.
        way: The vertices of the polyline; at least one.

    Returns:
        One distance for each place.
    """
    return np.array([_to_way(place, way) for place in _as_radians(places)], np.float64)


def _to_way(place: Floats, way: Sequence[LatLng]) -> float:
    x, y = _offsets_m(place, _as_radians(way))
    if len(x) == 1:
        return float(np.hypot(x[0], y[0]))
    dx, dy = np.diff(x), np.diff(y)
    squared = dx * dx + dy * dy
    # Where on its segment (0 to 1) the foot of each perpendicular lies; one without length is its start.
    along = np.divide(-(x[:-1] * dx + y[:-1] * dy), squared, out=np.zeros_like(dx), where=squared > 0)
    along = np.clip(along, 0.0, 1.0)
    return float(np.hypot(x[:-1] + along * dx, y[:-1] + along * dy).min())


def covering_circles(way: Sequence[LatLng], buffer_m: float) -> tuple[tuple[LatLng, ...], float]:
    """Circles that together hold everything within `buffer_m` of a way.

    Centres lie on the way, at most s apart along it. Whatever is within the buffer of a point of the way is
    then within buffer + s/2 of a centre (triangle inequality), so nothing is missed.

    Returns:
        The centres, at most `MAX_CIRCLES`, and the common radius in metres.
    """
    lengths = _segment_lengths_m(way)
    total_m = float(lengths.sum())
    count = min(max(ceil(total_m / (2 * buffer_m)), 1), MAX_CIRCLES)
    spacing_m = total_m / count
    reached = np.concatenate(([0.0], np.cumsum(lengths)))
    stops = (np.arange(count) + 0.5) * spacing_m
    lats = np.interp(stops, reached, [vertex.lat for vertex in way])
    lngs = np.interp(stops, reached, np.unwrap([vertex.lng for vertex in way], period=360.0))
    centres = tuple(
        LatLng(lat=float(lat), lng=float((lng + 180.0) % 360.0 - 180.0))
        for lat, lng in zip(lats, lngs, strict=True)
    )
    return centres, buffer_m + spacing_m / 2


def disc_between(a: LatLng, b: LatLng) -> tuple[LatLng, float]:
    """Centre and radius, in metres, of the circle of which two positions are the ends of a diameter."""
    length_m = distance_m(a, b)
    (centre,), _ = covering_circles((a, b), max(length_m, 1.0))
    return centre, length_m / 2


def _segment_lengths_m(way: Sequence[LatLng]) -> Floats:
    vertices = _as_radians(way)
    return np.array(
        [float(np.hypot(*_offsets_m(start, end[np.newaxis]))[0]) for start, end in pairwise(vertices)],
        np.float64,
    )


def _as_radians(positions: Sequence[LatLng]) -> Floats:
    """Shape (n, 2): latitude and longitude in radians."""
    return np.radians(np.array([(one.lat, one.lng) for one in positions], np.float64).reshape(-1, 2))


def metres_per_degree(lat: float) -> tuple[float, float]:
    """Length of a degree of longitude and of one of latitude at a latitude in degrees."""
    normal, meridian = _radii_m(np.radians([lat]))
    per_lng = float(normal[0]) * np.cos(np.radians(lat))
    return float(np.radians(per_lng)), float(np.radians(meridian[0]))


def _offsets_m(origin: Floats, positions: Floats) -> tuple[Floats, Floats]:
    """How far east and north of the origin the positions lie, in metres."""
    middle = (positions[:, 0] + origin[0]) / 2
    normal, meridian = _radii_m(middle)
    turn = (positions[:, 1] - origin[1] + np.pi) % (2 * np.pi) - np.pi
    return normal * np.cos(middle) * turn, meridian * (positions[:, 0] - origin[0])


def _radii_m(latitudes: Floats) -> tuple[Floats, Floats]:
    """The radii of curvature in the prime vertical and along the meridian, at latitudes in radians."""
    w_squared = 1.0 - _E2 * np.sin(latitudes) ** 2
    return _A_M / np.sqrt(w_squared), _A_M * (1.0 - _E2) / w_squared**1.5
