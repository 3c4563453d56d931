"""Areas and lengths of many geometries at once, on the WGS84 ellipsoid, and edges made short enough for it.

Long edges are first cut into pieces of at most `MAX_EDGE_DEG` along the great circle, as PostGIS's type
geography understands an edge (https://postgis.net/docs/using_postgis_dbmanagement.html#PostGIS_Geography). On
edges so short, plane formulas on the right projection are exact for all practical purposes.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from map_tools.maps.geodesic import Floats

_A = 6_378_137.0
_F = 1 / 298.257223563
_E2 = _F * (2 - _F)
_E = _E2**0.5

MAX_EDGE_DEG = 0.05
"""Longest edge kept as it is: at most 0.3 m beside its great circle at 50 degrees north."""


def shorten_edges(geometries: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The geometries with all edges at most `MAX_EDGE_DEG` long; new points lie on the great circle."""
    import shapely

    long = _longest_edge_deg(geometries) > MAX_EDGE_DEG
    if not long.any():
        return geometries
    result = geometries.copy()
    for number in np.flatnonzero(long):
        result[number] = _along_great_circles(shapely, geometries[number])
    return result


def area_m2(geometries: npt.NDArray[Any]) -> Floats:
    """Areas in square metres; 0 for lines and points.

    By the equal-area cylindrical projection of the ellipsoid: x = a λ, y = a q(φ) / 2 (J. P. Snyder, Map
    Projections: A Working Manual, USGS 1987, equations 10-15 and 3-12).
    """
    import shapely

    return np.asarray(shapely.area(shapely.transform(geometries, _equal_area)), np.float64)


def length_m(geometries: npt.NDArray[Any]) -> Floats:
    """Lengths of lines in metres, perimeters of areas excluded (0), as PostGIS's ST_Length.

    An edge is measured with the radii of curvature at its middle latitude (Snyder, equations 4-18 to 4-20).
    """
    import shapely

    coordinates, owner = shapely.get_coordinates(geometries, return_index=True)
    if len(coordinates) < 2:
        return np.zeros(len(geometries), np.float64)
    lines, owner = _only_lines(geometries, shapely)
    coordinates, part = shapely.get_coordinates(lines, return_index=True)
    if len(coordinates) < 2:
        return np.zeros(len(geometries), np.float64)
    metres = _edge_m(coordinates[:-1], coordinates[1:]) * (part[1:] == part[:-1])
    return np.bincount(owner[part[:-1]], weights=metres, minlength=len(geometries))


def _only_lines(geometries: npt.NDArray[Any], shapely: Any) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
    """The single lines among the parts of geometries, each with the number of the geometry it is of."""
    parts, owner = shapely.get_parts(geometries, return_index=True)
    lines = shapely.get_type_id(parts) == shapely.GeometryType.LINESTRING
    return parts[lines], owner[lines]


def _edge_m(start: Floats, end: Floats) -> Floats:
    middle = np.radians((start[:, 1] + end[:, 1]) / 2)
    bent = 1 - _E2 * np.sin(middle) ** 2
    meridian, across = _A * (1 - _E2) / bent**1.5, _A / np.sqrt(bent)
    east = np.radians((end[:, 0] - start[:, 0] + 180) % 360 - 180) * across * np.cos(middle)
    north = np.radians(end[:, 1] - start[:, 1]) * meridian
    return np.asarray(np.hypot(east, north), np.float64)


def _equal_area(coordinates: Floats) -> Floats:
    sine = np.sin(np.radians(coordinates[:, 1]))
    q = (1 - _E2) * (sine / (1 - _E2 * sine**2) + np.arctanh(_E * sine) / _E)
    return np.column_stack((_A * np.radians(coordinates[:, 0]), _A * q / 2))


def _longest_edge_deg(geometries: npt.NDArray[Any]) -> Floats:
    """The longest edge of each geometry, roughly: ends of rings and parts count as if they were joined."""
    import shapely

    coordinates, owner = shapely.get_coordinates(geometries, return_index=True)
    longest = np.zeros(len(geometries), np.float64)
    if len(coordinates) > 1:
        edges = np.abs(np.diff(coordinates, axis=0)).max(axis=1) * (owner[1:] == owner[:-1])
        np.maximum.at(longest, owner[1:], edges)
    return longest


def _along_great_circles(shapely: Any, geometry: Any) -> Any:
    """A geometry, its rings and lines with more points."""
    kind = geometry.geom_type
    if kind == "Polygon":
        holes = [_cut(np.asarray(ring.coords)) for ring in geometry.interiors]
        return shapely.Polygon(_cut(np.asarray(geometry.exterior.coords)), holes)
    if kind == "LineString":
        return shapely.LineString(_cut(np.asarray(geometry.coords)))
    if kind in {"Point", "MultiPoint"}:
        return geometry
    return type(geometry)([_along_great_circles(shapely, part) for part in geometry.geoms])


def _cut(coordinates: Floats) -> Floats:
    """A line of points, with points put in on the great circle of each long edge."""
    if len(coordinates) < 2:
        return coordinates
    edges = np.abs(np.diff(coordinates[:, :2], axis=0)).max(axis=1)
    pieces = [
        _great_circle(start[:2], end[:2], int(np.ceil(edge / MAX_EDGE_DEG)))
        for start, end, edge in zip(coordinates[:-1], coordinates[1:], edges, strict=True)
    ]
    return np.vstack([*pieces, coordinates[-1:, :2]])


def _great_circle(start: Floats, end: Floats, pieces: int) -> Floats:
    """The beginnings of so many pieces of an edge; an edge across the 180th meridian stays as it is."""
    if pieces <= 1 or abs(end[0] - start[0]) > 180:
        return start[None, :]
    a, b = unit_vectors(np.array([start[1], end[1]]), np.array([start[0], end[0]]))
    angle = float(np.arccos(np.clip(a @ b, -1.0, 1.0)))
    shares = np.arange(pieces)[:, None] / pieces
    points = (np.sin((1 - shares) * angle) * a + np.sin(shares * angle) * b) / np.sin(angle)
    lng = np.degrees(np.arctan2(points[:, 1], points[:, 0]))
    lat = np.degrees(np.arcsin(np.clip(points[:, 2], -1.0, 1.0)))
    found = np.column_stack((lng, lat))
    found[0] = start
    return found


def unit_vectors(lats: Floats, lngs: Floats) -> Floats:
    """Positions as unit vectors, one a row."""
    phi, lam = np.radians(lats), np.radians(lngs)
    return np.column_stack((np.cos(phi) * np.cos(lam), np.cos(phi) * np.sin(lam), np.sin(phi)))
