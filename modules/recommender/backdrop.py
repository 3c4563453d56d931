"""What lies around a recommendation on the map: water, green, streets; for maps that may be drawn over."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from map_tools.maps.store import MapStore

type Bbox = tuple[float, float, float, float]
"""West, south, east, north, in degrees."""

_KINDS = {
    "water": ("water", "lake", "river", "riverbank", "canal", "bay", "stream", "marina"),
    "green": ("park", "garden", "forest", "wood", "cemetery", "grass", "playground"),
    "street": ("street",),
    "path": ("path",),
}
"""Category ids by how they are drawn."""
MOST_SHAPES = 4000
"""Beyond that a picture takes seconds and shows no more."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A line or an area.

    Attributes:
        kind: How it is drawn.
        parts: Lines, or rings of an area, each of shape (n, 2): longitude and latitude.
        closed: It is an area.
    """

    kind: str
    parts: tuple[npt.NDArray[np.float64], ...]
    closed: bool


type Backdrop = Callable[[Bbox], Iterator[Shape]]


def backdrop_of(store: MapStore) -> Backdrop:
    """The backdrop that a map gives: shapes that touch a box, at most `MOST_SHAPES`."""

    def shapes(bbox: Bbox) -> Iterator[Shape]:
        import shapely

        left = MOST_SHAPES
        for kind, categories in _KINDS.items():
            for row in np.unique(store.spatial.members(categories)).tolist():
                wkb = store.geometry(row)
                geometry = None if wkb is None else shapely.clip_by_rect(shapely.from_wkb(wkb), *bbox)
                if geometry is None or geometry.is_empty:
                    continue
                yield _shape(kind, geometry)
                left -= 1
                if not left:
                    return

    return shapes


def _shape(kind: str, geometry: Any) -> Shape:
    import shapely

    parts = shapely.get_parts(geometry)
    areas = [part for part in parts if part.geom_type == "Polygon"]
    rings = [ring for area in areas for ring in (area.exterior, *area.interiors)]
    lines = rings or [part for part in parts if part.geom_type == "LineString"]
    return Shape(kind, tuple(np.array(line.coords, np.float64)[:, :2] for line in lines), closed=bool(areas))
