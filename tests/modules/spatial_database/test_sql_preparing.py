"""The preprocessor of queries: what is mended, what is told, and what is left alone."""

import asyncio

import pytest

from map_tools.spatial_db.duckdb_db import DuckDBDatabase
from modules.spatial_database.tools.run_sql import FENCED, TRANSFORMED, prepared

NEAR = "SELECT b.poi_name FROM pois a, pois b WHERE a.poi_name = 'North Cafe' AND "


def rows(world: DuckDBDatabase, sql: str) -> list[tuple[object, ...]]:
    return list(asyncio.run(world.query(sql)).rows)


@pytest.mark.parametrize(
    ("written", "mended", "told"),
    [
        ("```sql\nSELECT 1\n```", "SELECT 1", (FENCED,)),
        ("Here: SELECT 1; done", "SELECT 1", (FENCED,)),
        ("SELECT 1;", "SELECT 1", ()),
        ("SELECT id, FROM pois", "SELECT id FROM pois", ("a comma too many is left out",)),
        ("SELECT id FROM pois WHERE id == 1", "SELECT id FROM pois WHERE id = 1", ("equality is written =",)),
        (
            "SELECT id FROM pois WHERE id =< 1",
            "SELECT id FROM pois WHERE id <= 1",
            ("an operator is written <=",),
        ),
        (
            "SELECT id FROM pois WHERE id > = 1",
            "SELECT id FROM pois WHERE id >= 1",
            ("an operator is written >=",),
        ),
        (
            "SELECT id FROM pois WHERE id !== 1",
            "SELECT id FROM pois WHERE id <> 1",
            ("an operator is written <>",),
        ),
        (
            "SELECT id FROM pois WHERE poi_name = ‘East Cafe’",
            "SELECT id FROM pois WHERE poi_name = 'East Cafe'",
            (),
        ),
        (
            "SELECT id FROM pois LIMIT 2, 1",
            "SELECT id FROM pois LIMIT 1 OFFSET 2",
            ("LIMIT takes one number, OFFSET the other",),
        ),
    ],
)
def test_slips_of_the_pen(
    sql_world: DuckDBDatabase, written: str, mended: str, told: tuple[str, ...]
) -> None:
    sql, fixes = prepared(written, sql_world.schema())
    assert " ".join(sql.split()) == mended
    assert fixes == told
    rows(sql_world, sql)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT '== , FROM =<' AS text",
        "SELECT id, 'it''s', \"id\" FROM pois WHERE poi_name = '0'",
        f"{NEAR}ST_DWithin(a.geometry, 'POINT(10 50)'::geography, 10000)",
        "SELECT id FROM pois WHERE id >= 1 AND id <> 2",
        f"{NEAR}ST_DWithin(a.geometry, b.geometry, 10000)",
        f"{NEAR}ST_DWithin(a.geometry::geometry, b.geometry::geometry, 0.2)",
        "SELECT ST_Distance(a.geometry::geometry, b.geometry::geometry) * 111000 FROM pois a, pois b",
        "SELECT nothing that parses (",
        "DROP TABLE pois",
    ],
)
def test_what_is_right_or_cannot_be_read_is_left_alone(sql_world: DuckDBDatabase, sql: str) -> None:
    assert prepared(sql, sql_world.schema()) == (sql, ())


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        (
            f"{NEAR}ST_DWithin(a.geometry::geometry, b.geometry::geometry, 9000)",
            "ST_DWithin takes geography: the cast is written",
        ),
        (
            f"{NEAR}ST_DWithin(ST_SetSRID(ST_MakePoint(10, 50.1), 4326), b.geometry, 9000)",
            "ST_DWithin takes geography: the cast is written",
        ),
        (f"{NEAR}ST_Distance(ST_Transform(a.geometry, 3857), b.geometry) < 9000", TRANSFORMED),
    ],
)
def test_measures_are_in_metres(sql_world: DuckDBDatabase, sql: str, told: str) -> None:
    mended, fixes = prepared(sql, sql_world.schema())
    assert told in fixes
    # Within 9 km of North Cafe (10.0, 50.1): itself, and nothing else of the small world.
    assert rows(sql_world, mended) == [("North Cafe",)]


def test_relations_of_the_plane_take_geometries(sql_world: DuckDBDatabase) -> None:
    sql = "SELECT p.poi_name FROM pois p, regions r WHERE r.region_name = 'Elsewhere' AND "
    mended, fixes = prepared(f"{sql}ST_Within(p.geometry, r.geometry)", sql_world.schema())
    assert fixes == ("ST_Within takes geometry: the cast is written",)
    assert rows(sql_world, mended) == [("Far Cafe",)]


def test_a_mended_query_is_mended_no_further(sql_world: DuckDBDatabase) -> None:
    once, _ = prepared("```sql\nSELECT ST_X(geometry), FROM pois WHERE id == 1\n```", sql_world.schema())
    assert prepared(once, sql_world.schema()) == (once, ())
