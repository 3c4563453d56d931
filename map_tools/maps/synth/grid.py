"""The streets of a city: a grid of uneven lines, with gaps, one-way streets and streets for walkers.

Positions are metres east and north of the city's middle until `degrees` turns them into WGS84.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from map_tools.maps.synth.words import made_up_name, words
from map_tools.types import LatLng

CENTER = LatLng(lat=52.0, lng=9.0)
"""Latitude and longitude that cannot be mistaken for each other."""
METRES_A_DEGREE = 111_320.0
DIGITS = 7
"""OpenStreetMap's own precision (https://wiki.openstreetmap.org/wiki/Precision_of_coordinates)."""
BLOCK_M, UNEVEN = 150.0, 0.25
"""Mean distance of two lines, and the share by which it varies."""
FEWEST_LINES = 3
MAIN_EVERY = 4
"""Each such line is a main street, and so are the outermost ones: cars can leave every street."""
GAP_EVERY, GAP_SHARE = 3, 0.3
"""A street may be interrupted once in so many blocks, never beside another gap: a way round is near."""
ON_FOOT_SHARE, ONE_WAY_SHARE = 0.06, 0.2


type Floats = npt.NDArray[np.float64]


class StreetKind(StrEnum):
    """The values of OpenStreetMap's `highway` that the streets have."""

    MAIN = "secondary"
    SIDE = "residential"
    ON_FOOT = "pedestrian"


@dataclass(frozen=True, slots=True)
class Street:
    """A line of the grid.

    Attributes:
        name: Its name.
        eastward: It runs from west to east; else from south to north.
        line: Its number among the lines of its direction.
        kind: What it is.
        one_way: Cars go in its direction only.
    """

    name: str
    eastward: bool
    line: int
    kind: StreetKind
    one_way: bool

    @property
    def drives(self) -> bool:
        """Whether cars may use it."""
        return self.kind is not StreetKind.ON_FOOT


@dataclass(frozen=True, slots=True)
class Edge:
    """A piece of a street between two neighbouring junctions, in the street's direction."""

    start: int
    end: int
    street: Street


class Grid:
    """The streets of a city.

    Args:
        dice: Makes every choice.
        half_m: Half of the city's side.
    """

    def __init__(self, dice: np.random.Generator, half_m: float) -> None:
        self.count = max(FEWEST_LINES, round(2 * half_m / BLOCK_M) + 1)
        self.easts = _lines(dice, half_m, self.count)
        """Where the streets from south to north run."""
        self.norths = _lines(dice, half_m, self.count)
        self.streets = tuple(_streets(dice, self.count))
        self._gaps = _gaps(dice, self.streets, self.count)

    def junction(self, column: int, row: int) -> int:
        """The number of the junction of two lines."""
        return row * self.count + column

    def junctions(self) -> Iterator[LatLng]:
        """The positions of all junctions, by number."""
        for north in self.norths.tolist():
            for east in self.easts.tolist():
                yield degrees(east, north)

    def runs(self, street: Street) -> Iterator[list[int]]:
        """The uninterrupted parts of a street, as the numbers of their junctions."""
        run = [self._on(street, 0)]
        for block in range(self.count - 1):
            if self.is_gap(street, block):
                if len(run) > 1:
                    yield run
                run = []
            run.append(self._on(street, block + 1))
        if len(run) > 1:
            yield run

    def edges(self) -> Iterator[Edge]:
        """All pieces of streets."""
        for street in self.streets:
            for block in range(self.count - 1):
                if not self.is_gap(street, block):
                    yield Edge(self._on(street, block), self._on(street, block + 1), street)

    def is_gap(self, street: Street, block: int) -> bool:
        """Whether a street is interrupted between a junction and the next."""
        return bool(self._gaps[int(street.eastward), street.line, block])

    def beside(self, east: float, north: float) -> Street:
        """The nearest street to a position that is not interrupted there: of two that cross, one never is."""
        column, row = _nearest(self.easts, east), _nearest(self.norths, north)
        upward, across = self.streets[self.count + column], self.streets[row]
        near_across = abs(float(self.norths[row]) - north) <= abs(float(self.easts[column]) - east)
        nearest, other = (across, upward) if near_across else (upward, across)
        lines, along = (self.easts, east) if nearest.eastward else (self.norths, north)
        return other if self.is_gap(nearest, _block(lines, along)) else nearest

    def _on(self, street: Street, step: int) -> int:
        return self.junction(step, street.line) if street.eastward else self.junction(street.line, step)


def degrees(east_m: float, north_m: float) -> LatLng:
    """A position in WGS84, with the precision that maps are kept in."""
    lng = CENTER.lng + east_m / (METRES_A_DEGREE * np.cos(np.radians(CENTER.lat)))
    return LatLng(lat=round(CENTER.lat + north_m / METRES_A_DEGREE, DIGITS), lng=round(float(lng), DIGITS))


def _lines(dice: np.random.Generator, half_m: float, count: int) -> Floats:
    """Ascending positions from one edge of the city to the other."""
    widths = dice.uniform(1 - UNEVEN, 1 + UNEVEN, count - 1)
    starts = np.concatenate(([0.0], np.cumsum(widths)))
    lines: Floats = starts / starts[-1] * 2 * half_m - half_m
    return lines


def _streets(dice: np.random.Generator, count: int) -> Iterator[Street]:
    """The streets from west to east, then those from south to north, each in the order of the lines."""
    taken: set[str] = set()
    types = words().streets
    for eastward in (True, False):
        for line in range(count):
            draw, one_way = dice.random(2).tolist()
            is_main = line % MAIN_EVERY == 0 or line == count - 1
            kind = StreetKind.MAIN if is_main else StreetKind.SIDE
            if kind is StreetKind.SIDE and draw < ON_FOOT_SHARE:
                kind = StreetKind.ON_FOOT
            name = f"{made_up_name(dice)} {types[line % len(types)]}"
            while name in taken:
                name = f"{made_up_name(dice)} {types[line % len(types)]}"
            taken.add(name)
            yield Street(name, eastward, line, kind, kind is StreetKind.SIDE and one_way < ONE_WAY_SHARE)


def _gaps(dice: np.random.Generator, streets: tuple[Street, ...], count: int) -> npt.NDArray[np.bool_]:
    """Where streets are interrupted, by direction, line and block.

    Only on a coarse lattice, one for each direction and apart from each other: all other sides of the two
    blocks beside a gap are there. One-way streets have none, for their parts could not be reached.
    """
    gaps = np.zeros((2, count, count - 1), np.bool_)
    chosen = dice.random(gaps.shape) < GAP_SHARE
    for street in streets:
        shift = 1 if street.eastward else 2
        if street.kind is StreetKind.SIDE and not street.one_way and street.line % GAP_EVERY == shift:
            part = (int(street.eastward), street.line, slice(shift, count - 2, GAP_EVERY))
            gaps[part] = chosen[part]
    return gaps


def _nearest(lines: Floats, at: float) -> int:
    right = int(np.clip(np.searchsorted(lines, at), 1, len(lines) - 1))
    return right if lines[right] - at < at - lines[right - 1] else right - 1


def _block(lines: Floats, at: float) -> int:
    """Between which two lines a position lies, as the number of the first."""
    return int(np.clip(np.searchsorted(lines, at) - 1, 0, len(lines) - 2))
