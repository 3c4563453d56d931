"""Draws a tile of a map: its shapes by layer, its best-known places, and the roads of the router."""

from collections.abc import Iterator
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely

from map_tools.kinds.concepts import is_nameless
from map_tools.maps.feature import LINE_CODE
from map_tools.maps.store import MapStore
from mapagent.interfaces.http.tiles.grid import MARGIN, MAX_ZOOM, Tile, unit
from mapagent.interfaces.http.tiles.mvt import EXTENT, Kind, Layer, Path
from mapagent.interfaces.http.tiles.shapes import Sea, ShapeIndex, layers

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
