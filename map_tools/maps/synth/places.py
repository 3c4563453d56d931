"""The places of a city: beside its streets, denser towards the middle, with all that people ask of places."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from map_tools.maps.synth.grid import Grid, degrees
from map_tools.maps.synth.words import Kind, Week, made_up_name, pick, words
from map_tools.types import LatLng, Review

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
