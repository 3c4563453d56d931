"""The buses of a city: lines along its main streets, with stops at their crossings and a timetable."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from map_tools.maps.synth.grid import Grid, StreetKind

STOP_EVERY = 4
"""Junctions from a stop to the next."""
INTERVALS_MIN = (5, 10, 15, 20, 30)
MINUTES_A_STOP = 2
FIRST, LAST = "05:30", "23:30"
"""The first and the last departure."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A stop at a junction.

    Attributes:
        number: Its number among the stops, from 1.
        junction: The number of the junction.
        lines: The names of the lines that stop there.
    """

    number: int
    name: str
    junction: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A line, which goes both ways.

    Attributes:
        name: Its name ("3").
        stops: The numbers of its stops in order.
        every_min: Minutes from a departure to the next.
    """

    name: str
    stops: tuple[int, ...]
    every_min: int


@dataclass(frozen=True, slots=True)
class Transit:
    """All lines and stops."""

    stops: tuple[Stop, ...]
    lines: tuple[Line, ...]


def transit(dice: np.random.Generator, grid: Grid, most: int) -> Transit:
    """A line along each main street, as long as there are no more than `most` stops."""
    routes: dict[str, tuple[list[int], int]] = {}
    calls: dict[int, list[str]] = {}
    for junctions in _courses(grid):
        every_min = INTERVALS_MIN[int(dice.integers(len(INTERVALS_MIN)))]
        if len(calls.keys() | set(junctions)) > most:
            continue
        name = str(len(routes) + 1)
        routes[name] = (junctions, every_min)
        for junction in junctions:
            calls.setdefault(junction, []).append(name)
    numbers = {junction: number for number, junction in enumerate(sorted(calls), 1)}
    return Transit(
        tuple(
            Stop(number, _crossing(grid, junction), junction, tuple(calls[junction]))
            for junction, number in numbers.items()
        ),
        tuple(
            Line(name, tuple(numbers[junction] for junction in junctions), every_min)
            for name, (junctions, every_min) in routes.items()
        ),
    )


def _courses(grid: Grid) -> Iterator[list[int]]:
    """The junctions at which the buses along each main street stop."""
    for street in grid.streets:
        if street.kind is StreetKind.MAIN:  # main streets have no gaps
            (run,) = grid.runs(street)
            if len(run) > STOP_EVERY:
                yield run[::STOP_EVERY]


def _crossing(grid: Grid, junction: int) -> str:
    """The name of a stop: those of the two streets."""
    row, column = divmod(junction, grid.count)
    return f"{grid.streets[row].name} / {grid.streets[grid.count + column].name}"
