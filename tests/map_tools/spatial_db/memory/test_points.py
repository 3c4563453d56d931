"""Searches among points, sectors, areas and lengths, against pyproj on the same ellipsoid."""

import random

import numpy as np
import pytest
import shapely
from geographiclib.geodesic import Geodesic
from pyproj import Geod

from map_tools.maps.geodesic import azimuth_deg
from map_tools.spatial_db.duckdb_build import macros
from map_tools.spatial_db.duckdb_engine import connect
from map_tools.spatial_db.memory.points import HalfPlane, PointIndex, Sector, build_points
from map_tools.spatial_db.memory.sizes import MAX_EDGE_DEG, area_m2, length_m, shorten_edges
from map_tools.types import LatLng

WGS84 = Geod(ellps="WGS84")
COUNT = 4000
KIND = "amenity=cafe"


@pytest.fixture(scope="module")
def scattered() -> tuple[PointIndex, np.ndarray, np.ndarray]:
    """Points around 170 degrees east, so that many lie beyond the 180th meridian; every third is a cafe."""
    dice = np.random.default_rng(7)
    lats = dice.uniform(50.0, 60.0, COUNT)
    lngs = (dice.uniform(165.0, 195.0, COUNT) + 180.0) % 360.0 - 180.0
    rows = np.arange(COUNT, dtype=np.int64)
    return build_points({"": rows, KIND: rows[::3]}, lats, lngs), lats, lngs


def measured(origin: LatLng, lats: np.ndarray, lngs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Azimuths and distances by pyproj."""
    size = len(lats)
    azimuths, _, metres = WGS84.inv(np.full(size, origin.lng), np.full(size, origin.lat), lngs, lats)
    return azimuths % 360, metres


ORIGINS = (LatLng(lat=55.0, lng=179.5), LatLng(lat=52.0, lng=170.0), LatLng(lat=59.9, lng=-170.0))


@pytest.mark.parametrize("origin", ORIGINS)
def test_the_nearest_are_the_nearest(scattered: tuple, origin: LatLng) -> None:
    index, lats, lngs = scattered
    _, metres = measured(origin, lats, lngs)
    cafes = np.arange(COUNT)[::3]
    wanted = cafes[np.argsort(metres[cafes])][:7]
    found = index.nearest(origin, KIND, 7)
    assert found.rows.tolist() == wanted.tolist()
    assert found.distances_m == pytest.approx(metres[wanted], abs=0.01)


@pytest.mark.parametrize("origin", ORIGINS)
@pytest.mark.parametrize("center_deg", [0.0, 137.0, 270.0])
def test_the_nearest_in_a_sector_wrap_around_north(
    scattered: tuple, origin: LatLng, center_deg: float
) -> None:
    index, lats, lngs = scattered
    azimuths, metres = measured(origin, lats, lngs)
    inside = np.abs((azimuths - center_deg + 180) % 360 - 180) <= 22.5
    rows = np.flatnonzero(inside)
    wanted = rows[np.argsort(metres[rows])][:3]
    found = index.nearest(origin, "", 3, sector=Sector(center_deg, 22.5))
    assert found.rows.tolist() == wanted.tolist()


@pytest.mark.parametrize("radius_m", [0.0, 5_000.0, 120_000.0, 900_000.0])
def test_within_is_exact_at_the_rim(scattered: tuple, radius_m: float) -> None:
    index, lats, lngs = scattered
    origin = ORIGINS[0]
    _, metres = measured(origin, lats, lngs)
    assert sorted(index.within(origin, "", radius_m)) == np.flatnonzero(metres <= radius_m).tolist()


@pytest.mark.parametrize("lat", [0.0, 47.0, -89.5])
def test_a_sector_is_exact_at_its_edges_and_on_the_far_side(lat: float) -> None:
    """Points all over the earth, most of them near the origin or near its antipode."""
    dice = np.random.default_rng(3)
    reach = np.repeat([0.001, 0.1, 10.0, 180.0], COUNT // 4)
    lats = np.clip(lat + dice.uniform(-1, 1, COUNT) * reach / 2, -90.0, 90.0)
    lngs = (20.0 + dice.uniform(-1, 1, COUNT) * reach + 180.0) % 360.0 - 180.0
    origin = LatLng(lat=lat, lng=20.0)
    azimuths, metres = measured(origin, lats, lngs)
    wanted = np.abs((azimuths - 45.0 + 180) % 360 - 180) <= 22.5
    found = Sector(45.0, 22.5).holds(origin, lats, lngs)
    clear = metres < 19_500_000  # Vincenty's formula does not reach the antipode itself
    assert found[clear].tolist() == wanted[clear].tolist()


def test_only_some_entries_may_be_given(scattered: tuple) -> None:
    index, lats, lngs = scattered
    members = index.members(KIND)
    allowed = np.zeros(members.stop - members.start, np.bool_)
    allowed[::5] = True
    _, metres = measured(ORIGINS[1], lats, lngs)
    rows = index.rows[members][allowed]
    found = index.nearest(ORIGINS[1], KIND, 1, only=allowed)
    assert found.rows.tolist() == [rows[np.argmin(metres[rows])]]


def test_a_kind_that_is_not_there_gives_nothing(scattered: tuple) -> None:
    index, _, _ = scattered
    assert len(index.nearest(ORIGINS[0], "amenity=zoo", 3).rows) == 0
    assert len(index.within(ORIGINS[0], "amenity=zoo", 1e6)) == 0


def test_a_half_plane_is_a_side_of_the_map() -> None:
    origin = LatLng(lat=10.0, lng=179.0)
    lats, lngs = np.array([11.0, 9.0, 10.5, 9.5]), np.array([170.0, -179.0, -178.0, 178.0])
    assert HalfPlane("N").holds(origin, lats, lngs).tolist() == [True, False, True, False]
    assert HalfPlane("E").holds(origin, lats, lngs).tolist() == [False, True, True, False]
    assert HalfPlane("SW").holds(origin, lats, lngs).tolist() == [False, False, False, True]


def test_azimuths_are_those_of_pyproj() -> None:
    dice = np.random.default_rng(3)
    lats, lngs = dice.uniform(-80, 80, 500), dice.uniform(-170, 170, 500)
    origin = LatLng(lat=47.0, lng=9.5)
    azimuths, metres = measured(origin, lats, lngs)
    near = metres < 15_000_000
    off = (azimuth_deg(origin.lat, origin.lng, lats, lngs) - azimuths + 180) % 360 - 180
    assert np.abs(off[near]).max() < 1e-6


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


_QUERY = """SELECT mg_azimuth_between(lon1, mg_reduced(lat1), lon2, mg_reduced(lat2), low, high)
FROM pairs ORDER BY id"""
_FARTHEST_M = 10_000_000.0
"""Beyond, the azimuth itself is only nearly right."""
_EDGE_DEG = 0.001

Pair = tuple[float, float, float, float, float, float]


@pytest.fixture
def database():
    """An empty database with the macros."""
    connection = connect()
    for statement in macros():
        connection.execute(statement)
    yield connection
    connection.close()


def _pairs(count: int, spread_deg: float) -> list[tuple[Pair, bool]]:
    """Two points and a sector, and whether the second point lies in the sector of the first."""
    chance = random.Random(count)
    found: list[tuple[Pair, bool]] = []
    while len(found) < count:
        lat1, lon1 = chance.uniform(-85, 85), chance.uniform(-180, 180)
        lat2 = max(-89.0, min(89.0, lat1 + chance.uniform(-spread_deg, spread_deg)))
        lon2 = (lon1 + chance.uniform(-spread_deg, spread_deg) + 540) % 360 - 180
        low = chance.uniform(0, 300)
        high = min(360.0, low + chance.choice((1, 45, 90, 170, 185, 300)))
        line = Geodesic.WGS84.Inverse(lat1, lon1, lat2, lon2)
        azimuth = line["azi1"] % 360
        if line["s12"] < _FARTHEST_M and min(abs(azimuth - low), abs(azimuth - high)) > _EDGE_DEG:
            found.append(((lat1, lon1, lat2, lon2, low, high), low <= azimuth <= high))
    return found


@pytest.mark.parametrize("spread_deg", [0.01, 2.0, 60.0, 179.0])
def test_sectors_hold_what_geographiclib_says(database, spread_deg):
    pairs = _pairs(500, spread_deg)
    rows = ", ".join(f"({number}, {', '.join(map(repr, pair))})" for number, (pair, _) in enumerate(pairs))
    columns = "id, lat1, lon1, lat2, lon2, low, high"
    database.execute(f"CREATE TABLE pairs AS SELECT * FROM (VALUES {rows}) AS t({columns})")
    told = [bool(row[0]) for row in database.execute(_QUERY).fetchall()]
    assert told == [inside for _, inside in pairs]
    assert 50 < sum(told) < 450


def test_a_point_is_in_no_sector_of_itself(database):
    same = database.execute("SELECT mg_azimuth_between(10.0, 0.5, 10.0, 0.5, 0, 90)").fetchone()
    assert same == (None,)
