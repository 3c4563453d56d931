"""The last words of a loop as a typed value, if an observation supports them.

The observations are the tools' typed results: records and single values, the places they name, their amounts and
directions.

Language understands, tools compute: a name must have been observed, and a number must be one that a tool gave
(in another unit, or rounded, it still is). What nothing supports is never given as the answer.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from map_tools.compute.geodesy import OCTANT_DEG, WINDS, wind, wind_words
from map_tools.compute.measures import find_areas_m2, find_distances, parse_area_m2, parse_distance_m
from map_tools.compute.scanning import find_numbers
from map_tools.text import normalise
from map_tools.types import LatLng, Place
from mapagent.core.answer import Named, NameSet, Quantity, Text, Value
from modules.spatial_database.tools.base import Observation

type Leaf = str | float | int | bool


def records(result: Any) -> Iterator[dict[str, Any]]:
    """The records in a result: rows under their columns, and objects."""
    if isinstance(result, dict):
        columns, rows = result.get("columns"), result.get("rows")
        if isinstance(columns, list) and isinstance(rows, list):
            yield from (dict(zip(map(str, columns), row, strict=False)) for row in rows)
        yield result
        for inner in result.values():
            yield from records(inner)
    elif isinstance(result, list):
        for inner in result:
            yield from records(inner)


def leaves(result: Any, name: str = "") -> Iterator[tuple[str, Leaf]]:
    """All single values with the name of their field; values of rows with that of their column."""
    if isinstance(result, dict):
        columns, rows = result.get("columns"), result.get("rows")
        if isinstance(columns, list) and isinstance(rows, list):
            for row in rows:
                for column, value in zip(columns, row, strict=False):
                    yield from leaves(value, str(column))
            result = {key: value for key, value in result.items() if key not in {"columns", "rows"}}
        for key, value in result.items():
            yield from leaves(value, key)
    elif isinstance(result, list):
        for inner in result:
            yield from leaves(inner, name)
    elif isinstance(result, str | float | int):
        yield name, result


ADDRESS = ("addr_street", "addr_city", "addr_state", "addr_postcode")
"""Address columns, in the order an address is written."""
_POINT = re.compile(r"POINT\s*\(\s*(-?\d+(?:\.\d+)?)\s+(-?\d+(?:\.\d+)?)\s*\)", re.IGNORECASE)
_PAIR = re.compile(r"(-?\d{1,2}\.\d+)\s*,\s*(-?\d{1,3}\.\d+)")


def point_in(text: str) -> LatLng | None:
    """The first position in a text: "POINT (lng lat)" or "lat, lng" with decimals."""
    if match := _POINT.search(text):
        lng, lat = float(match[1]), float(match[2])
    elif match := _PAIR.search(text):
        lat, lng = float(match[1]), float(match[2])
    else:
        return None
    return LatLng(lat=lat, lng=lng) if abs(lat) <= 90 and abs(lng) <= 180 else None


def place_called(words: str, result: Any) -> Place | None:
    """The place of this name or address in a tool's result; None if it tells nothing more of it."""
    found = (_place(words, record) for record in records(result))
    return next((place for place in found if place is not None), None)


def _place(words: str, record: dict[str, Any]) -> Place | None:
    """The place of a record that has this name or address, and a position or an address."""
    parts = ", ".join(str(record[part]) for part in ADDRESS if record.get(part) is not None)
    texts = [value for value in record.values() if isinstance(value, str)]
    if normalise(words) not in map(normalise, (*texts, parts)):
        return None
    lat, lng = (_coordinate(record, names) for names in (("lat", "latitude"), ("lng", "lon", "longitude")))
    located = LatLng(lat=lat, lng=lng) if lat is not None and lng is not None else point_in(" ".join(texts))
    address = record.get("address") or parts
    if located is None and not address:
        return None
    return Place(id=str(record.get("id", "")), name=words.strip(), location=located, address=address or None)


def _coordinate(record: dict[str, Any], names: Iterable[str]) -> float | None:
    found = next((record[name] for name in names if isinstance(record.get(name), int | float)), None)
    return None if found is None else float(found)


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


REFUSALS = frozenset({"", "unanswerable", "unknown", "none", "n a", "not found", "no answer"})
MAX_SHOWN = 60
"""Characters of an answer that is told to be wrong."""
_LISTS = (
    re.compile(r"\s*[;\n]\s*|\s*,\s+(?:and\s+)?"),
    re.compile(r"\s*[;\n]\s*|\s*,\s+(?:and\s+)?|\s+and\s+"),
)
"""What stands between names; "and" may also be part of one."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What is made of the last words.

    Attributes:
        value: The typed value; None for a refusal, or where nothing supports the words.
        support: Numbers (from 0) of the observations that support it.
        problem: Why it cannot be given, for the model; empty if it can, or is a refusal.
    """

    value: Value | None = None
    support: tuple[int, ...] = ()
    problem: str = ""


def judge(words: str, observations: Sequence[Observation]) -> Judged:
    """The value that the words state, with the observations that support it."""
    if normalise(words) in REFUSALS:
        return Judged()
    value, support = _typed(words, observations) or _names(words, observations)
    if support:
        return Judged(value, support)
    shown = words if len(words) <= MAX_SHOWN else f"{words[:MAX_SHOWN]}..."
    return Judged(
        problem=f"No observation holds '{shown}'. Answer what an observation says, look it up, or finish "
        "with Unanswerable."
    )


def _typed(words: str, observations: Sequence[Observation]) -> tuple[Value, tuple[int, ...]] | None:
    """A position, a direction or an amount; None for other words, or if a name is what was observed."""
    point = point_in(words)
    if point is not None:
        place = Place(id="", name="", location=point)
        return Named(name=words.strip(), place=place), with_point(point, observations)
    wind = wind_words(words)
    if wind is not None:
        return Text(text=words.strip(), topic="direction"), with_wind(wind, observations)
    amount = quantity_in(words)
    if amount is None or (not is_amount(words) and _observed(words, observations)):
        return None
    return with_amount(amount, observations, slack_of(words))


def _names(words: str, observations: Sequence[Observation]) -> tuple[Value, tuple[int, ...]]:
    """One name or several, each of which was observed; what was observed as a whole is one name."""
    whole = _observed(words, observations)
    if whole:
        return _named(words, observations, whole), whole
    for between in _LISTS:
        parts = tuple(part.strip() for part in between.split(words) if part.strip())
        support = [_observed(part, observations) for part in parts]
        if len(parts) > 1 and all(support):
            together = dict.fromkeys(number for found in support for number in found)
            return NameSet(names=parts), tuple(together)
    first = words.partition(",")[0]
    return _named(first, observations, found := _observed(first, observations)), found


def _observed(words: str, observations: Sequence[Observation]) -> tuple[int, ...]:
    wanted = normalise(words)
    return tuple(
        number
        for number, one in enumerate(observations)
        if wanted and one.ok and f" {wanted} " in f" {normalise(one.text)} "
    )


def _named(words: str, observations: Sequence[Observation], support: Sequence[int]) -> Named:
    """The name, with the place it is the name of where an observation tells more of it."""
    found = (place_called(words, observations[number].result) for number in reversed(support))
    return Named(name=words.strip(), place=next((place for place in found if place is not None), None))
