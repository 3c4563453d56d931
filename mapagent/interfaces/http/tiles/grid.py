"""The grid of web map tiles: Web Mercator, z/x/y from the north-west.

WebMercatorQuad of https://docs.ogc.org/is/17-083r4/17-083r4.html.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mapagent.interfaces.http.tiles.mvt import EXTENT

MAX_ZOOM = 14
"""A unit of a tile of this zoom is 0.6 m at the equator: closer views are drawn from the same tiles."""
MARGIN = 64
"""Units around a tile that are drawn too, so that lines do not end at its edge."""
_MAX_LAT = math.degrees(math.atan(math.sinh(math.pi)))
"""Where the square of Web Mercator ends."""

type Numbers = npt.NDArray[np.float64]


def unit(positions: Numbers) -> Numbers:
    """(longitude, latitude) in degrees to (x, y) of the unit square, y downwards."""
    lats = np.radians(np.clip(positions[:, 1], -_MAX_LAT, _MAX_LAT))
    x = positions[:, 0] / 360.0 + 0.5
    y = 0.5 - np.arcsinh(np.tan(lats)) / (2.0 * math.pi)
    return np.column_stack((x, y))


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile by zoom, column and row."""

    z: int
    x: int
    y: int

    @property
    def exists(self) -> bool:
        """Whether the grid has it, within the zooms that are made."""
        side = 1 << self.z if 0 <= self.z <= MAX_ZOOM else 0
        return 0 <= self.x < side and 0 <= self.y < side

    def of_unit(self, positions: Numbers) -> Numbers:
        """Positions of the unit square in the tile's own units."""
        side = 1 << self.z
        return np.asarray((positions * side - (self.x, self.y)) * EXTENT, np.float64)

    def box(self) -> tuple[float, float, float, float]:
        """West, north, east, south of the tile with its margin, in the unit square."""
        side = 1 << self.z
        more = MARGIN / EXTENT
        return (
            (self.x - more) / side,
            (self.y - more) / side,
            (self.x + 1 + more) / side,
            (self.y + 1 + more) / side,
        )

    def degrees(self) -> tuple[float, float, float, float]:
        """South, west, north, east of the tile without its margin."""
        side = 1 << self.z
        north, south = (
            math.degrees(math.atan(math.sinh(math.pi * (1 - 2 * row / side)))) for row in (self.y, self.y + 1)
        )
        return south, self.x / side * 360.0 - 180.0, north, (self.x + 1) / side * 360.0 - 180.0
