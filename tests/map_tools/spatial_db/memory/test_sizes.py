"""Areas and lengths, against pyproj on the same ellipsoid."""

import numpy as np
import pytest
import shapely
from pyproj import Geod

from map_tools.spatial_db.memory.sizes import MAX_EDGE_DEG, area_m2, length_m, shorten_edges

WGS84 = Geod(ellps="WGS84")

AREAS = (
    shapely.box(9.5, 47.1, 9.53, 47.12),
    shapely.Polygon([(24.9, 60.1), (25.0, 60.16), (24.95, 60.2), (24.85, 60.17)]),
    shapely.Polygon(shapely.box(-80, 25, -79, 26).exterior, [shapely.box(-79.7, 25.3, -79.5, 25.6).exterior]),
    shapely.MultiPolygon([shapely.box(1, 1, 1.2, 1.1), shapely.box(2, -1, 2.1, -0.9)]),
)
LINES = (
    shapely.LineString([(9.5, 47.1), (9.52, 47.2), (9.6, 47.21)]),
    shapely.LineString([(-100, 40), (-95, 42)]),
    shapely.MultiLineString([[(0, 0), (0, 0.01)], [(5, 60), (5.02, 60)]]),
)


def array(*geometries: object) -> np.ndarray:
    """Geometries as the code takes them."""
    return np.array(geometries, dtype=object)


def test_areas_of_great_circle_edges_are_geodesic() -> None:
    wanted = [abs(WGS84.geometry_area_perimeter(shapely.orient_polygons(area))[0]) for area in AREAS]
    assert area_m2(shorten_edges(array(*AREAS))) == pytest.approx(wanted, rel=1e-4)


def test_lengths_are_geodesic() -> None:
    wanted = [WGS84.geometry_length(line) for line in LINES]
    assert length_m(shorten_edges(array(*LINES))) == pytest.approx(wanted, rel=1e-5)


def test_an_area_has_no_length_and_a_line_no_area() -> None:
    mixed = array(AREAS[0], LINES[0], shapely.Point(1, 2))
    assert length_m(mixed)[[0, 2]].tolist() == [0, 0]
    assert area_m2(mixed)[1:].tolist() == [0, 0]


def test_long_edges_follow_the_great_circle() -> None:
    (line,) = shorten_edges(array(shapely.LineString([(0, 60), (20, 60)])))
    points = shapely.get_coordinates(line)
    assert np.abs(np.diff(points, axis=0)).max() <= MAX_EDGE_DEG * 1.05
    middle = WGS84.npts(0, 60, 20, 60, 1)[0]
    nearest = points[np.argmin(np.abs(points[:, 0] - middle[0]))]
    assert nearest[1] == pytest.approx(middle[1], abs=0.01)
    assert points[0].tolist() == [0, 60]
    assert points[-1].tolist() == [20, 60]


def test_short_edges_are_left_alone() -> None:
    areas = array(AREAS[0])
    assert shorten_edges(areas) is areas
