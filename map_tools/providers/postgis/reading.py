"""The maps of a database at one moment: what a call of the provider is answered from."""

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, LiteralString

import numpy as np

from map_tools.compute.shapes import bounds, shape_of_wkb
from map_tools.kinds.concepts import without_covered
from map_tools.kinds.tag_categories import is_unlisted
from map_tools.maps.feature import AREA_CODE, LINE_CODE
from map_tools.maps.geodesic import SPHERE_ERROR, geodesic_m
from map_tools.maps.places import place_on, thing_of
from map_tools.maps.search.finder import Finder, Within
from map_tools.maps.search.names import canonical
from map_tools.maps.spatial import EVERYTHING, Around, nearest
from map_tools.maps.tags import keyword_words
from map_tools.providers.postgis.gazetteer import PostgisGazetteer
from map_tools.providers.postgis.regions import Region, near_circle
from map_tools.providers.postgis.tables import region_of, thing_named, thing_number
from map_tools.types import ADDRESS, Box, LatLng, Place, Shape

if TYPE_CHECKING:
    from psycopg import Connection

_MARGIN = 1.01
"""Our plane and the server's sphere differ by far less in what they say of a distance from a shape."""
_WHOLE_EARTH_M = 20_100_000.0
"""More than half the circumference: every point is within it."""

_PLACES = """
SELECT row, thing, categories, tags, lat, lng, others FROM mapagent.features
WHERE region = ANY(%(regions)s) AND row = ANY(%(rows)s)"""
_ROW = """
SELECT kept FROM mapagent.features
WHERE region = ANY(%(regions)s) AND thing = %(thing)s ORDER BY row LIMIT 1"""
_BEST_KNOWN = """
SELECT row FROM mapagent.features
WHERE region = ANY(%(regions)s) ORDER BY importance DESC, row LIMIT %(count)s"""

_AROUND = """
SELECT p.row, p.thing, ST_Y(p.point::geometry), ST_X(p.point::geometry) FROM (
  SELECT found.* FROM unnest(%(categories)s::text[]) AS wanted(category) CROSS JOIN LATERAL (
    SELECT region, row, thing, point FROM mapagent.places
    WHERE region = ANY(%(regions)s) AND category = wanted.category
    AND ST_DWithin(point, {center}, %(radius_m)s)
  ) AS found
) AS p"""
_AROUND_POINT = _AROUND.format(center="ST_Point(%(lng)s, %(lat)s, 4326)::geography")
_AROUND_SHAPE = _AROUND.format(center="ST_GeogFromText(%(shape)s)")
_EVERYWHERE = """
SELECT p.row, p.thing FROM mapagent.places p"""
_OF_KINDS = " WHERE p.region = ANY(%(regions)s) AND p.category = ANY(%(categories)s) ORDER BY p.row"
_PIECES = """
SELECT ST_AsBinary(geometry) FROM mapagent.features
WHERE region = ANY(%(regions)s) AND shape = %(line)s AND geometry IS NOT NULL
AND whole = (SELECT whole FROM mapagent.features WHERE region = ANY(%(regions)s) AND row = %(row)s)
ORDER BY row"""
_WITH_WORDS = " JOIN mapagent.features f ON f.region = p.region AND f.row = p.row AND f.words @> %(words)s"
_WITH_TAG = """
 JOIN mapagent.features t ON t.region = p.region AND t.row = p.row AND EXISTS (
  SELECT FROM unnest(%(tag_keys)s::text[], %(tag_values)s::text[]) AS tag(key, value)
  WHERE tag.value = ANY(regexp_split_to_array(t.tags::jsonb ->> tag.key, ' *; *')))"""
"""For tags of which `places` keeps no list: those of all candidates are read."""
_IN_AREA = """
 JOIN mapagent.features a ON a.region = ANY(%(regions)s) AND a.row = %(area)s AND a.thing <> p.thing
 AND ST_Contains(a.geometry, p.point::geometry)"""
_NEAREST = """
SELECT found.thing, found.away FROM unnest(%(categories)s::text[]) AS wanted(category) CROSS JOIN LATERAL (
  SELECT thing, point <-> ST_Point(%(lng)s, %(lat)s, 4326)::geography AS away FROM mapagent.places
  WHERE region = ANY(%(regions)s) AND category = wanted.category ORDER BY away LIMIT %(count)s
) AS found ORDER BY found.away"""
"""Says nothing of a radius: with one the planner would sort all that is in it, not walk the index."""

type _Found = list[tuple[int, int, float, float]]
"""Row, thing, latitude and longitude of features."""


class RegionsReading:
    """See `map_tools.maps.reading.MapReading`; rows are those of `tables.row_number`.

    An object of OpenStreetMap that two regions share is told once.

    Args:
        connection: A connection in a transaction, in which regions cannot be replaced.
        regions: All regions there are.
    """

    def __init__(self, connection: "Connection[Any]", regions: tuple[Region, ...]) -> None:
        self.regions = regions
        self._connection = connection
        self._numbers = [region.number for region in regions]
        self._names = PostgisGazetteer(connection, self._numbers)

    def find(
        self,
        text: str,
        near: LatLng | None = None,
        limit: int = 5,
        *,
        kind: Sequence[str] = (),
        inside: int | None = None,
    ) -> list[tuple[int, float]]:
        """See `MapReading.find`."""
        within = Within(tuple(kind), inside)
        ranked = Finder(self._names).find(text, near, limit * len(self.regions), within)
        if len(self.regions) > 1:
            rows = [row for row, _ in ranked]
            things = {row: thing for row, thing, *_ in self._rows(_PLACES, rows=rows)}
            ranked = _once((things[found[0]], found) for found in ranked)
        return ranked[:limit]

    def name_score(self, text: str) -> float:
        """See `MapReading.name_score`."""
        return Finder(self._names).name_score(text)

    def has_name(self, text: str) -> bool:
        """See `MapReading.has_name`."""
        return self._names.number(canonical(text)) is not None

    def row_of(self, place_id: str) -> int | None:
        """See `MapReading.row_of`."""
        thing = thing_of(place_id)
        if thing is None:
            return None
        found = self._rows(_ROW, thing=thing_number(*thing))
        return int(found[0][0]) if found else None

    def places(self, rows: Sequence[int]) -> list[Place]:
        """See `MapReading.places`."""
        infos = {region.number: region.info for region in self.regions}
        found: dict[int, Place] = {}
        for row, thing, categories, tags, lat, lng, others in self._rows(_PLACES, rows=list(rows)):
            info, at = infos[region_of(row)], LatLng(lat=lat, lng=lng)
            found[row] = place_on(
                info,
                thing_named(thing),
                tuple(categories),
                json.loads(tags),
                at,
                merged_from=tuple(others),
            )
        return [found[row] for row in rows]

    def has_outline(self, row: int) -> bool:
        """See `MapReading.has_outline`."""
        return bool(self._names.traits([row]).shapes[0] == AREA_CODE)

    def outline(self, row: int) -> bytes | None:
        """See `MapReading.outline`."""
        return self._names.outline(row)

    def nearby(
        self,
        center: LatLng,
        radius_m: float,
        categories: Sequence[str] = (),
        keyword: str | None = None,
        limit: int | None = None,
    ) -> list[tuple[int, float]]:
        """See `MapReading.nearby`."""
        reach_m = radius_m
        joins, _ = _sifting(categories, keyword)
        if limit is not None and not joins:
            reach_m = self._reach_m(center, radius_m, categories, limit)
        found = self._around(center, reach_m, categories, keyword)
        lats, lngs = (np.array([each[column] for each in found], np.float64) for column in (2, 3))
        numbers = np.arange(len(found), dtype=np.uint32)
        order, away = nearest(center.lat, center.lng, numbers, lats, lngs, radius_m=radius_m, limit=None)
        ranked = [(found[at], away_m) for at, away_m in zip(order.tolist(), away.tolist(), strict=True)]
        return _once((thing, (row, away_m)) for (row, thing, _, _), away_m in ranked)[:limit]

    def shape(self, row: int) -> Shape | None:
        """See `MapReading.shape`."""
        outline = self.outline(row)
        if outline is not None:
            return shape_of_wkb([outline], "area")
        return shape_of_wkb([wkb for (wkb,) in self._rows(_PIECES, row=row, line=LINE_CODE)], "line")

    def nearby_shape(
        self,
        shape: Shape,
        at: LatLng,
        radius_m: float,
        *,
        categories: Sequence[str] = (),
        keyword: str | None = None,
        limit: int | None = None,
    ) -> list[tuple[int, float]]:
        """See `MapReading.nearby_shape`."""
        around = Around(shape, at)
        ranked: list[tuple[int, float]] = []
        for reach in around.reaches(radius_m, limit):
            found = self._around_shape(shape, reach, categories, keyword)
            numbers = np.arange(len(found), dtype=np.uint32)
            lats, lngs = (np.array([each[column] for each in found], np.float64) for column in (2, 3))
            order, away = around.nearest(numbers, lats, lngs, reach)
            places = zip((found[number] for number in order), away.tolist(), strict=True)
            ranked = _once((thing, (row, away_m)) for (row, thing, _, _), away_m in places)[:limit]
            if limit is not None and len(ranked) >= limit:
                break
        return ranked

    def everywhere(self, categories: Sequence[str] = (), keyword: str | None = None) -> list[int]:
        """See `MapReading.everywhere`."""
        joins, values = _sifting(categories, keyword)
        found = self._rows(_EVERYWHERE + joins + _OF_KINDS, **values)
        return _once((thing, row) for row, thing in found)

    def inside(self, row: int, categories: Sequence[str] = (), keyword: str | None = None) -> list[int]:
        """See `MapReading.inside`."""
        outline = self.outline(row)
        if outline is None:
            return []
        import shapely

        west, south, east, north = shapely.from_wkb(outline).bounds
        center, radius_m = _circle_around(Box(south=south, west=west, north=north, east=east))
        found = self._around(center, radius_m, categories, keyword, area=row)
        return _once((thing, number) for number, thing, _, _ in found)

    def best_known(self, count: int) -> list[int]:
        """See `MapReading.best_known`."""
        return [row for (row,) in self._rows(_BEST_KNOWN, count=count)]

    def _reach_m(self, center: LatLng, radius_m: float, categories: Sequence[str], limit: int) -> float:
        """A distance within which the nearest features are, at most the radius.

        The index knows distances on the sphere, hence the margin.
        """
        regions = near_circle(self.regions, center, radius_m)
        found = self._rows(
            _NEAREST,
            regions=regions,
            categories=list(without_covered(categories)) or [EVERYTHING],
            lat=center.lat,
            lng=center.lng,
            count=limit * len(regions),
        )
        distances: list[float] = _once((thing, away_m) for thing, away_m in found)
        if len(distances) < limit or not limit:
            return radius_m if limit else 0.0
        return min(radius_m, distances[limit - 1] * (1 + SPHERE_ERROR) / (1 - SPHERE_ERROR) + 1e-6)

    def _around(
        self,
        center: LatLng,
        radius_m: float,
        categories: Sequence[str],
        keyword: str | None,
        area: int | None = None,
    ) -> _Found:
        """The features in a circle, in ascending rows; those of several categories more than once."""
        joins, values = _sifting(categories, keyword)
        return self._rows(
            _AROUND_POINT + joins + ("" if area is None else _IN_AREA) + " ORDER BY p.row",
            regions=near_circle(self.regions, center, radius_m),
            lat=center.lat,
            lng=center.lng,
            radius_m=radius_m,
            area=area,
            **values,
        )

    def _around_shape(
        self, shape: Shape, radius_m: float, categories: Sequence[str], keyword: str | None
    ) -> _Found:
        """As `_around`, around a shape; with some more, for the server measures a little otherwise."""
        joins, values = _sifting(categories, keyword)
        center, reach_m = _circle_around(bounds(shape))
        return self._rows(
            _AROUND_SHAPE + joins + " ORDER BY p.row",
            regions=near_circle(self.regions, center, reach_m + radius_m),
            shape=shape.wkt,
            radius_m=radius_m * _MARGIN + 1.0,
            **values,
        )

    def _rows(self, statement: LiteralString, **values: object) -> list[tuple[Any, ...]]:
        return self._connection.execute(statement, {"regions": self._numbers, **values}).fetchall()


def _sifting(categories: Sequence[str], keyword: str | None) -> tuple[LiteralString, dict[str, list[str]]]:
    """What joins sift places by a keyword and by tags, and the values that they and the list of kinds take.

    Of no category given any will do; a word is also looked for in what is a mere address.
    """
    words = keyword_words(keyword) if keyword is not None else []
    wanted = without_covered(categories)
    tags = [kind.split("=", 1) for kind in wanted if is_unlisted(kind)]
    everything = [EVERYTHING, ADDRESS] if words and not tags else [EVERYTHING]
    joins: LiteralString = (_WITH_WORDS if words else "") + (_WITH_TAG if tags else "")
    return joins, {
        "words": words,
        "tag_keys": [key for key, _ in tags],
        "tag_values": [value for _, value in tags],
        "categories": [kind for kind in wanted if not is_unlisted(kind)] or everything,
    }


def _once[T](found: Iterable[tuple[int, T]]) -> list[T]:
    """The first value of each thing, for regions may share some."""
    first: dict[int, T] = {}
    for thing, value in found:
        first.setdefault(thing, value)
    return list(first.values())


def _circle_around(box: Box) -> tuple[LatLng, float]:
    """A circle that a box lies in, with room to spare."""
    center = box.center
    if box.east - box.west > 90 or box.north - box.south > 90:
        return center, _WHOLE_EARTH_M
    corners = [
        (lat, lng) for lat in (box.south, center.lat, box.north) for lng in (box.west, center.lng, box.east)
    ]
    lats, lngs = np.array(corners, np.float64).T
    return center, float(geodesic_m(center.lat, center.lng, lats, lngs).max()) * 1.05 + 1.0
