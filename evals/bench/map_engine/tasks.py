"""What the engines are asked, with the truth: drawn from the city, not from a map that was built of it."""

import json
import random
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from map_tools.maps.geodesic import geodesic_m
from map_tools.maps.synth.city import City
from map_tools.maps.synth.places import SynthPlace
from map_tools.types import LatLng

KIND = ("amenity", "cafe")
"""What is searched for nearby; the category of our map and the tag of OpenStreetMap are the same word."""
RADIUS_M = 1_000.0
LIMIT = 15
NAMES, CENTERS, WAYS, MATRIX_SIDE = 30, 30, 10, 8
_SHORTEST_NAME = 9

type Point = tuple[float, float]
"""Latitude and longitude."""


@dataclass(frozen=True, slots=True)
class Tasks:
    """Everything that each engine is asked.

    Attributes:
        names: Names of places.
        misspelt: Pairs of a name with two slips, and the name.
        centers: Pairs of a position, and how far the nearest places of the kind are from it, in metres.
        ways: Pairs of positions.
        stops: Positions, for a square matrix of travel times.
        tag: Key and value of the kind searched for.
        radius_m, limit: How far to search for it, and how many places are wanted.
    """

    names: list[str]
    misspelt: list[tuple[str, str]]
    centers: list[tuple[Point, list[float]]]
    ways: list[tuple[Point, Point]]
    stops: list[Point]
    tag: tuple[str, str] = KIND
    radius_m: float = RADIUS_M
    limit: int = LIMIT

    def write(self, path: Path) -> None:
        """Writes them as one JSON object."""
        path.write_text(json.dumps(asdict(self), ensure_ascii=False), encoding="utf-8")


def draw(city: City, seed: int = 5) -> Tasks:
    """The same tasks for the same city."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    places = list(city.places())
    named = [place for place in places if len(place.name) >= _SHORTEST_NAME]
    kinds = [place for place in places if (place.kind.key, place.kind.value) == KIND]
    spots = [_point(place) for place in chance.sample(places, CENTERS + 2 * WAYS + MATRIX_SIDE)]
    centers, ends, stops = spots[:CENTERS], spots[CENTERS:-MATRIX_SIDE], spots[-MATRIX_SIDE:]
    names = [place.name for place in chance.sample(named, 2 * NAMES)]
    return Tasks(
        names=names[:NAMES],
        misspelt=[(misspelt(chance, name), name) for name in names[NAMES:]],
        centers=[(center, _nearest_m(center, kinds)) for center in centers],
        ways=list(zip(ends[::2], ends[1::2], strict=True)),
        stops=stops,
    )


def misspelt(chance: random.Random, name: str) -> str:
    """A name with two neighbouring letters swapped and, farther on, one left out."""
    swap = chance.randrange(1, len(name) // 2 - 1)
    drop = chance.randrange(len(name) // 2 + 1, len(name))
    return name[:swap] + name[swap + 1] + name[swap] + name[swap + 2 : drop] + name[drop + 1 :]


def _point(place: SynthPlace) -> Point:
    return place.at.lat, place.at.lng


def _nearest_m(center: Point, places: list[SynthPlace]) -> list[float]:
    """Distances of the nearest places within the radius, by a look at all of them."""
    at = LatLng(lat=center[0], lng=center[1])
    points = np.array([_point(place) for place in places], np.float64).reshape(-1, 2)
    away = np.sort(geodesic_m(at.lat, at.lng, points[:, 0], points[:, 1]))
    return [round(float(each), 3) for each in away[away <= RADIUS_M][:LIMIT]]
