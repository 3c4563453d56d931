"""What there is to draw of a map, as its store holds it, and the frame: which pixel shows which place on earth.

Web Mercator as all web maps draw it, EPSG:3857 (https://epsg.io/3857; the tile scheme:
https://wiki.openstreetmap.org/wiki/Slippy_map_tilenames). Written apart from `map_tools.vision`, for whose
results it is the truth.
"""

import json
import sqlite3
from cmath import rect
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import atan, cos, degrees, hypot, log, pi, radians, sinh, tan
from pathlib import Path
from typing import Any

import numpy as np

from evals.generate.world import RawMap

TILE_PX = 256
EQUATOR_M = 40_075_016.686
"""Length of the equator of WGS84 (NIMA TR8350.2)."""


@dataclass(frozen=True)
class Frame:
    """A picture's place on earth.

    Attributes:
        lat, lng: What is shown in the middle of the picture, in degrees.
        zoom: Of the tile scheme; the whole world is 256 * 2**zoom pixels wide.
        width_px, height_px: Size of the picture.
        turn_deg: Clockwise angle from the top of the picture to north.
    """

    lat: float
    lng: float
    zoom: float
    width_px: int
    height_px: int
    turn_deg: float = 0.0

    def to_px(self, lat: float, lng: float) -> tuple[float, float]:
        """The pixel (x to the right, y down) that shows a position."""
        x0, y0 = self._world_px(self.lat, self.lng)
        x, y = self._world_px(lat, lng)
        shown = complex(x - x0, y - y0) * self._turn
        return shown.real + self.width_px / 2, shown.imag + self.height_px / 2

    def to_latlng(self, x: float, y: float) -> tuple[float, float]:
        """The position (latitude, longitude) that a pixel shows."""
        x0, y0 = self._world_px(self.lat, self.lng)
        size = self._size_px
        straight = complex(x - self.width_px / 2, y - self.height_px / 2) / self._turn
        wx, wy = x0 + straight.real, y0 + straight.imag
        return degrees(atan(sinh(pi * (1 - 2 * wy / size)))), wx / size * 360 - 180

    @property
    def metres_per_px(self) -> float:
        """Length on the ground of a pixel in the middle of the picture."""
        return EQUATOR_M * cos(radians(self.lat)) / self._size_px

    @property
    def radius_m(self) -> float:
        """From the middle to a corner."""
        return hypot(self.width_px, self.height_px) / 2 * self.metres_per_px

    @property
    def bbox(self) -> tuple[float, float, float, float]:
        """West, south, east and north of the corners in degrees."""
        corners = [self.to_latlng(x, y) for x in (0, self.width_px) for y in (0, self.height_px)]
        lats, lngs = zip(*corners, strict=True)
        return min(lngs), min(lats), max(lngs), max(lats)

    def wider(self, by_px: int) -> "Frame":
        """The frame with so many pixels more on every side."""
        return replace(self, width_px=self.width_px + 2 * by_px, height_px=self.height_px + 2 * by_px)

    def record(self) -> dict[str, Any]:
        """The frame for `frames.jsonl`."""
        west, south, east, north = self.bbox
        return {
            "center": {"lat": self.lat, "lng": self.lng},
            "zoom": self.zoom,
            "width_px": self.width_px,
            "height_px": self.height_px,
            "turn_deg": self.turn_deg,
            "metres_per_px": self.metres_per_px,
            "radius_m": self.radius_m,
            "bbox": {"west": west, "south": south, "east": east, "north": north},
        }

    @property
    def _turn(self) -> complex:
        return rect(1.0, radians(self.turn_deg))

    @property
    def _size_px(self) -> float:
        return float(TILE_PX * 2**self.zoom)

    def _world_px(self, lat: float, lng: float) -> tuple[float, float]:
        rad = radians(lat)
        mercator = log(tan(rad) + 1 / cos(rad))
        return (lng + 180) / 360 * self._size_px, (1 - mercator / pi) / 2 * self._size_px


@dataclass(frozen=True)
class Drawn:
    """A feature with its tags, the point that stands for it, and its shape.

    Attributes:
        osm: Its OpenStreetMap id, such as "w123".
        point: (latitude, longitude).
        shape: A shapely geometry in (longitude, latitude); None for a node.
    """

    osm: str
    tags: dict[str, str]
    point: tuple[float, float]
    shape: Any = None

    @property
    def name(self) -> str:
        """Its name; empty if it has none."""
        return self.tags.get("name", "").strip()


class Scene:
    """All features of a map.

    Args:
        raw: The map.
    """

    def __init__(self, raw: RawMap) -> None:
        self.raw = raw
        self._points = (np.load(_index(raw) / "lats.npy"), np.load(_index(raw) / "lngs.npy"))

    @cached_property
    def features(self) -> tuple[Drawn, ...]:
        """All features in the store's order."""
        return tuple(self._read())

    def within(self, bbox: tuple[float, float, float, float]) -> tuple[Drawn, ...]:
        """The features whose point or shape touches a box (west, south, east, north)."""
        from shapely import box

        area = box(*bbox)
        west, south, east, north = bbox
        return tuple(
            item
            for item in self.features
            if (
                area.intersects(item.shape)
                if item.shape is not None
                else south <= item.point[0] <= north and west <= item.point[1] <= east
            )
        )

    def _read(self) -> Iterator[Drawn]:
        from shapely import from_wkb

        uri = f"{(self.raw.folder / 'features.sqlite').resolve().as_uri()}?mode=ro&immutable=1"
        database = sqlite3.connect(uri, uri=True)
        lats, lngs = self._points
        try:
            for row, kind, number, tags, wkb in database.execute(
                "SELECT features.row, kind, osm_id, tags, wkb FROM features LEFT JOIN shapes USING (row) "
                "ORDER BY features.row"
            ):
                shape = None if wkb is None else from_wkb(wkb)
                point = (float(lats[row]), float(lngs[row]))
                yield Drawn(f"{kind}{number}", json.loads(tags), point, shape)
        finally:
            database.close()


def _index(raw: RawMap) -> Path:
    return raw.folder / "index"
