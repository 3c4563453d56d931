"""Reads an OpenStreetMap extract and yields its features.

Only this file knows pyosmium, and `map_tools.downloads.changes`, which merges changes into an extract.

pyosmium's manual: https://docs.osmcode.org/pyosmium/latest/.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from map_tools.errors import InputFileError
from map_tools.kinds.concepts import STREETS, is_listed_unnamed
from map_tools.kinds.tag_categories import categories_of, main_keys
from map_tools.maps.feature import Feature, Shape
from map_tools.maps.geodesic import mercator
from map_tools.maps.tags import HOUSE_NUMBER, has_address, main_name
from map_tools.types import ADDRESS, Box

Progress = Callable[[int], None]
"""Called now and then with the number of objects read so far."""

_PROGRESS_EVERY = 20_000
BORDER = ("admin",)
"""A line that is nothing but a border is part of the areas on its sides, no feature."""
_LINE_KEYS = frozenset({"highway", "railway", "waterway", "barrier", "aerialway", "power"})
"""A closed way with one of these is a ring (a circular road), no area, unless tagged as one
(https://wiki.openstreetmap.org/wiki/Area)."""
_AREA_KEYS = frozenset(
    {"building", "amenity", "shop", "leisure", "tourism", "landuse", "place", "boundary", "office"}
)
SQUARE = "square"
_STREET_SHARE = 4.0
"""What is so many times as long as it is wide is a street, though it is mapped as an area: our own figure, that
tells the squares of six towns from their streets but for one in ten."""
_AREA_VALUES = (("waterway", "riverbank"), ("waterway", "dock"), ("natural", "water"), ("power", "plant"))


@dataclass(slots=True)
class Extract:
    """An extract being read.

    Attributes:
        path: The file.
        damaged: Number of objects whose geometry could not be made, so far.
        coasts: The coastlines of the file, so far, each as longitudes and latitudes.
        objects: Number of objects in the file (nodes, ways and relations that passed the filter), so far.
    """

    path: Path
    damaged: int = 0
    objects: int = 0
    coasts: list[list[tuple[float, float]]] = field(default_factory=list, repr=False)
    _factory: Any = field(default=None, repr=False)

    def features(self, progress: Progress | None = None) -> Iterator[Feature]:
        """All features of the file, in its order.

        Raises:
            InputFileError: The file is missing, empty, cut short or no extract.
        """
        import osmium

        self._factory = osmium.geom.WKBFactory()
        wanted = osmium.filter.KeyFilter(*main_keys(), HOUSE_NUMBER)
        processor = osmium.FileProcessor(str(self._checked())).with_areas().with_filter(wanted)
        try:
            for item in processor:
                self.objects += 1
                if progress is not None and self.objects % _PROGRESS_EVERY == 0:
                    progress(self.objects)
                feature = self._feature(item)
                if feature is not None:
                    yield feature
        except (RuntimeError, ValueError) as error:
            raise _not_an_extract(self.path) from error

    def header(self) -> tuple[Box | None, str]:
        """The bounding box and the time stamp in the file's header; None and "" where it has none.

        Raises:
            InputFileError: As for `features`.
        """
        import osmium

        try:
            with osmium.io.Reader(str(self._checked()), osmium.osm.NOTHING) as reader:
                header = reader.header()
        except RuntimeError as error:
            raise _not_an_extract(self.path) from error
        box = header.box()
        return (_box(box) if box.valid() else None), header.get("osmosis_replication_timestamp", "")

    def _checked(self) -> Path:
        if not self.path.is_file():
            raise InputFileError(f"There is no file '{self.path}'.", "Give the path of an .osm.pbf extract.")
        if self.path.stat().st_size == 0:
            raise InputFileError(f"'{self.path}' is empty.", "Fetch the extract again.")
        return self.path

    def _feature(self, item: Any) -> Feature | None:
        """The feature an object makes; None for what is not kept, or whose geometry cannot be made."""
        if item.is_relation():
            return None
        tags = dict(item.tags)
        if item.is_way() and tags.get("natural") == "coastline":
            self._keep_coast(item)
        categories = kept_as(tags)
        if not categories:
            return None
        if item.is_node():
            return self._point(item, tags, categories)
        as_area = item.is_area()
        if as_area is False and item.is_closed() and _is_area(tags):
            return None
        if as_area and item.from_way() and not _is_area(tags):
            return None
        if not as_area and categories == BORDER:
            return None
        return self._shaped(item, tags, categories)

    def _keep_coast(self, way: Any) -> None:
        """Keeps a coastline, as far as its points are in the file."""
        line = [(node.lon, node.lat) for node in way.nodes if node.location.valid()]
        if len(line) > 1:
            self.coasts.append(line)

    def _point(self, item: Any, tags: Mapping[str, str], categories: tuple[str, ...]) -> Feature | None:
        location = item.location
        if not location.valid():
            self.damaged += 1
            return None
        return Feature("n", item.id, tags, categories, Shape.POINT, location.lat, location.lon)

    def _shaped(self, item: Any, tags: Mapping[str, str], categories: tuple[str, ...]) -> Feature | None:
        import osmium

        try:
            if item.is_area():
                wkb = bytes.fromhex(self._factory.create_multipolygon(item))
                kind = "w" if item.from_way() else "r"
                return Feature(kind, item.orig_id(), tags, area_kinds(categories, wkb), Shape.AREA, wkb=wkb)
            wkb = bytes.fromhex(self._factory.create_linestring(item))
            return Feature("w", item.id, tags, categories, Shape.LINE, wkb=wkb)
        except (RuntimeError, osmium.InvalidLocationError):
            self.damaged += 1
            return None


def kept_as(tags: Mapping[str, str]) -> tuple[str, ...]:
    """The categories that an object with these tags is kept under; empty if it is not kept."""
    categories = categories_of(tags)
    if categories and (main_name(tags) or is_listed_unnamed(categories)):
        return categories
    return (ADDRESS,) if has_address(tags) else ()


def area_kinds(categories: tuple[str, ...], wkb: bytes) -> tuple[str, ...]:
    """The categories of an area: a square is no street, though its way is one, and so is a broad place for walkers.

    Pedestrian streets are mapped as areas too, and remain streets (https://wiki.openstreetmap.org/wiki/Key:area).
    """
    if SQUARE not in categories and not ("pedestrian" in categories and _is_broad(wkb)):
        return categories
    kinds = [SQUARE if kind == "pedestrian" else kind for kind in categories if kind not in STREETS]
    return tuple(dict.fromkeys(kinds))


def _is_broad(wkb: bytes) -> bool:
    """Whether the narrowest box around an area is less than `_STREET_SHARE` times as long as it is wide."""
    import shapely

    corners = shapely.transform(shapely.from_wkb(wkb), mercator).minimum_rotated_rectangle.exterior.coords
    one, other = math.dist(corners[0], corners[1]), math.dist(corners[1], corners[2])
    return max(one, other) < _STREET_SHARE * min(one, other)


def _is_area(tags: Mapping[str, str]) -> bool:
    """True if a closed way with these tags encloses an area."""
    if "area" in tags:
        return tags["area"] != "no"
    if not _AREA_KEYS.isdisjoint(tags) or any(tags.get(key) == value for key, value in _AREA_VALUES):
        return True
    return _LINE_KEYS.isdisjoint(tags) and tags.get("natural") != "coastline"


def _box(box: Any) -> Box:
    low, high = box.bottom_left, box.top_right
    return Box(south=low.lat, west=low.lon, north=high.lat, east=high.lon)


def _not_an_extract(path: Path) -> InputFileError:
    return InputFileError(
        f"'{path}' is not an OpenStreetMap extract, or it is cut short.", "Fetch the .osm.pbf file again."
    )
