"""Whether a point lies in a sector is told without its azimuth where that is easy, and always told right."""

import random

import pytest
from geographiclib.geodesic import Geodesic

from map_tools.spatial_db.duckdb_build import macros
from map_tools.spatial_db.duckdb_engine import connect

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
