"""Each rule of the translation, on both engines where it translates, by its hint where it refuses."""

import asyncio
import tomllib
from pathlib import Path

import pytest

from map_tools.errors import QueryError, QueryRefusedError
from map_tools.spatial_db.duckdb_build import macros
from map_tools.spatial_db.duckdb_engine import connect
from map_tools.spatial_db.guard import checked
from map_tools.spatial_db.port import SpatialDatabase
from map_tools.spatial_db.translate import translated
from map_tools.spatial_db.translate.spatial_rules import around

HERE = "ST_GeomFromText('POINT(10.0 50.0)', 4326)"

SAME = {
    name: sql.replace("{here}", HERE)
    for name, sql in tomllib.loads((Path(__file__).parent / "same.toml").read_text("utf-8")).items()
}

REFUSED = {
    "SELECT ST_Buffer(geometry, 100) FROM pois": "ST_DWithin",
    "SELECT ST_Project(geometry, 100, 0) FROM pois": "ST_Azimuth",
    "SELECT ST_Area(ST_Transform(geometry::geometry, 3857)) FROM parks": "ST_Area(x::geography)",
    "SELECT ST_Centroid(geometry) FROM parks": "ST_Centroid(x::geometry)",
    "SELECT ST_Within(geometry, geometry) FROM parks": "::geometry",
    "SELECT ST_X(geometry) FROM pois": "::geometry",
    "SELECT ST_Intersection(geometry, geometry) FROM parks": "::geometry",
    "SELECT geometry && geometry FROM parks": "ST_Intersects",
    "SELECT ST_SetSRID(ST_MakePoint(1, 2), 3857)": "4326",
    "SELECT 'SRID=3857;POINT(1 2)'::geography": "4326",
    "SELECT ST_Area('POLYGON((0 50, 12 50, 12 51, 0 50))'::geography)": "x::geometry",
    "SELECT ST_Area(ST_MakeEnvelope(0, 50, 12, 51, 4326)::geography)": "x::geometry",
    "SELECT ST_DWithin(geometry, geometry, 5, false) FROM pois": "Leave out",
    "SELECT geometry::text FROM pois": "ST_AsText",
    "SELECT ST_Simplify(geometry::geometry, 1) FROM parks": "as it is",
    "SELECT poi_name FROM pois WHERE poi_name SIMILAR TO 'a%'": "ILIKE",
    "SELECT poi_name FROM pois WHERE poi_name ~ poi_name": "ILIKE",
    r"SELECT poi_name FROM pois WHERE poi_name ~ '\bCafe'": r"\y",
    "SELECT poi_name FROM pois WHERE poi_name ~ '(?=a)'": r"\y",
    "SELECT generate_series(1, 5)": "FROM",
    "SELECT ST_Distance(poi_name, poi_name) FROM pois": "::geography",
    "SELECT min(geometry) FROM pois": "measure",
    "SELECT ST_Covers(geometry, geometry) FROM parks": "::geometry",
    "SELECT (pois).poi_name FROM pois": "table.column",
}


def rows(database: SpatialDatabase, sql: str):
    return asyncio.run(database.query(sql, max_rows=1000))


@pytest.mark.parametrize("sql", SAME.values(), ids=SAME.keys())
def test_both_engines_answer_the_same(sql, embedded_database, server_database):
    from benchmarks.spatial_agreement import differences

    expected = rows(server_database, sql)
    assert expected.rows
    found = rows(embedded_database, sql)
    assert differences(expected, found) is None, found.sql_run
    if "ORDER BY" in sql.upper().rpartition(")")[2]:
        assert [row[0] for row in found.rows] == [row[0] for row in expected.rows]


@pytest.mark.parametrize(("sql", "hint"), REFUSED.items())
def test_what_has_no_equal_is_refused_with_a_hint(sql, hint, embedded_database):
    schema = embedded_database.schema()
    with pytest.raises(QueryRefusedError) as caught:
        translated(checked(sql, schema), schema)
    assert hint in str(caught.value)


def test_ranges_are_prepared_for_the_indexes(embedded_database):
    schema = embedded_database.schema()
    points = f"SELECT id FROM pois p WHERE ST_DWithin(p.geometry, {HERE}::geography, 500)"
    assert "p._lon BETWEEN 9.99" in translated(checked(points, schema), schema).sql
    moving = "SELECT p.id FROM pois p, pois q WHERE ST_DWithin(p.geometry, q.geometry, 500)"
    assert "p._lon BETWEEN MG_WEST" in translated(checked(moving, schema), schema).sql
    lines = f"SELECT id FROM roads r WHERE ST_DWithin(r.geometry, {HERE}::geography, 500)"
    assert "r.geometry && MG_BOX" in translated(checked(lines, schema), schema).sql


@pytest.mark.parametrize("lon", [24.94, -179.99, 180.0])
@pytest.mark.parametrize("lat", [0.0, -60.17, 88.99])
@pytest.mark.parametrize("metres", [0.0, 500.0, 2_000_000.0])
def test_a_box_around_a_constant_is_what_the_macros_say(lon: float, lat: float, metres: float) -> None:
    with connect() as database:
        for statement in macros():
            database.execute(statement)
        sides = ", ".join(f"mg_{side}(g, {metres})" for side in ("west", "south", "east", "north"))
        expected = database.execute(f"SELECT {sides} FROM (SELECT ST_Point({lon}, {lat}) AS g)").fetchone()
    assert around(lon, lat, metres) == pytest.approx(expected)


@pytest.mark.parametrize("numbers", [". .", "1.2.3 4", "- 1", "10"])
@pytest.mark.parametrize("asks", ["ST_DWithin(geometry, {}, 500)", "ST_Azimuth(geometry, {}) > 1"])
def test_a_point_that_is_none_is_told(numbers: str, asks: str, embedded_database: SpatialDatabase) -> None:
    point = f"ST_GeomFromText('POINT({numbers})', 4326)::geography"
    with pytest.raises(QueryError):
        rows(embedded_database, f"SELECT id FROM pois WHERE {asks.format(point)}")


def test_notes_tell_what_knn_orders_by(embedded_database):
    found = rows(embedded_database, f"SELECT id FROM pois ORDER BY geometry <-> {HERE}::geography LIMIT 1")
    assert any("sphere" in note for note in found.notes)
