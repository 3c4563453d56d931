"""Draws a tile of a map: its shapes by layer, its best-known places, and the roads of the router.

The boxes of shapes are kept in memory, by layer (60 bytes a shape); the table of layers is `layers.toml`.
"""

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely

from map_tools.kinds.concepts import is_nameless
from map_tools.maps.feature import LINE_CODE, SHAPES, Shape
from map_tools.maps.store import MapStore
from mapagent.interfaces.http.tiles.grid import MARGIN, MAX_ZOOM, Numbers, Tile, unit
from mapagent.interfaces.http.tiles.mvt import EXTENT, Kind, Layer, Path

FEWEST_UNITS = 8
"""A shape smaller than this in both directions is less than a pixel of a tile 512 pixels wide."""
MOST_SHAPES = 4_000
"""Shapes of one tile; the largest ones are drawn."""
_CHUNK = 20_000
_READ = """
SELECT shapes.row, shapes.wkb, features.categories FROM shapes JOIN features ON features.row = shapes.row
WHERE shapes.row BETWEEN ? AND ?
"""


@dataclass(frozen=True, slots=True)
class TileLayer:
    """A layer: its name, the shape it draws (a code of `SHAPES`) and the first zoom level it is drawn at."""

    name: str
    shape: int
    zoom: int
    categories: frozenset[str]


@lru_cache(maxsize=1)
def layers() -> tuple[TileLayer, ...]:
    """All layers of lines and areas."""
    text = files("mapagent.interfaces.http.tiles").joinpath("layers.toml").read_text("utf-8")
    return tuple(
        TileLayer(
            name=entry["name"],
            shape=SHAPES.index(Shape(entry["shape"])),
            zoom=entry["zoom"],
            categories=frozenset(entry["categories"]),
        )
        for entry in tomllib.loads(text)["layers"]
    )


def layer_of(categories: Iterable[str], shape: int) -> int | None:
    """Number of the layer a feature belongs to, None if it is not drawn."""
    for number, layer in enumerate(layers()):
        if layer.shape == shape and not layer.categories.isdisjoint(categories):
            return number
    return None


@dataclass(frozen=True, slots=True)
class ShapeIndex:
    """Rows of the shapes that are drawn, the numbers of their layers, and their boxes.

    `boxes` has west, north, east, south of each in the unit square of Web Mercator.
    """

    rows: npt.NDArray[np.int64]
    layers: npt.NDArray[np.int64]
    boxes: Numbers

    def within(self, tile: Tile) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Rows and layer numbers of the shapes that are worth drawing on a tile, in the map's order."""
        return self.touching(tile.box(), tile.z)

    def touching(
        self, box: tuple[float, float, float, float], zoom: float
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The same for any box (west, north, east, south in the unit square) that is shown at a zoom."""
        west, north, east, south = box
        boxes = self.boxes
        sizes = np.maximum(boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]) * 2.0**zoom * EXTENT
        first_zooms = np.asarray([layer.zoom for layer in layers()])
        kept = (
            (boxes[:, 0] <= east)
            & (boxes[:, 2] >= west)
            & (boxes[:, 1] <= south)
            & (boxes[:, 3] >= north)
            & (sizes >= FEWEST_UNITS)
            & (first_zooms[self.layers] <= zoom)
        )
        found = np.flatnonzero(kept)
        if len(found) > MOST_SHAPES:
            found = np.sort(found[np.argpartition(-sizes[found], MOST_SHAPES)[:MOST_SHAPES]])
        return self.rows[found], self.layers[found]


def shape_index(store: MapStore) -> ShapeIndex:
    """Reads the boxes of all shapes of a map; takes about a second for 300,000."""
    rows: list[int] = []
    numbers: list[int] = []
    boxes: list[Numbers] = [np.empty((0, 4))]
    for chunk in _chunks(store):
        drawn = [
            (row, wkb, number)
            for row, wkb, categories in chunk
            if (number := layer_of(categories.split(","), int(store.shapes[row]))) is not None
        ]
        rows += [row for row, _, _ in drawn]
        numbers += [number for _, _, number in drawn]
        boxes.append(_boxes([wkb for _, wkb, _ in drawn]))
    return ShapeIndex(np.asarray(rows, np.int64), np.asarray(numbers, np.int64), np.concatenate(boxes))


def _chunks(store: MapStore) -> Iterator[list[tuple[int, bytes, str]]]:
    for first in range(0, len(store), _CHUNK):
        yield store.query(_READ, (first, first + _CHUNK - 1))


def _boxes(shapes: list[bytes]) -> Numbers:
    """West, north, east, south of each shape in the unit square."""
    bounds = shapely.bounds(shapely.from_wkb(np.asarray(shapes, object))).reshape(-1, 4)
    south_west, north_east = unit(bounds[:, :2]), unit(bounds[:, 2:])
    return np.column_stack((south_west[:, 0], north_east[:, 1], north_east[:, 0], south_west[:, 1]))


class Sea:
    """The pieces of a sea.

    Args:
        pieces: Shapely polygons in degrees (`MapStore.sea`).
    """

    def __init__(self, pieces: Sequence[Any]) -> None:
        self._pieces = np.asarray(pieces, object)
        self._tree = shapely.STRtree(shapely.transform(self._pieces, unit))

    def touching(self, box: tuple[float, float, float, float]) -> npt.NDArray[Any]:
        """The pieces that touch a box (west, north, east, south in the unit square of Web Mercator)."""
        west, north, east, south = box
        found: npt.NDArray[Any] = self._pieces[self._tree.query(shapely.box(west, north, east, south))]
        return found


PLACES = "place"
SEA = "sea"
MOST_PLACES = {10: 60, 11: 100, 12: 200, 13: 400}
"""Places of one tile by zoom; below the first zoom as there, at `MAX_ZOOM` all up to `ALL_PLACES`."""
ALL_PLACES = 5_000
SIMPLE_UNITS = 3.0
"""Below `MAX_ZOOM`, shapes may be off by so much: a fifth of a pixel of a tile 512 pixels wide."""
RANKS = 100
"""Ranks of places go from 0 (a country) to this."""

type Geometries = npt.NDArray[Any]
type Rows = npt.NDArray[np.integer[Any]]


def draw(store: MapStore, index: ShapeIndex, tile: Tile) -> bytes:
    """The tile, without roads; may be empty."""
    return _shapes(store, index, tile) + _places(store, tile)


def draw_sea(sea: Sea, tile: Tile) -> bytes:
    """The sea on a tile; empty where there is none."""
    pieces = sea.touching(tile.box())
    layer = Layer(SEA)
    cut = _fitted(pieces, tile)
    for _, paths in _paths_of(cut, np.zeros(len(cut), np.bool_)):
        layer.add(Kind.POLYGON, paths, {})
    return layer.encoded()


def _shapes(store: MapStore, index: ShapeIndex, tile: Tile) -> bytes:
    rows, numbers = index.within(tile)
    if not len(rows):
        return b""
    kinds = layers()
    drawn = [Layer(kind.name) for kind in kinds]
    lines = np.asarray([kind.shape == LINE_CODE for kind in kinds], np.bool_)[numbers]
    about = _about(store, rows[lines])
    geometries = _cut(store, rows, tile)
    for which, paths in _paths_of(geometries, lines):
        row, number = int(rows[which]), int(numbers[which])
        name, _ = about.get(row, ("", ""))
        drawn[number].add(Kind.LINE if lines[which] else Kind.POLYGON, paths, {"name": name} if name else {})
    return b"".join(layer.encoded() for layer in drawn)


def _cut(store: MapStore, rows: Rows, tile: Tile) -> Geometries:
    """The shapes in the tile's units, cut to the tile and its margin, outer rings clockwise on the screen."""
    found: dict[int, bytes] = dict(_select(store, "SELECT row, wkb FROM shapes WHERE row IN", rows))
    return _fitted(shapely.from_wkb(np.asarray([found[row] for row in rows.tolist()], object)), tile)


def _fitted(geometries: Geometries, tile: Tile) -> Geometries:
    """The same for shapes in degrees."""
    moved = shapely.transform(geometries, lambda positions: tile.of_unit(unit(positions)))
    cut = shapely.clip_by_rect(moved, -MARGIN, -MARGIN, EXTENT + MARGIN, EXTENT + MARGIN)
    if tile.z < MAX_ZOOM:
        cut = shapely.simplify(cut, SIMPLE_UNITS, preserve_topology=False)
    turned: Geometries = shapely.orient_polygons(cut, exterior_cw=False)
    return turned


def _paths_of(geometries: Geometries, lines: npt.NDArray[np.bool_]) -> Iterator[tuple[int, list[Path]]]:
    """The lines or rings of each geometry as (its number, points on the grid); done for all at once."""
    parts, owners = shapely.get_parts(geometries, return_index=True)
    kinds = shapely.get_dimensions(parts)
    for dimension, wanted in ((1, lines), (2, ~lines)):
        fitting = (kinds == dimension) & wanted[owners]
        strokes, stroke_owners = parts[fitting], owners[fitting]
        if dimension == 2:
            strokes, of_part = shapely.get_rings(strokes, return_index=True)
            stroke_owners = stroke_owners[of_part]
        points, of_stroke = shapely.get_coordinates(strokes, return_index=True)
        grid = list(map(tuple, np.rint(points).astype(np.int64).tolist()))
        ends = np.searchsorted(of_stroke, np.arange(len(strokes) + 1))
        paths = zip(stroke_owners.tolist(), pairwise(ends.tolist()), strict=True)
        for owner, group in groupby(paths, key=itemgetter(0)):
            yield owner, [grid[start:end] for _, (start, end) in group]


def _places(store: MapStore, tile: Tile) -> bytes:
    south, west, north, east = tile.degrees()
    rows, lats, lngs = store.spatial.in_box(south, west, north, east, ())
    pointlike = store.shapes[rows] != LINE_CODE
    rows, lats, lngs = rows[pointlike], lats[pointlike], lngs[pointlike]
    most = ALL_PLACES if tile.z == MAX_ZOOM else MOST_PLACES.get(tile.z, MOST_PLACES[min(MOST_PLACES)])
    importance = store.importance[rows]
    best = np.lexsort((rows, -importance))[: 2 * most]  # as many again, for some have no name
    about = _about(store, rows[best])
    layer = Layer(PLACES)
    positions = np.rint(tile.of_unit(unit(np.column_stack((lngs[best], lats[best])))))
    added = 0
    for row, (x, y), rank in zip(
        rows[best].tolist(), positions.astype(np.int64).tolist(), importance[best].tolist(), strict=True
    ):
        name, categories = about[row]
        attributes = _place(name, tuple(categories.split(",")), rank)
        if attributes is None:
            continue
        layer.add(Kind.POINT, [[(x, y)]], attributes)
        added += 1
        if added == most:
            break
    return layer.encoded()


def _place(name: str, categories: tuple[str, ...], importance: float) -> dict[str, str | int] | None:
    """What is said of a place; None for what nobody looks for by name."""
    if not name or is_nameless(categories):
        return None
    rank = RANKS - round(RANKS * min(max(importance, 0.0), 1.0))
    return {"name": name, "kind": categories[0], "rank": rank}


def _about(store: MapStore, rows: Rows) -> dict[int, tuple[str, str]]:
    """Names (empty where there is none) and joined categories by row."""
    found = _select(store, "SELECT row, tags ->> '$.name', categories FROM features WHERE row IN", rows)
    return {row: (name or "", categories) for row, name, categories in found}


def _select(store: MapStore, sql: str, rows: Rows) -> list[tuple[Any, ...]]:
    """Rows of the store's tables; SQLite takes 32,766 values at once, far more than a tile has."""
    marks = ",".join("?" * len(rows))
    return store.query(f"{sql} ({marks})", tuple(rows.tolist()))
