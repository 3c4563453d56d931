"""Distances, directions, areas and lengths: geodesics one by one, and fast bounds to spare most of them."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from evals.generate.gsqa.reference import Thing
from evals.generate.world import azimuth_deg, distance_m

type Numbers = npt.NDArray[np.float64]
type Point = tuple[float, float]

BOUND = 0.005
"""The fast distance is within this share of the geodesic one, for up to 475 km."""
NEAR_EDGE_DEG = 0.5
"""The fast direction is within this of the geodesic one, for up to 475 km."""
HALF_SECTOR_DEG = 22.5
"""GS-QA, figure 2: eight sectors of 45 degrees; "towards" takes the azimuth ± 22.5 degrees."""


class Cloud:
    """All points of the outlines of some features, for bounds of their distances at once."""

    def __init__(self, things: Sequence[Thing]) -> None:
        self.things = tuple(things)
        outlines = [outline(thing) for thing in things]
        self._starts = np.cumsum([0, *(len(points) for points in outlines)])[:-1]
        points = np.array([point for points in outlines for point in points], dtype=np.float64)
        self._lats, self._lngs = points.reshape(-1, 2).T

    def bounds_m(self, origin: Point) -> tuple[Numbers, Numbers]:
        """Least and greatest distance of each feature's outline, each within `BOUND`."""
        if not self.things:
            return np.empty(0), np.empty(0)
        metres = fast_m(origin, self._lats, self._lngs)
        return np.minimum.reduceat(metres, self._starts), np.maximum.reduceat(metres, self._starts)


def outline(thing: Thing) -> list[Point]:
    """The points of a feature: its own point, and those of its shape."""
    if thing.shape is None:
        return [thing.point]
    import shapely

    return [thing.point, *((lat, lng) for lng, lat in shapely.get_coordinates(thing.shape).tolist())]


def fast_m(origin: Point, lats: Numbers, lngs: Numbers) -> Numbers:
    """Distances in metres by the polynomial of 47 CFR 73.208(c), for Clarke's spheroid of 1866.

    https://www.ecfr.gov/current/title-47/section-73.208
    """
    north, east = _offsets_m(origin, lats, lngs)
    metres: Numbers = np.hypot(north, east)
    return metres


def fast_azimuths_deg(origin: Point, lats: Numbers, lngs: Numbers) -> Numbers:
    """Directions at the origin: those at half the way, less half of the meridians' convergence."""
    north, east = _offsets_m(origin, lats, lngs)
    convergence = _across(origin, lngs) * np.sin(np.radians((lats + origin[0]) / 2))
    azimuths: Numbers = (np.degrees(np.arctan2(east, north)) - convergence / 2) % 360
    return azimuths


def _offsets_m(origin: Point, lats: Numbers, lngs: Numbers) -> tuple[Numbers, Numbers]:
    middle = np.radians((lats + origin[0]) / 2)
    north_km = 111.13209 - 0.56605 * np.cos(2 * middle) + 0.00120 * np.cos(4 * middle)
    east_km = 111.41513 * np.cos(middle) - 0.09455 * np.cos(3 * middle) + 0.00012 * np.cos(5 * middle)
    return 1000 * north_km * (lats - origin[0]), 1000 * east_km * _across(origin, lngs)


def _across(origin: Point, lngs: Numbers) -> Numbers:
    degrees: Numbers = (lngs - origin[1] + 180) % 360 - 180
    return degrees


def range_m(origin: Point, thing: Thing) -> tuple[float, float]:
    """Least and greatest geodesic distance to a feature's outline; 0 at least if the origin is inside."""
    lengths = [distance_m(origin, point) for point in outline(thing)]
    return (0.0 if covers(thing, origin) else min(lengths)), max(lengths)


def covers(thing: Thing, point: Point) -> bool:
    """True if a feature is an area around the point."""
    import shapely

    return bool(thing.is_area and thing.shape.covers(shapely.Point(point[1], point[0])))


def side_of_sector(origin: Point, thing: Thing, center_deg: float) -> bool | None:
    """True if a feature lies wholly in the sector around a direction, False if wholly outside, else None."""
    points = np.array(outline(thing))
    turns = (fast_azimuths_deg(origin, points[:, 0], points[:, 1]) - center_deg + 180) % 360 - 180
    if np.all(np.abs(np.abs(turns) - HALF_SECTOR_DEG) > NEAR_EDGE_DEG):
        inside = set((np.abs(turns) < HALF_SECTOR_DEG).tolist())
    else:
        inside = {in_sector(azimuth, center_deg) for azimuth in azimuths_deg(origin, thing)}
    return None if len(inside) > 1 else inside.pop()


def in_sector(azimuth: float, center_deg: float) -> bool:
    """True if an azimuth lies in the sector around a direction, across north as anywhere else."""
    return abs((azimuth - center_deg + 180) % 360 - 180) <= HALF_SECTOR_DEG


def azimuths_deg(origin: Point, thing: Thing) -> list[float]:
    """Directions of all points of a feature's outline."""
    return [azimuth_deg(origin, point) for point in outline(thing)]


def area_m2(thing: Thing) -> float:
    """Area on the ellipsoid in square metres (Karney 2013, section 6), holes taken out."""
    return sum(
        _ring_m2(polygon.exterior) - sum(map(_ring_m2, polygon.interiors))
        for polygon in getattr(thing.shape, "geoms", [thing.shape])
    )


def length_m(thing: Thing) -> float:
    """Length of a line in metres: the sum of the geodesics between its points."""
    points = outline(thing)[1:]
    return sum(distance_m(a, b) for a, b in pairwise(points))


def _ring_m2(ring: Any) -> float:
    from geographiclib.geodesic import Geodesic

    polygon = Geodesic.WGS84.Polygon()
    for lng, lat in ring.coords[:-1]:
        polygon.AddPoint(lat, lng)
    return abs(float(polygon.Compute()[2]))
