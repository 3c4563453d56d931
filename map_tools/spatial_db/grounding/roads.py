"""Roads by name and number ("I-95" and "Interstate 95" are one), and the corners where two of them meet."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from map_tools.compute.geodesy import distance_m
from map_tools.errors import PlaceNotFoundError
from map_tools.maps.search.names import canonical
from map_tools.spatial_db.grounding.vocabulary import read_data
from map_tools.spatial_db.memory.engine import MemoryEngine
from map_tools.types import LatLng

ROADS = "roads"
MAX_GAP_M = 100.0
"""Two streets that come no nearer to each other have no corner."""
ALIKE = 0.9
"""A name less like the words is not the street that was meant."""

_NUMBERED = re.compile(r"(?P<class>[a-z][a-z ]*?) ?(?P<number>\d+[a-z]?)(?P<rest>(?: .*)?)")


def road_spellings(name: str) -> Iterator[str]:
    """The name, and for a numbered road its other spellings ("US-17": "us highway 17", ...)."""
    yield name
    match = _NUMBERED.fullmatch(canonical(name))
    if match is None:
        return
    for group in _designations():
        if match["class"] in group:
            others = (words for words in group if words != match["class"])
            yield from (f"{words} {match['number']}{match['rest']}" for words in others)


@lru_cache(maxsize=1)
def _designations() -> tuple[Sequence[str], ...]:
    """Words of each class of roads, in the form of `canonical`."""
    groups = read_data("roads.toml")["designations"].values()
    return tuple(tuple(dict.fromkeys(map(canonical, group))) for group in groups)


@dataclass(frozen=True, slots=True)
class Corner:
    """Where two streets meet; `gap_m` is how far apart they come nearest, 0 if they touch."""

    at: LatLng
    gap_m: float


def corner_of(engine: MemoryEngine, first: str, second: str) -> Corner:
    """Where two streets cross; else the middle of the closest pair of their points.

    Raises:
        PlaceNotFoundError: There is no such street, they do not meet, or they meet in places far from each
            other.
    """
    import shapely

    a, b = (shapely.union_all(_street(engine, name)) for name in (first, second))
    crossing = shapely.intersection(a, b)
    line = shapely.shortest_line(a, b)
    (lng1, lat1), (lng2, lat2) = line.coords
    gap_m = distance_m(LatLng(lat=lat1, lng=lng1), LatLng(lat=lat2, lng=lng2))
    if crossing.is_empty and gap_m > MAX_GAP_M:
        raise PlaceNotFoundError(
            f"'{first}' and '{second}' come no nearer to each other than {gap_m:.0f} m.",
            "Name two streets that meet.",
        )
    if not crossing.is_empty and _diagonal_m(crossing.bounds) > MAX_GAP_M:
        raise PlaceNotFoundError(
            f"'{first}' and '{second}' meet in places up to {_diagonal_m(crossing.bounds):.0f} m apart.",
            "Name something near the corner that is meant.",
        )
    point = shapely.centroid(crossing) if not crossing.is_empty else shapely.centroid(line)
    return Corner(LatLng(lat=point.y, lng=point.x), gap_m)


def _street(engine: MemoryEngine, name: str) -> Any:
    """All pieces of a street.

    Raises:
        PlaceNotFoundError: There is no such street.
    """
    written = (engine.find_name(spelling, fuzzy=False) for spelling in road_spellings(name))
    hits = [hit.ref for hits in written for hit in hits if hit.ref.table == ROADS]
    if not hits and canonical(name):
        found = [hit for hit in engine.find_name(name) if hit.ref.table == ROADS]
        hits = [hit.ref for hit in found if hit.score >= ALIKE]
    shapes = engine.tables[ROADS].shapes if ROADS in engine.tables else None
    if not hits or shapes is None:
        raise PlaceNotFoundError(f"There is no street '{name}' here.", "Check the spelling.")
    return shapes.geometries(np.array([ref.row for ref in hits]))


def _diagonal_m(bounds: tuple[float, float, float, float]) -> float:
    """The diagonal of a box given as west, south, east, north."""
    west, south, east, north = bounds
    return distance_m(LatLng(lat=south, lng=west), LatLng(lat=north, lng=east))
