"""The embedded database answers as PostGIS does: gold queries of GS-QA, and queries made up at random."""

import asyncio
import re
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.spatial_agreement import compare, differences, gold, reference
from map_tools.errors import QueryRefusedError
from map_tools.spatial_db.duckdb_build import build_duckdb
from map_tools.spatial_db.duckdb_db import DuckDBDatabase
from map_tools.spatial_db.load import TableData, from_geoparquet
from tests.map_tools.spatial_db.conftest import new_database
from tests.support.data import shared

EACH = 6
"""Gold queries of each of the 28 templates; `python -m benchmarks.spatial_agreement` runs all."""


def sample(path: Path) -> list[str]:
    """Evenly spaced queries of every template."""
    by_template = defaultdict(list)
    for question in gold(path):
        by_template[question["template"]].append(question["sql"])
    spaced = (queries[:: max(1, len(queries) // EACH)] for queries in by_template.values())
    return [sql for queries in spaced for sql in queries[:EACH]]


def narrowed(table: TableData, text: str) -> TableData:
    """A table with its geometry and the columns that occur in a text: the others are many and empty."""
    words = {"id", "geometry", *re.findall(r"\w+", text)}
    kept = [number for number, column in enumerate(table.columns) if column.name in words]
    columns = tuple(table.columns[number] for number in kept)
    return TableData(
        table.name, columns, lambda: (tuple(row[number] for number in kept) for row in table.rows())
    )


@pytest.mark.slow
def test_gold_queries(owner, tmp_path):
    questions = sample(shared("gsqa/dev.jsonl"))
    data = [narrowed(table, "\n".join(questions)) for table in from_geoparquet(shared("gsqa_world"))]
    dsn = new_database(owner, "gsqa", data)
    database = DuckDBDatabase.open(build_duckdb(data, tmp_path / "gsqa.duckdb"))

    async def main() -> list[str]:
        found = [(sql, await compare(sql, reference(dsn, sql), database)) for sql in questions]
        return [f"{difference}: {sql}" for sql, difference in found if difference is not None]

    different = asyncio.run(main())
    database.close()
    assert len(questions) >= 150
    assert different == []


POINTS = st.builds(
    "ST_SetSRID(ST_MakePoint({:.4f}, {:.4f}), 4326)".format,
    st.floats(9.5, 12.5, allow_nan=False),
    st.floats(49.5, 51.5, allow_nan=False),
)
TABLES = st.sampled_from(("pois", "parks", "lakes", "roads", "regions"))
CASTS = st.sampled_from(("::geography", "::geometry", ""))
GEOMETRIES = st.one_of(
    st.builds("{}{}".format, POINTS, CASTS),
    st.builds("t.geometry{}".format, CASTS),
    st.builds("(SELECT geometry FROM regions WHERE id = {}){}".format, st.integers(1, 3), CASTS),
    st.just("ST_Centroid(t.geometry::geometry)"),
    st.just("ST_GeogFromText('LINESTRING(10 50, 10.2 50.1)')"),
    st.just("ST_MakeEnvelope(9.9, 49.9, 10.05, 50.05, 4326)"),
)
MEASURES = st.one_of(
    st.builds("ST_Distance({}, {})".format, GEOMETRIES, GEOMETRIES),
    st.builds("ST_Area({})".format, GEOMETRIES),
    st.builds("ST_Length({})".format, GEOMETRIES),
    st.builds("degrees(ST_Azimuth({}, {}))".format, POINTS, POINTS),
    st.builds("round(({})::numeric, 3)".format, st.builds("ST_Perimeter({})".format, GEOMETRIES)),
    st.just("length(t.osm_type) / 2"),
)
CONDITIONS = st.one_of(
    st.builds("ST_DWithin({}, {}, {})".format, GEOMETRIES, GEOMETRIES, st.integers(1, 90_000)),
    st.builds("ST_Intersects({}, {})".format, GEOMETRIES, GEOMETRIES),
    st.builds("ST_Covers({}, {})".format, GEOMETRIES, GEOMETRIES),
    st.builds("ST_Within({}, {})".format, GEOMETRIES, GEOMETRIES),
    st.builds("{} > {}".format, MEASURES, st.integers(0, 20_000)),
    st.builds(
        "degrees(ST_Azimuth({}, t.geometry)) BETWEEN {} AND {}".format,
        POINTS,
        st.sampled_from((0, 22.5, 200)),
        st.integers(20, 360),
    ),
    st.builds("t.id BETWEEN {} AND {}".format, st.integers(0, 4), st.integers(2, 9)),
    st.sampled_from(("t.osm_type ~* 'N'", "t.osm_type ILIKE 'w%'", "t.geometry IS NOT NULL")),
)
QUERIES = st.one_of(
    st.builds(
        "SELECT t.id, {} AS v FROM {} t WHERE {} AND {}".format, MEASURES, TABLES, CONDITIONS, CONDITIONS
    ),
    st.builds(
        "SELECT count(*), sum({}) FROM {} t WHERE {} OR {}".format, MEASURES, TABLES, CONDITIONS, CONDITIONS
    ),
    st.builds("SELECT u.* FROM (SELECT * FROM {} t WHERE NOT {}) u".format, TABLES, CONDITIONS),
    st.builds("SELECT t.osm_type, max({}) FROM {} t GROUP BY t.osm_type".format, MEASURES, TABLES),
)


def is_approximate(sql: str) -> bool:
    """True where a distance to a line or an area is measured: known to differ (`docs/spatial-sql.md`).

    The middle of a line of a whole degree lies on it on the plane, and 119 m beside it on the spheroid.
    """
    wide = re.search(r"LINESTRING|ST_MakeEnvelope|regions|parks|lakes|roads", sql)
    beside = re.search(r"lakes|roads", sql) and "ST_Centroid(t.geometry" in sql and "::geography" in sql
    return (wide is not None and "ST_Distance" in sql) or bool(beside)


@settings(
    max_examples=120,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(sql=QUERIES)
def test_queries_made_up_at_random(sql, embedded_database, server_database):
    """What the embedded database answers, PostGIS answers the same; it may refuse instead, but not differ."""
    from map_tools.errors import QueryError

    async def main() -> str | None:
        try:
            found = await embedded_database.query(sql, max_rows=1000)
        except (QueryRefusedError, QueryError):
            return None
        try:
            expected = await server_database.query(sql, max_rows=1000)
        except QueryError:
            return None  # stricter types: the embedded database may answer what PostGIS finds ambiguous
        return None if is_approximate(sql) else differences(expected, found)

    assert asyncio.run(main()) is None, sql
