"""What the engines are asked, with the truth: drawn from the city, not from a map that was built of it.

The whole of a city is also written as an OpenStreetMap extract, for engines that read nothing else.
"""

import json
import random
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path

import numpy as np

from map_tools.maps.geodesic import geodesic_m
from map_tools.maps.synth.city import City, SynthPlace
from map_tools.maps.synth.features import (
    AREA_IDS,
    AREA_TAGS,
    FIRST_NODE,
    place_tags,
    street_parts,
    street_tags,
)
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


type Tags = dict[str, str]
type Node = tuple[int, float, float, Tags]
type Way = tuple[int, list[int], Tags]
"""Number, numbers of its nodes, tags."""

_CORNERS = 4_000_000_000
"""The number of the first node that is a corner of an area."""


def write_city(city: City, path: Path) -> None:
    """Writes a file of the format its name says (".osm.pbf", ".osm"); the file must not exist."""
    import osmium

    kinds = osmium.osm.mutable
    with osmium.SimpleWriter(str(path)) as writer:
        for number, lat, lng, tags in _nodes(city):
            writer.add_node(kinds.Node(id=number, location=(lng, lat), tags=tags, version=1))
        for number, nodes, tags in _ways(city):
            writer.add_way(kinds.Way(id=number, nodes=nodes, tags=tags, version=1))


def _nodes(city: City) -> Iterator[Node]:
    """All nodes in the order of their numbers: places, junctions, corners of areas."""
    for place in city.places():
        yield place.number, place.at.lat, place.at.lng, place_tags(place, city.name)
    for number, at in enumerate(city.junctions):
        yield FIRST_NODE + number, at.lat, at.lng, {}
    numbers = count(_CORNERS)
    for area in city.areas:
        for corner in area.corners[:-1]:
            yield next(numbers), corner.lat, corner.lng, {}


def _ways(city: City) -> Iterator[Way]:
    """All ways in the order of their numbers: parts of streets, then areas."""
    for number, street, run in street_parts(city):
        yield number, [FIRST_NODE + junction for junction in run], street_tags(street)
    numbers = count(_CORNERS)
    for area in city.areas:
        nodes = [next(numbers) for _ in area.corners[:-1]]
        yield AREA_IDS + area.number, [*nodes, nodes[0]], {**AREA_TAGS[area.kind], "name": area.name}
