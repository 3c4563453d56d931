"""What a map keeps of a feature, whatever the map is kept in: its point, its names, its addresses."""

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import batched, count
from typing import NamedTuple

from map_tools.areas import AREA_KINDS, own_plain_area
from map_tools.maps.feature import Feature, Shape
from map_tools.maps.names import canonical
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
