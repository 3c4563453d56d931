"""An extract read with pyosmium alone, and measured with pyproj: the oracle of generated gold."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import osmium
import shapely
from pyproj import Geod

GEOD = Geod(ellps="WGS84")


@dataclass(frozen=True, eq=False)
class Object:
    """An object of the extract; `shape` is in (longitude, latitude)."""

    osm: str
    tags: dict[str, str]
    shape: Any

    def distances_m(self, lon: float, lat: float) -> list[float]:
        """From a point to all points of the outline; 0 from inside."""
        points = shapely.get_coordinates(self.shape)
        found = GEOD.inv([lon] * len(points), [lat] * len(points), points[:, 0], points[:, 1])[2].tolist()
        return [0.0, *found] if self.shape.intersects(shapely.Point(lon, lat)) else found

    def azimuths_deg(self, lon: float, lat: float) -> list[float]:
        """From a point to all points of the outline."""
        points = shapely.get_coordinates(self.shape)
        return [float(a) % 360 for a in GEOD.inv([lon] * len(points), [lat] * len(points), *points.T)[0]]

    def area_m2(self) -> float:
        """On the ellipsoid."""
        return sum(abs(GEOD.geometry_area_perimeter(part)[0]) for part in self.shape.geoms)

    def length_m(self) -> float:
        """On the ellipsoid."""
        return float(GEOD.geometry_length(self.shape))


@lru_cache(maxsize=2)
def objects(path: Path) -> tuple[Object, ...]:
    """All nodes, ways and areas with tags."""
    return tuple(_read(path))


def tagged(path: Path, tag: str, narrowed: str = "") -> list[Object]:
    """Objects with a tag, each once: as an area where it is one, else as a node or a line."""
    key, _, value = tag.partition("=")
    found = [one for one in objects(path) if one.tags.get(key) == value]
    if narrowed:
        key, _, value = narrowed.partition("=")
        found = [one for one in found if value in one.tags.get(key, "").split(";")]
    areas = {one.osm for one in found if one.shape.geom_type == "MultiPolygon"}
    return [one for one in found if one.shape.geom_type == "MultiPolygon" or one.osm not in areas]


def _read(path: Path) -> Iterator[Object]:
    factory = osmium.geom.WKBFactory()
    for item in osmium.FileProcessor(str(path)).with_locations().with_areas():
        tags = dict(item.tags)
        if not tags or item.is_relation():
            continue
        if item.is_node():
            yield Object(f"n{item.id}", tags, shapely.Point(item.location.lon, item.location.lat))
        elif item.is_area():
            wkb = factory.create_multipolygon(item)
            yield Object(f"{'w' if item.from_way() else 'r'}{item.orig_id()}", tags, shapely.from_wkb(wkb))
        elif len(item.nodes) > 1 and all(node.location.valid() for node in item.nodes):
            yield Object(f"w{item.id}", tags, shapely.from_wkb(factory.create_linestring(item)))
