"""Geodesy of the verifier's own: other formulas than those that the operators measure with.

Distances and azimuths are Vincenty's, areas those of the cylindrical equal-area projection, relations of shapes
are read off their intersection matrix (DE-9IM, OGC 06-103r4, section 6.1.15).
"""

import math
import re
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from map_tools.types import Geometry, LatLng, Shape

A_M = 6_378_137.0
FLATTENING = 1 / 298.257223563
"""WGS84: https://earth-info.nga.mil/index.php?dir=wgs84"""
B_M = A_M * (1 - FLATTENING)
E2 = FLATTENING * (2 - FLATTENING)
_E = math.sqrt(E2)
_ROUNDS = 30
"""Vincenty's iteration needs four rounds; near the antipode it may not come to an end."""
_RING = re.compile(r"(\()?\s*\(([^()]+)\)")
_NEAR = 1e-9

type Path = list[tuple[float, float]]
"""Corners as longitude and latitude in degrees."""


def close(a: float, b: float, share: float = 0.005, slack: float = 1.0) -> bool:
    """Whether two lengths agree but for measuring: half a percent and a metre."""
    return abs(a - b) <= share * max(abs(a), abs(b)) + slack


def inverse(a: LatLng, b: LatLng) -> tuple[float, float]:
    """Metres from a to b and the azimuth at a in degrees.

    T. Vincenty, "Direct and inverse solutions of geodesics on the ellipsoid with application of nested equations",
    Survey Review 23(176), 88-93, 1975: within 0.1 mm. Near the antipode a sphere is measured on, within 0.6 %.
    """
    turn = math.remainder(math.radians(b.lng - a.lng), math.tau)
    u1, u2 = (math.atan((1 - FLATTENING) * math.tan(math.radians(one.lat))) for one in (a, b))
    sin1, cos1, sin2, cos2 = math.sin(u1), math.cos(u1), math.sin(u2), math.cos(u2)
    angle = turn
    for _ in range(_ROUNDS):
        sin_a, cos_a = math.sin(angle), math.cos(angle)
        east, north = cos2 * sin_a, cos1 * sin2 - sin1 * cos2 * cos_a
        sin_s = math.hypot(east, north)
        if sin_s == 0:
            return 0.0, 0.0
        cos_s = sin1 * sin2 + cos1 * cos2 * cos_a
        sigma = math.atan2(sin_s, cos_s)
        sin_alpha = cos1 * cos2 * sin_a / sin_s
        cos2_alpha = 1 - sin_alpha**2
        middle = cos_s - 2 * sin1 * sin2 / cos2_alpha if cos2_alpha else 0.0
        c = FLATTENING / 16 * cos2_alpha * (4 + FLATTENING * (4 - 3 * cos2_alpha))
        bend = sigma + c * sin_s * (middle + c * cos_s * (2 * middle**2 - 1))
        before, angle = angle, turn + (1 - c) * FLATTENING * sin_alpha * bend
        if abs(angle - before) < 1e-12:
            break
    else:
        return A_M * sigma, math.degrees(math.atan2(east, north)) % 360
    u = cos2_alpha * (A_M**2 / B_M**2 - 1)
    k = (math.sqrt(1 + u) - 1) / (math.sqrt(1 + u) + 1)
    big, small = (1 + k * k / 4) / (1 - k), k * (1 - 3 / 8 * k * k)
    third = small / 6 * middle * (4 * sin_s**2 - 3) * (4 * middle**2 - 3)
    delta = small * sin_s * (middle + small / 4 * (cos_s * (2 * middle**2 - 1) - third))
    return B_M * big * (sigma - delta), math.degrees(math.atan2(east, north)) % 360


def away_m(a: Geometry, b: Geometry) -> float:
    """The straight line between two positions or shapes; 0 where one lies in the other or they meet."""
    if isinstance(a, LatLng):
        if isinstance(b, LatLng):
            return inverse(a, b)[0]
        return 0.0 if holds(b, a) else inverse(a, nearest_to(b, a))[0]
    if isinstance(b, LatLng):
        return away_m(b, a)
    if related(a, b, "intersects"):
        return 0.0
    ends = (
        (position(corner), other) for one, other in ((a, b), (b, a)) for path in paths(one) for corner in path
    )
    return min(inverse(corner, nearest_to(other, corner))[0] for corner, other in ends)


def nearest_to(shape: Shape, at: LatLng) -> LatLng:
    """The point of a shape's edges that is nearest to a position."""
    return _foot(shape, at)[0]


def along_m(course: Shape, at: LatLng) -> float:
    """How far along a course its point nearest to a position lies; its pieces count one after the other."""
    return _foot(course, at)[1]


def _foot(shape: Shape, at: LatLng) -> tuple[LatLng, float]:
    """The nearest point, in the plane that touches the Earth at the position, and how far along the edges it is."""
    east_m, north_m = _degree_m(at.lat)
    best, found, along_m_, passed = math.inf, at, 0.0, 0.0
    for path in _arrays(shape.wkt):
        flat = (path - (at.lng, at.lat)) * (east_m, north_m)
        start, edge = flat[:-1], np.diff(flat, axis=0)
        share = np.clip(-(start * edge).sum(axis=1) / np.maximum((edge**2).sum(axis=1), 1e-12), 0.0, 1.0)
        feet = start + edge * share[:, None]
        off, lengths = np.hypot(feet[:, 0], feet[:, 1]), _edges_m(path)
        index = int(off.argmin())
        if off[index] < best:
            best, (x, y) = float(off[index]), feet[index]
            found = LatLng(lat=float(at.lat + y / north_m), lng=float(at.lng + x / east_m))
            along_m_ = passed + float(lengths[:index].sum() + share[index] * lengths[index])
        passed += float(lengths.sum())
    return found, along_m_


def holds(shape: Shape, at: LatLng) -> bool:
    """Whether a position lies in an area or on its border: rays to the east cross its edges an odd number of times."""
    if shape.kind != "area":
        return False
    crossed = 0
    for path in _arrays(shape.wkt):
        x, y = path[:, 0] - at.lng, path[:, 1] - at.lat
        straddles = (y[:-1] > 0) != (y[1:] > 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            where = x[:-1] - y[:-1] * (x[1:] - x[:-1]) / (y[1:] - y[:-1])
        crossed += int((straddles & (where > 0)).sum())
    if crossed % 2:
        return True
    border = nearest_to(shape, at)
    return abs(border.lat - at.lat) < _NEAR and abs(border.lng - at.lng) < _NEAR


def size_m2(shape: Shape) -> float:
    """The area within a shape's outer rings and outside of its holes; 0 for a line."""
    if shape.kind != "area":
        return 0.0
    return sum(
        _ring_m2(np.array(_corners(ring))) * (1 if outer else -1) for outer, ring in _RING.findall(shape.wkt)
    )


def length_m(shape: Shape) -> float:
    """The length of all edges."""
    return float(sum(_edges_m(path).sum() for path in _arrays(shape.wkt)))


def _edges_m(path: Any) -> Any:
    """The lengths of edges, each by the radii of the Earth in its middle."""
    middle = np.radians((path[:-1, 1] + path[1:, 1]) / 2)
    curve = 1 - E2 * np.sin(middle) ** 2
    edge = np.radians(np.diff(path, axis=0))
    east = edge[:, 0] * np.cos(middle) * A_M / np.sqrt(curve)
    return np.hypot(east, edge[:, 1] * A_M * (1 - E2) / curve**1.5)


def _wkt(geometry: Geometry) -> str:
    return geometry.wkt if isinstance(geometry, Shape) else f"POINT ({geometry.lng} {geometry.lat})"


def related(a: Geometry, b: Geometry, relation: str) -> bool:
    """Whether two shapes or positions stand in a relation: intersects, disjoint, touches, crosses, holds."""
    import shapely

    matrix = shapely.relate(*(shapely.from_wkt(_wkt(one)) for one in (a, b)))
    meet = any(matrix[index] != "F" for index in (0, 1, 3, 4))
    match relation:
        case "intersects":
            return meet
        case "disjoint":
            return not meet
        case "touches":
            return bool(meet and matrix[0] == "F")
        case "holds":
            return bool(meet and matrix[6] == matrix[7] == "F")
    if isinstance(a, LatLng) or isinstance(b, LatLng):
        return False
    if a.kind == b.kind:
        return bool(a.kind == "line" and matrix[0] == "0")
    return bool(matrix[0] != "F" and matrix[2 if a.kind == "line" else 6] != "F")


def is_buffer(made: Shape, of: Geometry, by_m: float) -> bool:
    """Whether an area is all that lies within a distance: its border is that far away, and it holds the thing."""
    inner = of if isinstance(of, LatLng) else position(paths(of)[0][0])
    ends = [pair for path in paths(made) for pair in pairwise(path)]
    border = [position(a) for a, _ in ends] + [
        position(((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)) for a, b in ends
    ]
    return holds(made, inner) and all(close(away_m(of, one), by_m, 0.01) for one in border)


def is_corridor(made: Shape, a: LatLng, b: LatLng, share: float) -> bool:
    """Whether an area is the rectangle about a line, a share of its length to each side."""
    length = inverse(a, b)[0]
    corners = {position(corner) for path in paths(made) for corner in path}
    axis = Shape(kind="line", wkt=f"LINESTRING ({a.lng} {a.lat}, {b.lng} {b.lat})")
    wide = all(close(away_m(one, axis), share * length, 0.01) for one in corners)
    full = close(size_m2(made), 2 * share * length**2, 0.01)
    return wide and full and all(away_m(end, made) <= 0.001 * length for end in (a, b))


def is_part(made: Shape, of: Shape, within: Shape) -> bool:
    """Whether a shape is what two others have in common: nothing that only one side has is of any size."""
    import shapely

    mine = shapely.intersection(shapely.from_wkt(of.wkt), shapely.from_wkt(within.wkt))
    measure = shapely.area if of.kind == "area" else shapely.length
    other = shapely.symmetric_difference(mine, shapely.from_wkt(made.wkt))
    return bool(measure(other) <= 0.01 * measure(mine) + 1e-12)


def position(corner: tuple[float, float]) -> LatLng:
    """A corner of a shape as a position."""
    return LatLng(lat=corner[1], lng=corner[0])


def paths(shape: Shape) -> list[Path]:
    """The rings of an area, or the pieces of a line."""
    return [[(float(x), float(y)) for x, y in path] for path in _arrays(shape.wkt)]


@lru_cache(maxsize=64)
def _arrays(wkt: str) -> tuple[Any, ...]:
    return tuple(np.array(_corners(ring)) for _, ring in _RING.findall(wkt))


def _corners(text: str) -> list[tuple[float, float]]:
    pairs = (part.split() for part in text.split(","))
    return [(float(pair[0]), float(pair[1])) for pair in pairs]


def _ring_m2(ring: Any) -> float:
    """A ring on the cylinder that keeps areas (J. P. Snyder, Map Projections, USGS 1987, equations 10-14 and 3-12)."""
    sines = np.sin(np.radians(ring[:, 1]))
    q = (1 - E2) * (sines / (1 - E2 * sines**2) + np.arctanh(_E * sines) / _E)
    x, y = np.radians(ring[:, 0] - ring[0, 0]) * A_M, q * A_M / 2
    return float(abs((x[:-1] * y[1:] - x[1:] * y[:-1]).sum()) / 2)


def _degree_m(lat: float) -> tuple[float, float]:
    """Metres for a degree of longitude and one of latitude."""
    curve = 1 - E2 * math.sin(math.radians(lat)) ** 2
    north = A_M * (1 - E2) / curve**1.5
    return math.radians(A_M / math.sqrt(curve) * math.cos(math.radians(lat))), math.radians(north)
