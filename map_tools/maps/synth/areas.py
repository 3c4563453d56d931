"""The areas of a city: the city itself, its districts, parks and a lake inside blocks."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from map_tools.maps.synth.grid import Grid, degrees
from map_tools.maps.synth.words import made_up_name
from map_tools.types import LatLng

DISTRICTS_A_SIDE = 4
MARGIN_M = 15.0
"""Between a park and the streets around its block."""


type Box = tuple[float, float, float, float]
"""West, south, east and north, in metres from the middle of the city."""


class AreaKind(StrEnum):
    """What an area is."""

    CITY = "city"
    DISTRICT = "district"
    PARK = "park"
    LAKE = "lake"


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle.

    Attributes:
        number: Its number among the areas, from 1.
        corners: Its outline; the first corner is the last one as well.
    """

    number: int
    kind: AreaKind
    name: str
    corners: tuple[LatLng, ...]

    def contains(self, at: LatLng) -> bool:
        """Whether a position lies inside."""
        south_west, north_east = self.corners[0], self.corners[2]
        return south_west.lat < at.lat < north_east.lat and south_west.lng < at.lng < north_east.lng


def areas(dice: np.random.Generator, grid: Grid, half_m: float, parks: int) -> Iterator[Area]:
    """The city, its districts, a lake, and so many parks (fewer if there are not so many blocks)."""
    names = _names(dice)
    boxes = ((-half_m, -half_m, half_m, half_m), *_districts(half_m), *_blocks(dice, grid, parks + 1))
    first_lake = 1 + DISTRICTS_A_SIDE**2
    for index, box in enumerate(boxes):
        if index >= first_lake:
            kind = AreaKind.PARK if index > first_lake else AreaKind.LAKE
        else:
            kind = AreaKind.DISTRICT if index else AreaKind.CITY
        name = next(names) if kind is AreaKind.CITY else f"{next(names)} {kind.value.capitalize()}"
        yield Area(index + 1, kind, name, _corners(*box))


def _districts(half_m: float) -> Iterator[Box]:
    side = 2 * half_m / DISTRICTS_A_SIDE
    for index in range(DISTRICTS_A_SIDE**2):
        row, column = divmod(index, DISTRICTS_A_SIDE)
        west, south = column * side - half_m, row * side - half_m
        yield west, south, west + side, south + side


def _blocks(dice: np.random.Generator, grid: Grid, count: int) -> Iterator[Box]:
    """The insides of so many blocks."""
    blocks = grid.count - 1
    for block in dice.permutation(blocks**2)[:count].tolist():
        row, column = divmod(block, blocks)
        west, east = grid.easts[column : column + 2].tolist()
        south, north = grid.norths[row : row + 2].tolist()
        yield west + MARGIN_M, south + MARGIN_M, east - MARGIN_M, north - MARGIN_M


def _corners(west: float, south: float, east: float, north: float) -> tuple[LatLng, ...]:
    corners = ((west, south), (east, south), (east, north), (west, north), (west, south))
    return tuple(degrees(*corner) for corner in corners)


def _names(dice: np.random.Generator) -> Iterator[str]:
    taken: set[str] = set()
    while True:
        name = made_up_name(dice)
        if name not in taken:
            taken.add(name)
            yield name
