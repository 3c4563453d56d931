"""The SQL templates of GS-QA over worlds of growing size: the embedded database and PostGIS."""

import asyncio
import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from evals.bench.spatial_agreement import ALL_ROWS
from evals.bench.spatial_sql import filled, statements
from evals.bench.spatial_world import LAKES, POIS, REGIONS, ROADS, synthetic_tables
from map_tools.spatial_db.duckdb_build import build_duckdb
from map_tools.spatial_db.duckdb_db import DuckDBDatabase
from map_tools.spatial_db.port import SpatialDatabase
from map_tools.spatial_db.postgis_db import PostgisDatabase
from map_tools.spatial_db.postgis_load import load_postgis

RUNS = 3
READER = "mapagent_reader"
_WHOLE = POIS + LAKES + ROADS + REGIONS


def sql_figures(size: int, dsn: str) -> dict[str, dict[str, float]]:
    """Mean over the templates of the median time of a call, by the engine whose map it goes with.

    Args:
        size: Number of features of the world.
        dsn: A PostGIS database of one's own; empty: the embedded database alone.
    """
    tables = synthetic_tables(size / _WHOLE)
    with tempfile.TemporaryDirectory(prefix="map-engine-sql-") as folder:
        file = Path(folder) / "world.duckdb"
        build_duckdb(tables, file)
        found = {"osm": _measured(DuckDBDatabase.open(file))}
    if dsn:
        load_postgis(tables, dsn, READER)
        found["postgis"] = _measured(PostgisDatabase.open(f"{dsn} user={READER}"))
    return {engine: {"SQL templates ms": mean_ms} for engine, mean_ms in found.items()}


def _measured(database: SpatialDatabase) -> float:
    try:
        medians = [asyncio.run(_median_ms(database, filled(sql, RUNS))) for _, sql in statements()]
    finally:
        database.close()
    return statistics.geometric_mean(medians)


async def _median_ms(database: SpatialDatabase, queries: Sequence[str]) -> float:
    times = []
    await database.query(queries[0], max_rows=ALL_ROWS)
    for query in queries:
        begin = perf_counter()
        await database.query(query, max_rows=ALL_ROWS)
        times.append((perf_counter() - begin) * 1000)
    return statistics.median(times)
