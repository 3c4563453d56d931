"""What part of the world a picture shows, in the projection that web maps have (Web Mercator)."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from mapagent.interfaces.http.tiles.grid import unit
from mapagent.interfaces.takeaway.features import Feature
from mapagent.interfaces.takeaway.ground import Box

EQUATOR_M = 2 * math.pi * 6_378_137.0
"""Length of the equator: the semi-major axis of WGS84 (NIMA TR8350.2, table 3.1)."""
TILE_PX = 512
"""Pixels that the world is wide at zoom 0, as MapLibre counts zooms."""
MARGIN = 0.1
"""Free space around what is shown, as a share of its size."""
LEAST_M = 250.0
"""So much is shown at least, lest a single place fill the picture."""
_STEPS = (1, 2, 5)

type Points = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class View:
    """A picture's part of the unit square.

    Attributes:
        west, north: Its upper left corner.
        world_px: Pixels that the whole unit square would be wide.
        metres_per_px: On the ground, in the middle of the picture.
    """

    west: float
    north: float
    width_px: int
    height_px: int
    world_px: float
    metres_per_px: float

    @classmethod
    def of(cls, features: Iterable[Feature], width_px: int, height_px: int) -> "View":
        """The view that holds all of some features, at least one of which has a position."""
        degrees = np.array([position for feature in features for position in positions(feature)], np.float64)
        spots = unit(degrees)
        low, high = spots.min(axis=0), spots.max(axis=0)
        middle = (low + high) / 2
        # Mercator stretches by the secant of the latitude, which is cosh of its own ordinate.
        metres = EQUATOR_M / math.cosh(2 * math.pi * (0.5 - float(middle[1])))
        wide, high_ = np.maximum(high - low, LEAST_M / metres) * (1 + 2 * MARGIN)
        world_px = float(min(width_px / wide, height_px / high_))
        west, north = middle - np.array([width_px, height_px]) / 2 / world_px
        return cls(float(west), float(north), width_px, height_px, world_px, metres / world_px)

    @property
    def zoom(self) -> float:
        """The zoom level that web maps call this."""
        return math.log2(self.world_px / TILE_PX)

    @property
    def box(self) -> Box:
        """West, north, east, south in the unit square."""
        east, south = self.west + self.width_px / self.world_px, self.north + self.height_px / self.world_px
        return self.west, self.north, east, south

    def px(self, spots: Points) -> list[tuple[float, float]]:
        """Positions of the unit square in pixels, x to the right and y down."""
        moved = (spots - (self.west, self.north)) * self.world_px
        return [(x, y) for x, y in moved.tolist()]

    def scale_bar_m(self) -> float:
        """The greatest of 1, 2 or 5 times a power of ten that fits a fifth of the picture's width."""
        most_m = self.metres_per_px * self.width_px / 5
        power = 10.0 ** math.floor(math.log10(most_m))
        return max(step * power for step in _STEPS if step * power <= most_m)


def positions(feature: Feature) -> Iterator[list[float]]:
    """All positions of a feature, longitude first."""
    geometry = feature["geometry"]
    if geometry is not None:
        yield from _flat(geometry["coordinates"])


def lines(feature: Feature) -> list[Points]:
    """The lines, or the rings of all areas, of a feature in the unit square."""
    return [unit(np.array(line, np.float64)) for line in _lines(feature["geometry"]["coordinates"])]


def _flat(coordinates: Any) -> Iterator[list[float]]:
    if isinstance(coordinates[0], int | float):
        yield coordinates
        return
    for part in coordinates:
        yield from _flat(part)


def _lines(coordinates: Any) -> Iterator[list[list[float]]]:
    if isinstance(coordinates[0][0], int | float):
        yield coordinates
        return
    for part in coordinates:
        yield from _lines(part)
