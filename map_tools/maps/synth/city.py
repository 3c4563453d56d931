"""A synthetic city: streets, areas, buses and places, drawn from one seed.

Its areas are the city itself, its districts, parks and a lake inside blocks. Its buses run along its main streets, with
stops at their crossings and a timetable. Its places stand beside its streets, denser towards the middle, with all that
people ask of places.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np

from map_tools.maps.synth.grid import Grid, StreetKind, degrees
from map_tools.maps.synth.words import Kind, Week, made_up_name, pick, words
from map_tools.types import Box, LatLng, Review

FEATURES_A_KM2 = 600.0
PARK_SHARE, STOP_SHARE = 0.01, 0.03


class City:
    """A city with a given number of features.

    Args:
        seed: Decides everything.
        size: The number of features: areas, parts of streets, stops and places together.
    """

    def __init__(self, seed: int, size: int) -> None:
        self.seed, self.size = seed, size
        # Each part has dice of its own: a change to one leaves the others as they are.
        *seeds, self._place_seed = np.random.SeedSequence(seed).spawn(4)
        dice = [np.random.default_rng(each) for each in seeds]
        self._half_m = float(np.sqrt(size / FEATURES_A_KM2)) * 500.0
        self.grid = Grid(dice[0], self._half_m)
        self.areas: tuple[Area, ...] = tuple(
            areas(dice[1], self.grid, self._half_m, max(1, int(size * PARK_SHARE)))
        )
        self.transit: Transit = transit(dice[2], self.grid, int(size * STOP_SHARE))

    @cached_property
    def junctions(self) -> tuple[LatLng, ...]:
        """The positions of all junctions, by number."""
        return tuple(self.grid.junctions())

    @property
    def box(self) -> Box:
        """The rectangle it covers."""
        low, high = degrees(-self._half_m, -self._half_m), degrees(self._half_m, self._half_m)
        return Box(south=low.lat, west=low.lng, north=high.lat, east=high.lng)

    @property
    def name(self) -> str:
        """The city's name."""
        return self.areas[0].name

    def places(self) -> Iterator["SynthPlace"]:
        """As many places as are left of the size; the same ones each time."""
        parts = sum(1 for street in self.grid.streets for _ in self.grid.runs(street))
        count = self.size - len(self.areas) - len(self.transit.stops) - parts
        dice = np.random.default_rng(self._place_seed)
        return places(dice, self.grid, self._half_m, count)


DISTRICTS_A_SIDE = 4
MARGIN_M = 15.0
"""Between a park and the streets around its block."""


type Rectangle = tuple[float, float, float, float]
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


def _districts(half_m: float) -> Iterator[Rectangle]:
    side = 2 * half_m / DISTRICTS_A_SIDE
    for index in range(DISTRICTS_A_SIDE**2):
        row, column = divmod(index, DISTRICTS_A_SIDE)
        west, south = column * side - half_m, row * side - half_m
        yield west, south, west + side, south + side


def _blocks(dice: np.random.Generator, grid: Grid, count: int) -> Iterator[Rectangle]:
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


DENSITY = 2.5
"""Half of the city's side in standard deviations of the places' distances from the middle."""
SETBACK_M = 8.0
"""How far from the middle of its street a place lies."""
NUMBER_M = 5.0
"""Metres of a street for each house number; odd ones on its left side."""
NAME_PARTS = 8_000
"""Words that names are put together from, two each: far more pairs than places."""
HOURS_SHARE, ADDRESS_SHARE, PHONE_SHARE, RATED_SHARE, STEPS_SHARE, VEGETARIAN_SHARE = (
    0.5,
    0.6,
    0.3,
    0.8,
    0.3,
    0.4,
)
LOWEST_RATING, HIGHEST_RATING = 2.5, 5.0
PHONE = "+49 30 23125 {:03d}"
"""Numbers that are kept free for fiction
(https://www.bundesnetzagentur.de/DE/Fachthemen/Telekommunikation/Nummerierung/start.html)."""
_BATCH = 10_000
_DRAWS = 14


@dataclass(frozen=True, slots=True)
class SynthPlace:
    """A place; what it does not have is None or empty.

    Attributes:
        number: Its number among the places, from 1.
        street, house: Its address.
        steps: Whether one enters over steps; None: nobody says.
        price_level: 1 (inexpensive) to 4.
    """

    number: int
    kind: Kind
    name: str
    at: LatLng
    street: str | None = None
    house: int | None = None
    week: Week | None = None
    phone: str | None = None
    steps: bool | None = None
    cuisine: str | None = None
    vegetarian: bool | None = None
    price_level: int | None = None
    rating: float | None = None
    rating_count: int | None = None
    reviews: tuple[Review, ...] = ()


def places(dice: np.random.Generator, grid: Grid, half_m: float, count: int) -> Iterator[SynthPlace]:
    """So many places; what is drawn for one does not depend on the others."""
    name_parts = [made_up_name(dice) for _ in range(NAME_PARTS)]
    for first in range(0, count, _BATCH):
        size = min(_BATCH, count - first)
        spots = np.clip(dice.normal(0, half_m / DENSITY, (size, 2)), -half_m, half_m).tolist()
        draws = dice.random((size, _DRAWS)).tolist()
        for number, (spot, draw) in enumerate(zip(spots, draws, strict=True), first + 1):
            yield _place(number, draw, (spot[0], spot[1]), grid, name_parts)


def _place(
    number: int, draw: list[float], spot: tuple[float, float], grid: Grid, name_parts: list[str]
) -> SynthPlace:
    """A place made of a row of numbers from 0 up to 1."""
    known = words()
    kind = pick(known.kinds, draw[0])
    at, street, house = _beside_a_street(grid, spot, on_the_left=draw[1] < 0.5)
    addressed = draw[2] < ADDRESS_SHARE
    rated = kind.rated and draw[3] < RATED_SHARE
    rating = round(LOWEST_RATING + draw[4] * (HIGHEST_RATING - LOWEST_RATING), 1)
    return SynthPlace(
        number,
        kind,
        f"{pick(name_parts, draw[5])} {pick(name_parts, draw[6])} {_word(kind)}" if kind.named else "",
        at,
        street=street if addressed else None,
        house=house if addressed else None,
        week=pick(known.weeks, draw[7] / HOURS_SHARE) if draw[7] < HOURS_SHARE else None,
        phone=PHONE.format(int(draw[8] / PHONE_SHARE * 1000)) if draw[8] < PHONE_SHARE else None,
        steps=draw[9] < STEPS_SHARE / 2 if draw[9] < STEPS_SHARE else None,
        cuisine=pick(known.cuisines, draw[10]) if kind.eats else None,
        vegetarian=True if kind.eats and draw[11] < VEGETARIAN_SHARE else None,
        price_level=1 + int(4 * draw[12]) if kind.eats else None,
        rating=rating if rated else None,
        rating_count=1 + int(400 * draw[13] ** 3) if rated else None,
        reviews=tuple(_reviews(draw[13], rating)) if rated else (),
    )


def _beside_a_street(grid: Grid, spot: tuple[float, float], *, on_the_left: bool) -> tuple[LatLng, str, int]:
    """The position, the street and the house number nearest to a spot."""
    east, north = spot
    street = grid.beside(east, north)
    along = east if street.eastward else north
    lines, start = (grid.norths, grid.easts[0]) if street.eastward else (grid.easts, grid.norths[0])
    to_the_left = SETBACK_M if street.eastward == on_the_left else -SETBACK_M
    across = float(lines[street.line]) + to_the_left
    step = int((along - float(start)) / NUMBER_M)
    house = 2 * (step // 2) + (1 if on_the_left else 2)
    at = degrees(along, across) if street.eastward else degrees(across, along)
    return at, street.name, house


def _word(kind: Kind) -> str:
    return kind.value.replace("_", " ").capitalize()


def _reviews(draw: float, rating: float) -> Iterator[Review]:
    """Up to three reviews in the tone of the rating."""
    tone = "good" if rating >= 4.2 else "fair" if rating >= 3.4 else "poor"
    texts = words().reviews[tone]
    digits = int(draw * 1_000_000)
    for index in range(digits % 4):
        yield Review(
            text=texts[(digits // 10 + index) % len(texts)],
            author=f"Guest {digits // 100 % 900 + index}",
            rating=float(round(rating)),
        )
