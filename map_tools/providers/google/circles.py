"""A circle as smaller ones: the way to more than the 20 places that one search by type gives.

Seven circles of half the radius cover a circle: one in its middle, six around it (the disk covering problem,
https://mathworld.wolfram.com/DiskCoveringProblem.html).
"""

import math

from map_tools.compute.geodesy import destination
from map_tools.types import LatLng

OUTER = 6
MARGIN = 1.01
"""The circles are a little larger, for the globe is not flat: at 50 km the error is far below 1 %."""


def outer_centers(center: LatLng, radius_m: float) -> tuple[LatLng, ...]:
    """The middles of the six circles that cover what lies outside half the radius."""
    away_m = radius_m * math.sqrt(3) / 2
    return tuple(destination(center, index * 360 / OUTER, away_m) for index in range(OUTER))


def outer_radius_m(radius_m: float) -> float:
    """Their radius."""
    return radius_m / 2 * MARGIN
