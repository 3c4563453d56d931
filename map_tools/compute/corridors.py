"""Shapes and places in relation to a course: corridors, how far along, the circle around."""

from typing import Any

from map_tools.compute import geodesy, shapes
from map_tools.compute.plane import Plane
from map_tools.types import Geometry, LatLng, Shape


def center(geometry: Geometry) -> LatLng:
    """A point on a shape that stands for it."""
    if isinstance(geometry, LatLng):
        return geometry
    import shapely

    point = shapely.point_on_surface(shapes.geometry_of(geometry))
    return LatLng(lat=point.y, lng=point.x)


def circle_around(geometry: Geometry) -> tuple[LatLng, float]:
    """Centre and radius in metres of a circle that holds a shape (not the smallest one)."""
    box = shapes.bounds(geometry)
    corners = [LatLng(lat=lat, lng=lng) for lat in (box.south, box.north) for lng in (box.west, box.east)]
    middle = box.center
    return middle, max(geodesy.distance_m(middle, corner) for corner in corners)


def corridor(a: LatLng, b: LatLng, *, share: float) -> Shape:
    """What lies between two positions: off their line by at most a share of its length, and not beyond its ends."""
    import shapely

    plane = Plane(shapes.bounds(_line(a, b)).center)
    flat = plane.flat(shapes.geometry_of(_line(a, b)))
    made = shapes.shape_of(plane.lifted(shapely.buffer(flat, flat.length * share, cap_style="flat")), "area")
    return made if made is not None else shapes.buffer_m(a, 1.0)


def along_m(course: Shape, position: LatLng) -> float:
    """How far along a course, in metres from its beginning, the point of it lies that is nearest to a position.

    The pieces of a course that is not connected count one after the other.
    """
    import shapely

    plane = Plane(shapes.bounds(course).center)
    flat = plane.flat(shapes.geometry_of(course))
    point: Any = plane.flat(shapes.geometry_of(position))
    pieces = shapely.get_parts(flat) if course.kind == "line" else [shapely.boundary(flat)]
    before, best = 0.0, (float("inf"), 0.0)
    for piece in pieces:
        best = min(
            best,
            (float(shapely.distance(piece, point)), before + float(shapely.line_locate_point(piece, point))),
        )
        before += float(piece.length)
    return best[1]


def _line(a: LatLng, b: LatLng) -> Shape:
    return Shape(kind="line", wkt=f"LINESTRING ({a.lng} {a.lat}, {b.lng} {b.lat})")
