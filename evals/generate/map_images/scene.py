"""What there is to draw of a map, as its store holds it."""

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from evals.generate.world import RawMap


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
