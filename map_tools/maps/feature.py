"""A feature on its way into a map's store, and what is kept of it: its point, its names, its addresses.

An administrative area gets the point people mean by its name: that of the settlement it is named after. A point inside
the outline can be on a mountain; the town of the same name says where the place is. Geocoders link the two likewise
(https://nominatim.org/release-docs/latest/customize/Importance/).
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from itertools import batched, count
from typing import NamedTuple

from map_tools.kinds.concepts import AREA_KINDS, own_plain_area
from map_tools.maps.search.names import canonical
from map_tools.maps.tags import (
    CITY,
    HOUSE_NUMBER,
    STREET,
    has_address,
    house_numbers,
    main_name,
    other_names,
)
from map_tools.types import ADDRESS


class Shape(StrEnum):
    """What kind of geometry a feature has."""

    POINT = "point"
    LINE = "line"
    AREA = "area"


SHAPES = (Shape.POINT, Shape.LINE, Shape.AREA)
"""Shapes in the order of their codes in the index."""
LEFT_OUT = -1.0
"""Importance of a feature that another one stands for."""
LINE_CODE, AREA_CODE = SHAPES.index(Shape.LINE), SHAPES.index(Shape.AREA)


class Feature(NamedTuple):
    """One object of the map; a tuple, for it is made a million times.

    Attributes:
        kind: "n", "w" or "r": node, way, relation; "o" for a place of Overture Maps.
        osm_id: Its id among those of its kind.
        tags: All its tags.
        categories: Category ids of `map_tools.kinds.concepts`, or (`ADDRESS`,) for a mere address.
        shape: What `wkb` is.
        lat: Latitude of a point; of lines and areas the writer computes a point on them.
        lng: Longitude likewise.
        wkb: Geometry of a line or area in well-known binary, (longitude, latitude).
    """

    kind: str
    osm_id: int
    tags: Mapping[str, str]
    categories: tuple[str, ...]
    shape: Shape
    lat: float = 0.0
    lng: float = 0.0
    wkb: bytes | None = None


_KINDS = {
    "country": 0.95,
    "city": 0.93,
    "town": 0.9,
    "village": 0.86,
    "suburb": 0.82,
    "island": 0.8,
    "neighbourhood": 0.78,
    "hamlet": 0.7,
    "airport": 0.84,
    "beach": 0.76,
    "square": 0.76,
    "park": 0.76,
    "bay": 0.76,
    "lake": 0.76,
    "station": 0.72,
    "university": 0.7,
    "attraction": 0.56,
    "river": 0.56,
    "street": 0.46,
    "parking": 0.4,
    "tram_stop": 0.3,
    "bicycle_rental": 0.3,
    "taxi": 0.3,
    "subway_entrance": 0.25,
    "bus_stop": 0.25,
    "platform": 0.2,
    "information": 0.2,
    "bicycle_parking": 0.2,
    "parking_entrance": 0.2,
    "elevator": 0.2,
    "bench": 0.15,
    "stop_position": 0.15,
    ADDRESS: 0.2,
}
LOCALITY = 0.75
"""From this importance on a feature is one that people find their way by: a settlement, a beach, a park."""
_PLAIN_PLACE = 0.5
_PLAIN_BUILDING = 0.42
_FAMOUS = 0.3
_AREA_BONUS = 0.02
_ADMIN_STEP = 0.01
_LOWEST_LEVEL = 12


def importance(feature: Feature) -> float:
    """0 to 1: how likely somebody who says just this name means this feature.

    The order is what geocoders use: administrative areas and settlements first (the area before the point of
    the same name) and other localities, then what an encyclopedia has an article on, areas over points,
    streets and stops last
    (https://nominatim.org/release-docs/latest/customize/Importance/).
    """
    tags, categories = feature.tags, feature.categories
    score = max((_KINDS[category] for category in categories if category in _KINDS), default=_PLAIN_PLACE)
    if categories[0] == "building":
        score = _PLAIN_BUILDING
    if "admin" in categories and feature.shape is Shape.AREA:
        level = tags.get("admin_level", "")
        score = 1.0 - _ADMIN_STEP * min(int(level) if level.isdecimal() else _LOWEST_LEVEL, _LOWEST_LEVEL)
    if "wikidata" in tags or "wikipedia" in tags:
        score += _FAMOUS * (1 - score)
    if feature.shape is Shape.AREA:
        score += _AREA_BONUS
    return min(score, 1.0)


_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_BATCH = 20_000
"""Enough features for vectorised geometry and bulk inserts, few enough to be held in memory."""


class Entry(NamedTuple):
    """A feature with its row, counted from 0, and the point that stands for it."""

    row: int
    feature: Feature
    lat: float
    lng: float


def batches(features: Iterable[Feature], first: int = 0) -> Iterator[list[Entry]]:
    """The features as entries, some thousand at a time; the first of them has the row `first`."""
    rows = count(first)
    for batch in batched(features, _BATCH):
        points = zip(batch, _positions(batch), strict=True)
        yield [Entry(next(rows), feature, lat, lng) for feature, (lat, lng) in points]


def names_of(feature: Feature) -> list[str]:
    """The names a feature is found by, in canonical form; of an area also without the word for its kind."""
    names = [main_name(feature.tags), *other_names(feature.tags)]
    if not AREA_KINDS.isdisjoint(feature.categories):
        names.append(own_plain_area(names[0]) or "")
    return list(dict.fromkeys(form for name in names if name and (form := canonical(name))))


def addresses_of(feature: Feature) -> Iterator[tuple[str, str, str]]:
    """Street, house number and city in canonical form, for each number the feature has."""
    tags = feature.tags
    if not has_address(tags):
        return
    city = canonical(tags.get(CITY, ""))
    for street in dict.fromkeys(tags[key] for key in (STREET, "addr:place") if key in tags):
        for number in dict.fromkeys(house_numbers(tags[HOUSE_NUMBER])):
            yield canonical(street), number, city


def kept_shape(feature: Feature) -> bytes | None:
    """The geometry to keep, in well-known binary; a point has none, and a mere address needs none."""
    return None if ADDRESS in feature.categories else feature.wkb


def tags_json(feature: Feature) -> str:
    """The tags of a feature as one line of JSON."""
    return tags_text(feature.tags)


def tags_text(tags: Mapping[str, str]) -> str:
    """Tags as one line of JSON."""
    return _JSON.encode(dict(tags))


def _positions(features: tuple[Feature, ...]) -> list[tuple[float, float]]:
    """A point of each feature: its own, the middle of a line, a point inside an area."""
    positions = [(feature.lat, feature.lng) for feature in features]
    for shape in (Shape.LINE, Shape.AREA):
        rows = [row for row, feature in enumerate(features) if feature.shape is shape]
        if rows:
            points = _points_on([features[row].wkb for row in rows], shape)
            for row, position in zip(rows, points, strict=True):
                positions[row] = position
    return positions


def _points_on(shapes: list[bytes | None], shape: Shape) -> list[tuple[float, float]]:
    import shapely

    geometries = shapely.from_wkb(shapes)
    if shape is Shape.LINE:
        points = shapely.line_interpolate_point(geometries, 0.5, normalized=True)
    else:
        points = shapely.point_on_surface(geometries)
    return list(zip(shapely.get_y(points).tolist(), shapely.get_x(points).tolist(), strict=True))


_SETTLEMENTS = frozenset(
    {"city", "town", "village", "suburb", "neighbourhood", "hamlet", "country", "island"}
)


class Centers:
    """Collects areas and settlements, then tells which areas get another point."""

    def __init__(self) -> None:
        self._areas: list[tuple[int, tuple[str, ...], bytes]] = []
        self._settlements: dict[str, list[tuple[float, float]]] = {}

    def note(self, row: int, feature: Feature) -> None:
        """Looks at one feature."""
        if feature.shape is Shape.AREA and "admin" in feature.categories and feature.wkb:
            name = main_name(feature.tags)
            self._areas.append((row, (canonical(name), canonical(own_plain_area(name) or "")), feature.wkb))
        elif feature.shape is Shape.POINT and not _SETTLEMENTS.isdisjoint(feature.categories):
            point = (feature.lat, feature.lng)
            self._settlements.setdefault(canonical(main_name(feature.tags)), []).append(point)

    def moves(self) -> Mapping[int, tuple[float, float]]:
        """Latitude and longitude by the row of each area that has its settlement inside."""
        import shapely

        moved: dict[int, tuple[float, float]] = {}
        for row, names, wkb in self._areas:
            for lat, lng in (point for name in names for point in self._settlements.get(name, ())):
                if shapely.contains_xy(shapely.from_wkb(wkb), lng, lat):
                    moved[row] = (lat, lng)
                    break
        return moved
