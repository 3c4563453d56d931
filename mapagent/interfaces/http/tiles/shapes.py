"""Where the lines, the areas and the sea of a map are, and to which layer of a tile they go.

The boxes of shapes are kept in memory, by layer (60 bytes a shape); the table of layers is `layers.toml`.
"""

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely

from map_tools.maps.feature import SHAPES, Shape
from map_tools.maps.store import MapStore
from mapagent.interfaces.http.tiles.grid import Numbers, Tile, unit
from mapagent.interfaces.http.tiles.mvt import EXTENT

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
