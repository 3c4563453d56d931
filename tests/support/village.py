"""Maps made by hand of a few tagged objects, for what must show on a map of any kind."""

from collections.abc import Iterable, Sequence
from itertools import count
from pathlib import Path

import shapely

from map_tools.maps.feature import Feature, Shape
from map_tools.maps.info import MapInfo, mark_files, write_info
from map_tools.maps.making.extract import kept_as
from map_tools.maps.making.ingest import box_within, write_store
from map_tools.maps.store import MapStore
from map_tools.providers.osm import OsmProvider

MIDDLE = (47.0, 8.0)
"""Latitude and longitude that the offsets of objects are counted from."""
_DEGREES = (1 / 111_174.0, 1 / 76_056.0)
"""Degrees of latitude and longitude for a metre at the middle, from pyproj's geodesics."""

type Offset = tuple[float, float]
"""Metres east and north of the middle."""


def lat_lng(at: Offset) -> tuple[float, float]:
    """The position of an offset."""
    return MIDDLE[0] + at[1] * _DEGREES[0], MIDDLE[1] + at[0] * _DEGREES[1]


class Objects:
    """Tagged objects, numbered as they are made, as an extract would give them."""

    def __init__(self) -> None:
        self.features: list[Feature] = []
        self._numbers = count(1)

    def node(self, at: Offset, **tags: str) -> str:
        """Makes a node; returns its place id. In keys "__" stands for ":"."""
        lat, lng = lat_lng(at)
        return self._add("n", Shape.POINT, tags, lat=lat, lng=lng)

    def line(self, points: Sequence[Offset], **tags: str) -> str:
        """Makes an open way."""
        wkb = shapely.to_wkb(shapely.LineString([_lng_lat(at) for at in points]))
        return self._add("w", Shape.LINE, tags, wkb=wkb)

    def area(self, corners: Sequence[Offset], *, kind: str = "w", **tags: str) -> str:
        """Makes an area: a closed way, or a relation if `kind` is "r"."""
        wkb = shapely.to_wkb(shapely.Polygon([_lng_lat(at) for at in corners]))
        return self._add(kind, Shape.AREA, tags, wkb=wkb)

    def house(self, at: Offset, size_m: float = 20.0, *, kind: str = "w", **tags: str) -> str:
        """Makes a square area around a point."""
        half = size_m / 2
        corners = [
            (at[0] + x, at[1] + y) for x, y in ((-half, -half), (half, -half), (half, half), (-half, half))
        ]
        return self.area(corners, kind=kind, **tags)

    def _add(
        self,
        kind: str,
        shape: Shape,
        tags: dict[str, str],
        *,
        lat: float = 0.0,
        lng: float = 0.0,
        wkb: bytes | None = None,
    ) -> str:
        number = next(self._numbers)
        said = {key.replace("__", ":"): value for key, value in tags.items()}
        categories = kept_as(said)
        assert categories, f"an extract's reader would not keep {said}"
        self.features.append(Feature(kind, number, said, categories, shape, lat, lng, wkb))
        return f"osm:{kind}{number}"


def village(features: Iterable[Feature], folder: Path) -> Path:
    """Writes a map without roads; returns its folder."""
    given = list(features)
    folder.mkdir()
    counts = write_store(given, folder)
    info = MapInfo(
        name=folder.name,
        source_file="village",
        source_sha256="",
        timezone="Europe/Zurich",
        bbox=box_within((MIDDLE[0] - 0.05, MIDDLE[0] + 0.05), (MIDDLE[1] - 0.05, MIDDLE[1] + 0.05)),
        counts=counts,
        files={},
    )
    write_info(folder, info.model_copy(update={"files": mark_files(folder)}))
    return folder


def village_provider(objects: Objects, folder: Path) -> OsmProvider:
    """The provider over a map of these objects."""
    return OsmProvider(MapStore.open(village(objects.features, folder / "village")), None)


def _lng_lat(at: Offset) -> tuple[float, float]:
    lat, lng = lat_lng(at)
    return lng, lat
