"""Amounts and directions in the last words of a loop, and the observations that hold them."""

import math
import re
from collections.abc import Callable, Iterator, Sequence

from evals.methods.geo_react.results import Leaf, leaves
from map_tools.compute.distances import find_distances, parse_distance_m
from map_tools.compute.geodesy import OCTANT_DEG, WINDS, wind, wind_words
from map_tools.compute.numbers import find_numbers
from map_tools.compute.square import find_areas_m2, parse_area_m2
from map_tools.types import LatLng
from mapagent.answer import Quantity
from modules.spatial_database.tools.base import Observation

LEAST_SLACK, MOST_SLACK = 0.006, 0.05
"""Shares by which a number may differ from what was observed: rounded to three figures it differs by 0.5 % at
most, to two by 5 %."""
EXACT_BELOW = 100
"""Smaller whole numbers count something and are not rounded."""

_DEGREES = re.compile(r"(-?\d+(?:\.\d+)?)\s*(?:°|deg(?:rees?)?\b)", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![A-Za-z0-9.])-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[+-]?\d+)?", re.IGNORECASE)
_BARE = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?")
_AZIMUTH_WORDS = ("azimuth", "bearing", "direction", "angle", "deg", "wind")
"""Parts of the names of fields and columns that hold directions."""
_NO_AMOUNTS = re.compile(r"lat|lng|lon|latitude|longitude|(?:.*_)?id|(?:.*_)?(?:postcode|housenumber)")
"""Names of fields and columns whose numbers measure and count nothing."""
_UNITS = (("km2", 1e6), ("sq_km", 1e6), ("km", 1e3), ("hectare", 1e4), ("?", 1e3))
"""What a column's name says of its unit, in metres or square metres; without a name it may be kilometres."""


def quantity_in(words: str) -> Quantity | None:
    """An amount with its unit, or a bare number, which counts something; None if it says anything else."""
    areas, lengths = find_areas_m2(words), find_distances(words)
    if len(areas) == 1:
        return Quantity(value=areas[0], unit="m2")
    if len(lengths) == 1 and not areas:
        return Quantity(value=lengths[0].value, unit="m")
    if match := _DEGREES.search(words):
        return Quantity(value=float(match[1]) % 360, unit="deg")
    numbers = find_numbers(words)
    if len(numbers) == 1 and _BARE.fullmatch(words.strip(" .")):
        return Quantity(value=numbers[0].value, unit="count")
    return None


def is_amount(words: str) -> bool:
    """True if the words are an amount and nothing else: "5 km" is, "5 Mile House" is not."""
    said = words.strip(" .")
    whole = (_BARE, _DEGREES)
    return (
        parse_distance_m(said) is not None
        or parse_area_m2(said) is not None
        or any(pattern.fullmatch(said) for pattern in whole)
    )


def slack_of(words: str) -> float:
    """The share by which an amount may differ from what it was rounded from: half of its last decimal."""
    match = _NUMBER.search(words)
    number = abs(float(match[0].replace(",", ""))) if match else 0.0
    if match is None or number == 0:
        return LEAST_SLACK
    decimals = len(match[0].partition(".")[2])
    return min(MOST_SLACK, max(LEAST_SLACK, 0.5 * math.pow(10, -decimals) / number))


def with_amount(
    value: Quantity, observations: Sequence[Observation], slack: float = LEAST_SLACK
) -> tuple[Quantity, tuple[int, ...]]:
    """The amount as a tool gave it, unrounded, and the numbers (from 0) of the observations that hold it.

    `slack` is the share by which both may differ.
    """
    exact: dict[int, float] = {}
    for number, one in enumerate(observations):
        found = _amounts(one, measured=value.unit in {"m", "m2"}) if one.ok else ()
        near = min(found, key=lambda amount: abs(amount - value.value), default=None)
        if near is not None and _same(value.value, near, slack):
            exact[number] = near
    best = min(exact.values(), key=lambda amount: abs(amount - value.value), default=value.value)
    return value.model_copy(update={"value": best}), tuple(exact)


def with_wind(name: str, observations: Sequence[Observation]) -> tuple[int, ...]:
    """The numbers of the observations with an azimuth in the octant of a wind, or with its name."""
    return _where(observations, lambda one: name in map(wind, _azimuths(one)))


def with_point(point: LatLng, observations: Sequence[Observation]) -> tuple[int, ...]:
    """The numbers of the observations that hold a position, to three decimals of a degree."""
    wanted = {f"{point.lat:.3f}", f"{point.lng:.3f}"}
    return _where(
        observations,
        lambda one: (
            wanted
            <= {f"{number:.3f}" for _, value in leaves(one.result) for number in numbers_in(str(value))}
        ),
    )


def _where(observations: Sequence[Observation], holds: Callable[[Observation], bool]) -> tuple[int, ...]:
    return tuple(number for number, one in enumerate(observations) if one.ok and holds(one))


def _amounts(observation: Observation, *, measured: bool) -> Iterator[float]:
    """The amounts of an observation, and how many rows it has if these are all there are.

    `measured`: in metres or square metres, also where a column's name tells another unit.
    """
    result = observation.result or {}
    for name, value in leaves(result):
        number = _as_number(value)
        if number is None or _NO_AMOUNTS.fullmatch(name.casefold()):
            continue
        yield number
        if measured:
            yield from (number * scale for unit, scale in _UNITS if unit in name.casefold())
    rows = result.get("rows")
    if isinstance(rows, list) and len(rows) != 1 and not result.get("truncated"):  # one row may be a total
        yield float(len(rows))


def _as_number(value: Leaf) -> float | None:
    """A number, or a text that is one; names and addresses have numbers that are none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        return float(value.replace(",", "")) if _BARE.fullmatch(value) else None
    return float(value)


def _azimuths(observation: Observation) -> Iterator[float]:
    """Azimuths, and the middles of the winds that a direction is given as."""
    for name, value in leaves(observation.result):
        if isinstance(value, bool) or not any(word in name.casefold() for word in _AZIMUTH_WORDS):
            continue
        named = wind_words(value) if isinstance(value, str) else None
        number = _as_number(value)
        if named is not None:
            yield WINDS.index(named) * OCTANT_DEG
        elif number is not None:
            yield number % 360


def numbers_in(text: str) -> Iterator[float]:
    """All numbers in digits; digits inside of words are none."""
    return (float(match[0].replace(",", "")) for match in _NUMBER.finditer(text))


def _same(stated: float, observed: float, slack: float) -> bool:
    if stated.is_integer() and observed.is_integer() and abs(stated) < EXACT_BELOW:
        return stated == observed
    return abs(stated - observed) <= slack * abs(observed)
