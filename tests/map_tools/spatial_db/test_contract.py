"""What every spatial database promises, on real engines."""

import asyncio
import math
import time

import pytest
from geographiclib.geodesic import Geodesic

from map_tools.errors import QueryError
from map_tools.spatial_db.port import QueryResult, SpatialDatabase

HERE = "ST_SetSRID(ST_MakePoint(10.0, 50.0), 4326)::geography"


def ask(database: SpatialDatabase, sql: str, **options) -> QueryResult:
    return asyncio.run(database.query(sql, **options))


def metres(lon1: float, lat1: float, lon2: float, lat2: float) -> float:
    return float(Geodesic.WGS84.Inverse(lat1, lon1, lat2, lon2)["s12"])


def test_schema_tells_tables_columns_and_geometry_types(database):
    schema = database.schema()
    assert [(table.name, table.rows) for table in schema.tables] == [
        ("lakes", 1),
        ("parks", 3),
        ("pois", 8),
        ("regions", 2),
        ("roads", 2),
    ]
    pois = schema.table("pois")
    assert [column.name for column in pois.columns] == [
        "id", "osm_id", "osm_type", "poi_name", "amenity", "tourism", "cuisine", "geometry",
    ]  # fmt: skip
    assert {column.name: column.type for column in pois.columns}["id"] == "bigint"
    assert (pois.column("geometry").type, pois.geometry, pois.srid, pois.is_points) == (
        "geography",
        "geometry",
        4326,
        True,
    )
    assert schema.table("parks").geometry_types == ("MULTIPOLYGON", "POINT", "POLYGON")
    assert schema.table("nothing") is None


def test_distances_are_geodesic_metres(database):
    found = ask(database, f"SELECT id, ST_Distance(geometry, {HERE}) AS d FROM pois WHERE id < 5 ORDER BY id")
    places = [(10.0, 50.1), (10.1, 50.0), (9.9, 49.9), (12.0, 51.0)]
    for (_, distance), place in zip(found.rows, places, strict=True):
        assert distance == pytest.approx(metres(10.0, 50.0, *place), rel=1e-9)


def test_azimuths_are_geodesic(database):
    found = ask(database, f"SELECT degrees(ST_Azimuth({HERE}, geometry)) FROM pois WHERE id < 5 ORDER BY id")
    places = [(50.1, 10.0), (50.0, 10.1), (49.9, 9.9), (51.0, 12.0)]
    for (angle,), place in zip(found.rows, places, strict=True):
        assert angle == pytest.approx(Geodesic.WGS84.Inverse(50.0, 10.0, *place)["azi1"] % 360, abs=1e-6)


def test_range_is_in_metres_and_inclusive_of_the_nearest(database):
    east = metres(10.0, 50.0, 10.1, 50.0)
    sql = "SELECT id FROM pois WHERE ST_DWithin(geometry, {}, {}) AND amenity = 'cafe' ORDER BY id"
    assert ask(database, sql.format(HERE, east + 0.01)).rows == ((2,),)
    assert ask(database, sql.format(HERE, east - 0.01)).rows == ()


def test_nearest_is_ordered_by_knn(database):
    found = ask(database, f"SELECT id FROM pois WHERE amenity = 'cafe' ORDER BY geometry <-> {HERE} LIMIT 3")
    assert found.rows == ((2,), (1,), (4,))


def test_a_range_reaches_over_the_date_line(database):
    east_of_it = "ST_GeogFromText('POINT(-179.99 0)')"
    found = ask(database, f"SELECT id FROM pois WHERE ST_DWithin(geometry, {east_of_it}, 3000)")
    assert found.rows == ((7,),)


def test_areas_and_lengths_are_geodesic(database):
    area, _ = ask(database, "SELECT ST_Area(geometry), ST_Perimeter(geometry) FROM parks WHERE id = 1").rows[
        0
    ]
    ring = Geodesic.WGS84.Polygon()
    for lat, lon in ((50.0, 10.0), (50.0, 10.01), (50.01, 10.01), (50.01, 10.0)):
        ring.AddPoint(lat, lon)
    assert area == pytest.approx(abs(ring.Compute()[2]), rel=1e-6)
    length = ask(database, "SELECT ST_Length(geometry) FROM roads WHERE id = 1").rows[0][0]
    assert length == pytest.approx(metres(10, 50, 10, 50.02) + metres(10, 50.02, 10.01, 50.03), rel=1e-9)


def test_places_in_a_region(database):
    sql = (
        "SELECT id FROM pois WHERE ST_Intersects(pois.geometry, (SELECT geometry FROM regions WHERE id = 1))"
        " ORDER BY id"
    )
    assert ask(database, sql).rows == ((1,), (2,), (5,), (6,))


def test_joins_of_regions_and_places(database):
    sql = (
        "SELECT r.region_name, count(*) AS n FROM regions r JOIN pois p"
        " ON ST_Within(p.geometry::geometry, r.geometry::geometry) GROUP BY r.region_name ORDER BY n DESC"
    )
    assert ask(database, sql).rows == (("Middle", 4), ("Elsewhere", 1))


def test_planar_measures_of_geometries_are_degrees(database):
    point = "ST_SetSRID(ST_MakePoint(10.0, 50.0), 4326)"
    sql = f"SELECT ST_Distance(geometry::geometry, {point}) FROM pois WHERE id = 4"
    assert ask(database, sql).rows[0][0] == pytest.approx(math.hypot(2, 1))


def test_no_more_rows_than_asked_for(database):
    found = ask(database, "SELECT id FROM pois ORDER BY id", max_rows=3)
    assert (found.rows, found.truncated) == (((1,), (2,), (3,)), True)
    whole = ask(database, "SELECT id FROM pois WHERE id <= 3", max_rows=3)
    assert (len(whole.rows), whole.truncated) == (3, False)


def test_points_are_written_out_and_outlines_described(database):
    found = ask(database, "SELECT * FROM pois WHERE id = 1")
    assert found.columns[-1] == "geometry"
    assert dict(zip(found.columns, found.rows[0], strict=True))["geometry"] == "POINT (10 50.1)"
    shown = ask(database, "SELECT geometry FROM parks WHERE id = 1").rows[0][0]
    assert shown == "POLYGON of 5 points within 10.0 50.0, 10.01 50.01"


def test_columns_are_named_as_postgresql_does(database):
    found = ask(
        database, "SELECT count(*), Max(id) AS Most, lower(max(poi_name)), 1, id::text FROM pois GROUP BY id"
    )
    assert found.columns == ("count", "most", "lower", "?column?", "id")


def test_text_with_awkward_characters(database):
    found = ask(
        database,
        "SELECT poi_name FROM pois WHERE poi_name LIKE '%\\%%' OR poi_name ILIKE 'ödön''s%' ORDER BY id",
    )
    assert found.rows == (("50% Burger\\Bar",), ("Ödön's Kitchen",))


def test_a_slow_query_is_stopped_and_the_database_goes_on(database):
    slow = " CROSS JOIN ".join(f"pois p{number}" for number in range(12))
    begin = time.monotonic()
    with pytest.raises(QueryError, match=r"stopped after 0\.3 s"):
        ask(database, f"SELECT max(p0.id + p5.id + p11.id) FROM {slow}", timeout_s=0.3)
    assert time.monotonic() - begin < 5
    assert ask(database, "SELECT count(*) FROM pois").rows == ((8,),)


def test_a_cancelled_question_stops_its_query(database):
    slow = " CROSS JOIN ".join(f"pois p{number}" for number in range(12))

    async def main() -> float:
        task = asyncio.create_task(database.query(f"SELECT max(p0.id + p9.id) FROM {slow}"))
        await asyncio.sleep(0.2)
        task.cancel()
        begin = time.monotonic()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await database.query("SELECT 1")).rows == ((1,),)
        return time.monotonic() - begin

    assert asyncio.run(main()) < 5


def test_many_queries_at_the_same_time(database):
    async def main() -> list[QueryResult]:
        return await asyncio.gather(
            *(database.query(f"SELECT count(*) + {number} AS n FROM pois") for number in range(20))
        )

    assert [result.rows[0][0] for result in asyncio.run(main())] == [8 + number for number in range(20)]


@pytest.mark.parametrize(
    ("sql", "hint"),
    [
        ("SELECT nam FROM pois", "There is no column nam"),
        ("SELECT name FROM parks", "parks.park_name"),
        ("SELECT _lon FROM pois", "There is no column _lon"),
        ("SELECT p.pg_sleep FROM pois p", "There is no column p.pg_sleep"),
        ("SELECT * FROM poi", "pois"),
        ("SELECT id FROM pois, parks", "more than one"),
        ("SELECT amenity, count(*) FROM pois", "GROUP BY"),
        ("SELECT 'abc'::int", "types do not fit"),
        ("SELECT ST_GeomFromText('POINT(1)', 4326)", "longitude first"),
    ],
)
def test_errors_are_observations(database, sql, hint):
    from map_tools.errors import ToolError

    with pytest.raises(ToolError) as caught:
        ask(database, sql)
    assert hint in str(caught.value)
    assert caught.value.remedy
