"""The sea of a map: what lies to the right of its coastlines.

OpenStreetMap has no areas for the sea. A coastline has the land on its left and the water on its right
(https://wiki.openstreetmap.org/wiki/Tag:natural%3Dcoastline); together with the edge of the map, coastlines cut it
into faces, and which of them are sea, the coasts around them say.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from map_tools.maps.info import SEA_FILE
from map_tools.types import Box

MOST_POINTS = 1_000
"""Of one piece of the sea: a tile looks only at the pieces that it touches."""
_DEEPEST = 24
"""So often a piece is halved at most: to a metre of the whole world."""

type Position = tuple[float, float]
"""Longitude and latitude."""
type Coast = Sequence[Position]


def write_sea(folder: Path, coasts: Sequence[Coast], box: Box) -> None:
    """Writes the sea of a map into its folder, as well-known binary; nothing where the map has none."""
    import shapely

    pieces = [piece for face in sea_faces(coasts, box) for piece in _pieces(face, _DEEPEST)]
    if pieces:
        (folder / SEA_FILE).write_bytes(shapely.to_wkb(shapely.geometrycollections(pieces)))


def read_sea(folder: Path) -> list[Any]:
    """The pieces of the sea as shapely polygons; empty where the map has none.

    Raises:
        ValueError: The file is damaged.
    """
    import shapely

    path = folder / SEA_FILE
    if not path.is_file():
        return []
    try:
        return list(shapely.get_parts(shapely.from_wkb(path.read_bytes())))
    except shapely.GEOSException as error:
        raise ValueError(f"{SEA_FILE} cannot be read.") from error


def sea_faces(coasts: Sequence[Coast], box: Box) -> list[Any]:
    """The faces of the box that are sea, as shapely polygons.

    A coastline that ends within the box, as where the data goes less far than the box, is carried on straight to the
    nearest edge. A face that has coasts on both sides of them, as where one is missing, is what most of them say.
    """
    import shapely

    if box.west >= box.east or not coasts:
        return []
    lines = shapely.multilinestrings([shapely.linestrings(coast) for coast in coasts])
    edges = (box.west, box.south, box.east, box.north)
    cut = shapely.clip_by_rect(shapely.line_merge(lines, directed=True), *edges)
    inside = [part for part in shapely.get_parts(cut) if not part.is_empty]
    if not inside:
        return []
    drawn = [*inside, *_carried_on(inside, box), shapely.box(*edges).exterior]
    faces = shapely.get_parts(shapely.polygonize(shapely.get_parts(shapely.union_all(drawn))))
    ways = {pair for line in inside for pair in pairwise(line.coords)}
    return [face for face in shapely.orient_polygons(faces) if _is_sea(face, ways)]


def _carried_on(lines: Iterable[Any], box: Box) -> Iterator[Any]:
    """Straight lines from the loose ends of coasts to the nearest edge of the box."""
    import shapely

    ends: Counter[Position] = Counter()
    for line in lines:
        first, *_, last = line.coords
        ends.update((first, last))
    for (lng, lat), number in ends.items():
        to_edge = (
            (lng - box.west, (box.west, lat)),
            (box.east - lng, (box.east, lat)),
            (lat - box.south, (lng, box.south)),
            (box.north - lat, (lng, box.north)),
        )
        away, edge = min(to_edge)
        if number == 1 and away > 0:
            yield shapely.linestrings([(lng, lat), edge])


def _is_sea(face: Any, ways: set[tuple[Position, Position]]) -> bool:
    """Whether most of the coast around a face has it on its right; the face lies left of its own rings."""
    land = sea = 0.0
    for ring in (face.exterior, *face.interiors):
        for one, other in pairwise(ring.coords):
            length = abs(one[0] - other[0]) + abs(one[1] - other[1])
            if (one, other) in ways:
                land += length
            elif (other, one) in ways:
                sea += length
    return sea > land


def _pieces(area: Any, deepest: int) -> Iterator[Any]:
    """The area cut into halves until each has few points."""
    import shapely

    if deepest == 0 or shapely.get_num_coordinates(area) <= MOST_POINTS:
        yield area
        return
    west, south, east, north = area.bounds
    if east - west > north - south:
        middle = (west + east) / 2
        halves = ((west, south, middle, north), (middle, south, east, north))
    else:
        middle = (south + north) / 2
        halves = ((west, south, east, middle), (west, middle, east, north))
    for half in halves:
        for part in shapely.get_parts(shapely.clip_by_rect(area, *half)):
            if part.geom_type == "Polygon" and not part.is_empty:
                yield from _pieces(part, deepest - 1)
