"""Searching around a shape: what lies in a park is near it, and a street is near along its whole length."""

import math
from collections.abc import Iterator

import numpy as np

from map_tools.compute.shapes import bounds, measuring
from map_tools.maps.geodesic import Floats, lat_margin_deg, sphere_m
from map_tools.maps.postings import Numbers
from map_tools.types import Box, LatLng, Shape

_FIRST_REACH_M = 150.0
_GROWTH = 4.0


class Around:
    """Distances from one shape.

    Args:
        shape: The shape.
        at: The point that stands for it: of what is equally far the nearest to this point comes first.
    """

    def __init__(self, shape: Shape, at: LatLng) -> None:
        self._box = bounds(shape)
        self._measure = measuring(shape)
        self._at = at

    def reaches(self, radius_m: float, limit: int | None) -> Iterator[float]:
        """Distances to search within, one after the other, until enough is found; the last is the radius."""
        reach = _FIRST_REACH_M
        while limit is not None and reach < radius_m:
            yield reach
            reach *= _GROWTH
        yield radius_m

    def box(self, reach_m: float) -> Box:
        """A box with everything this near; longitudes may run past ±180."""
        margin = lat_margin_deg(reach_m)
        south, north = self._box.south - margin, self._box.north + margin
        widest = max(abs(south), abs(north))
        width = 180.0 if widest >= 90 else min(margin / math.cos(math.radians(widest)), 180.0)
        return Box(south=south, west=self._box.west - width, north=north, east=self._box.east + width)

    def nearest(self, rows: Numbers, lats: Floats, lngs: Floats, radius_m: float) -> tuple[Numbers, Floats]:
        """Those of some rows within the radius, and how far each is, the nearest first."""
        if len(rows) == 0:
            return rows, np.empty(0, np.float64)
        distances = self._measure(lats, lngs)
        from_point = sphere_m(self._at.lat, self._at.lng, lats, lngs)
        order = np.lexsort((rows, from_point, distances))
        order = order[distances[order] <= radius_m]
        return rows[order], distances[order]
