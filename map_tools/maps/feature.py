"""A feature on its way into a map's store."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

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
