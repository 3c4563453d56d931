"""Shapes on the WGS84 ellipsoid: their measures, relations between them, and corridors along them.

Areas and lengths are those of `map_tools.spatial_db.memory.sizes`, distances are geodesics between the
nearest points. Relations compare coordinates as they are: areas of a map that share a border share its
points. Edges across the 180th meridian are not understood.

Where plane geometry is wanted it is done in a plane that touches the Earth. The projection is the azimuthal
equidistant one of the ellipsoid: distances from its centre are those of the geodesics, and what lies at r from it
is stretched across by r²/6R², that is by 0.04 % at 300 km (J. P. Snyder, Map Projections: A Working Manual, USGS
1987, page 195).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from map_tools.compute import geodesy
from map_tools.errors import UsageError
from map_tools.maps.geodesic import Floats, points_at, polar
from map_tools.spatial_db.memory import sizes
from map_tools.types import Box, Geometry, LatLng, Shape

_DIMENSIONS: dict[str, int] = {"area": 2, "line": 1}
_KEPT = 64
"""Shapes whose geometry is kept after it was read: the outline of a country takes milliseconds."""

_ROUNDS = 6
"""How often the nearest points of two shapes are looked for anew, in a plane at the last ones found."""

_EQUAL_M = 0.001
_CIRCLE_EDGES = 32
"""Edges of a quarter of a circle: its area is 0.04 % too small."""


def area_m2(shape: Shape) -> float:
    """The area in square metres, without its holes; 0 for a line."""
    return float(sizes.area_m2(_edged(shape))[0])


def length_m(shape: Shape) -> float:
    """The length of a line in metres; 0 for an area."""
    return float(sizes.length_m(_edged(shape))[0])


def perimeter_m(shape: Shape) -> float:
    """The length of all borders of an area in metres, those of its holes among them; 0 for a line."""
    import shapely

    if shape.kind == "line":
        return 0.0
    return float(sizes.length_m(shapely.boundary(_edged(shape)))[0])


def distance_m(a: Geometry, b: Geometry) -> float:
    """The shortest distance in metres; 0 where one lies in the other or they meet."""
    if isinstance(a, LatLng) and isinstance(b, LatLng):
        return geodesy.distance_m(a, b)
    return 0.0 if intersects(a, b) else geodesy.distance_m(*_nearest(a, b))


def measuring(shape: Shape) -> Callable[[Floats, Floats], Floats]:
    """What tells the distances of many positions (latitudes, longitudes) from one shape, 0 within an area.

    They are measured in one plane in the middle of the shape: 0.04 % too long at 300 km from it.
    """
    import shapely

    plane = Plane(bounds(shape).center)
    flat = plane.flat(geometry_of(shape))
    shapely.prepare(flat)

    def distances_m(lats: Floats, lngs: Floats) -> Floats:
        return np.asarray(shapely.distance(flat, plane.points(lats, lngs)), np.float64)

    return distances_m


def nearest_point(a: Geometry, b: Geometry) -> LatLng:
    """The point of `a` that is nearest to `b`; where they meet, one that both share."""
    import shapely

    if isinstance(a, LatLng):
        return a
    if isinstance(b, LatLng) and contains(a, b):
        return b
    if intersects(a, b):
        return _position(shapely.point_on_surface(shapely.intersection(geometry_of(a), geometry_of(b))))
    return _nearest(a, b)[0]


def contains(area: Shape, other: Geometry) -> bool:
    """True if a position, or the whole of a shape, lies in an area or on its border."""
    return area.kind == "area" and bool(geometry_of(area).covers(geometry_of(other)))


def intersects(a: Geometry, b: Geometry) -> bool:
    """True if the two share a point."""
    return bool(geometry_of(a).intersects(geometry_of(b)))


def disjoint(a: Geometry, b: Geometry) -> bool:
    """True if the two share no point."""
    return not intersects(a, b)


def crosses(a: Geometry, b: Geometry) -> bool:
    """True if a line goes through the other line, or into the area and out of it."""
    return bool(geometry_of(a).crosses(geometry_of(b)))


def touches(a: Geometry, b: Geometry) -> bool:
    """True if the two share points of their borders, and nothing within."""
    return bool(geometry_of(a).touches(geometry_of(b)))


def clip(shape: Shape, area: Shape) -> Shape | None:
    """The part of a line or an area that lies in an area; None if there is none.

    Raises:
        UsageError: What should cut is a line.
    """
    if area.kind == "line":
        raise UsageError("A shape can be cut by an area, not by a line.", "Give the area second.")
    return shape_of(geometry_of(shape).intersection(geometry_of(area)), shape.kind)


def buffer_m(geometry: Geometry, radius_m: float) -> Shape:
    """The area within a distance of a position or a shape.

    Raises:
        UsageError: The distance is not above 0.
    """
    import shapely

    if not radius_m > 0:
        raise UsageError(f"A distance of {radius_m:g} m makes no area.", "Give a distance above 0.")
    plane = Plane(bounds(geometry).center)
    wide = shapely.buffer(plane.flat(geometry_of(geometry)), radius_m, quad_segs=_CIRCLE_EDGES)
    found = shape_of(plane.lifted(wide), "area")
    if found is None:
        raise UsageError(f"A distance of {radius_m:g} m makes no area.", "Give a larger distance.")
    return found


def bounds(geometry: Geometry) -> Box:
    """The box around a position or a shape."""
    west, south, east, north = geometry_of(geometry).bounds
    return Box(south=south, west=west, north=north, east=east)


def shape_of_wkb(wkb: Sequence[bytes], kind: Literal["area", "line"]) -> Shape | None:
    """What of some geometries in well-known binary is of a kind, as one shape; None if nothing is."""
    import shapely

    return shape_of(shapely.GeometryCollection(list(shapely.from_wkb(list(wkb)))), kind)


def geometry_of(geometry: Geometry) -> Any:
    """The geometry as shapely has it, longitude first. It is shared: never to be changed."""
    import shapely

    if isinstance(geometry, LatLng):
        return shapely.Point(geometry.lng, geometry.lat)
    return _read(geometry.wkt)


def shape_of(geometry: Any, kind: Literal["area", "line"] | None = None) -> Shape | None:
    """What of a geometry of shapely's is an area, else what of it is a line; None if it is neither.

    Args:
        geometry: Any geometry in degrees, longitude first. What crosses itself is mended.
        kind: Only this is wanted of it.
    """
    import shapely

    whole = shapely.force_2d(geometry)
    parts = shapely.get_parts(whole if shapely.is_valid(whole) else shapely.make_valid(whole))
    parts = shapely.get_parts(parts)  # a collection may hold further collections
    parts = parts[~shapely.is_empty(parts)]
    dimensions = shapely.get_dimensions(parts)
    for wanted in (2, 1) if kind is None else (_DIMENSIONS[kind],):
        chosen = parts[dimensions == wanted]
        if not len(chosen):
            continue
        if wanted == _DIMENSIONS["area"]:
            return Shape(kind="area", wkt=_wkt(shapely.union_all(chosen)))
        return Shape(kind="line", wkt=_wkt(shapely.line_merge(shapely.union_all(chosen))))
    return None


def center(geometry: Geometry) -> LatLng:
    """A point on a shape that stands for it."""
    if isinstance(geometry, LatLng):
        return geometry
    import shapely

    point = shapely.point_on_surface(geometry_of(geometry))
    return LatLng(lat=point.y, lng=point.x)


def circle_around(geometry: Geometry) -> tuple[LatLng, float]:
    """Centre and radius in metres of a circle that holds a shape (not the smallest one)."""
    box = bounds(geometry)
    corners = [LatLng(lat=lat, lng=lng) for lat in (box.south, box.north) for lng in (box.west, box.east)]
    middle = box.center
    return middle, max(geodesy.distance_m(middle, corner) for corner in corners)


def corridor(a: LatLng, b: LatLng, *, share: float) -> Shape:
    """What lies between two positions: off their line by at most a share of its length, and not beyond its ends."""
    import shapely

    plane = Plane(bounds(_line(a, b)).center)
    flat = plane.flat(geometry_of(_line(a, b)))
    made = shape_of(plane.lifted(shapely.buffer(flat, flat.length * share, cap_style="flat")), "area")
    return made if made is not None else buffer_m(a, 1.0)


def along_m(course: Shape, position: LatLng) -> float:
    """How far along a course, in metres from its beginning, the point of it lies that is nearest to a position.

    The pieces of a course that is not connected count one after the other.
    """
    import shapely

    plane = Plane(bounds(course).center)
    flat = plane.flat(geometry_of(course))
    point: Any = plane.flat(geometry_of(position))
    pieces = shapely.get_parts(flat) if course.kind == "line" else [shapely.boundary(flat)]
    before, best = 0.0, (float("inf"), 0.0)
    for piece in pieces:
        best = min(
            best,
            (float(shapely.distance(piece, point)), before + float(shapely.line_locate_point(piece, point))),
        )
        before += float(piece.length)
    return best[1]


@dataclass(frozen=True, slots=True)
class Plane:
    """The plane at a point; x goes east, y north, in metres. Geometries are shapely's, longitude first."""

    center: LatLng

    def flat(self, geometry: Any) -> Any:
        """A geometry in the plane; its long edges follow great circles."""
        import shapely

        if shapely.is_empty(geometry):
            return geometry
        shortened = sizes.shorten_edges(np.array([geometry], dtype=object))[0]
        return shapely.transform(shortened, self._flat)

    def points(self, lats: Floats, lngs: Floats) -> Any:
        """Many positions as points in the plane."""
        import shapely

        return shapely.points(self._flat(np.column_stack((lngs, lats))))

    def lifted(self, geometry: Any) -> Any:
        """The geometry on the Earth that is this one in the plane."""
        import shapely

        return shapely.transform(geometry, self._lifted)

    def position(self, point: Any) -> LatLng:
        """Where a point of the plane is."""
        lng, lat = self._lifted(np.array([[point.x, point.y]]))[0].tolist()
        return LatLng(lat=lat, lng=lng)

    def _flat(self, coordinates: Floats) -> Floats:
        away, azimuths = polar(self.center.lat, self.center.lng, coordinates[:, 1], coordinates[:, 0])
        turned = np.radians(azimuths)
        return np.column_stack((away * np.sin(turned), away * np.cos(turned)))

    def _lifted(self, coordinates: Floats) -> Floats:
        azimuths = np.degrees(np.arctan2(coordinates[:, 0], coordinates[:, 1]))
        away = np.hypot(coordinates[:, 0], coordinates[:, 1])
        lats, lngs = points_at(self.center.lat, self.center.lng, away, azimuths)
        return np.column_stack((lngs, lats))


@lru_cache(maxsize=_KEPT)
def _read(wkt: str) -> Any:
    """The geometry of a text, ready for many questions."""
    import shapely

    geometry = shapely.from_wkt(wkt)
    shapely.prepare(geometry)
    return geometry


def _wkt(geometry: Any) -> str:
    """The text that gives the same numbers back when it is read."""
    import shapely

    return str(shapely.to_wkt(geometry, rounding_precision=-1))


def _edged(shape: Shape) -> Any:
    """The shape as an array of one, with edges short enough to be measured."""
    return sizes.shorten_edges(np.array([geometry_of(shape)], dtype=object))


def _nearest(a: Geometry, b: Geometry) -> tuple[LatLng, LatLng]:
    """The points of two shapes that meet nowhere between which the way is shortest.

    A plane distorts what is far from its centre, so the points found in one are where the next one touches.
    """
    import shapely

    at = a if isinstance(a, LatLng) else b if isinstance(b, LatLng) else _between(a, b)
    best: tuple[LatLng, LatLng] | None = None
    best_m = float("inf")
    for _ in range(_ROUNDS):
        plane = Plane(at)
        shortest = shapely.shortest_line(plane.flat(geometry_of(a)), plane.flat(geometry_of(b)))
        ends = [plane.position(point) for point in shapely.points(shapely.get_coordinates(shortest))]
        found = (ends[0], ends[1])
        length_m = geodesy.distance_m(*found)
        if best is not None and length_m > best_m - _EQUAL_M:
            return best
        best, best_m, at = found, length_m, found[0]
    return best if best is not None else (at, at)


def _between(a: Shape, b: Shape) -> LatLng:
    """A first guess of where two shapes come near each other."""
    import shapely

    return _position(shapely.centroid(shapely.shortest_line(geometry_of(a), geometry_of(b))))


def _position(point: Any) -> LatLng:
    return LatLng(lat=point.y, lng=point.x)


def _line(a: LatLng, b: LatLng) -> Shape:
    return Shape(kind="line", wkt=f"LINESTRING ({a.lng} {a.lat}, {b.lng} {b.lat})")
