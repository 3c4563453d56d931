"""`python -m benchmarks.spatial_sql`: how long spatial SQL takes, for each template of GS-QA.

A synthetic world of 267,612 places and half a million polygons and lines, by the embedded database and, with
--dsn, by PostGIS. Times are whole calls of the port (checks, translation, execution, rows read), warm, in
milliseconds.
"""

import argparse
import asyncio
import random
import statistics
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from time import perf_counter

from benchmarks.spatial_agreement import ALL_ROWS, differences
from benchmarks.spatial_world import REGIONS, kinds, places, synthetic_tables
from map_tools.spatial_db.duckdb_build import build_duckdb
from map_tools.spatial_db.duckdb_db import DuckDBDatabase
from map_tools.spatial_db.port import QueryResult, SpatialDatabase
from map_tools.spatial_db.postgis_db import PostgisDatabase, load_postgis

LIMIT_MS = 30.0


def statements() -> list[tuple[str, str]]:
    """What each statement is for, and the statement."""
    data = tomllib.loads((files("benchmarks") / "spatial_sql.toml").read_text("utf-8"))
    return [(entry["templates"], entry["sql"]) for entry in data["statement"]]


def filled(statement: str, count: int, seed: int = 11) -> list[str]:
    """A statement with random parameters, several times; always the same ones."""
    chance, where = random.Random(seed), places()  # noqa: S311 - no secret

    def point() -> str:
        lon, lat = where.near_one(chance)
        return f"ST_GeomFromText('POINT({lon:.6f} {lat:.6f})', 4326)::geography"

    return [
        statement.format(
            a=point(),
            b=point(),
            radius=chance.randint(1, 200) * 1000,
            kind=chance.choice(kinds()),
            region=chance.randint(1, REGIONS),
        )
        for _ in range(count)
    ]


async def _timed(database: SpatialDatabase, queries: Sequence[str]) -> tuple[list[float], list[QueryResult]]:
    times, results = [], []
    await database.query(queries[0], max_rows=ALL_ROWS)
    for query in queries:
        begin = perf_counter()
        results.append(await database.query(query, max_rows=ALL_ROWS))
        times.append((perf_counter() - begin) * 1000)
    return times, results


def _cell(times: Sequence[float]) -> str:
    late = statistics.quantiles(times, n=20)[-1] if len(times) > 1 else times[0]
    return f"{statistics.median(times):.1f} / {late:.1f}"


async def _table(databases: Sequence[SpatialDatabase], runs: int) -> bool:
    """Prints the table; True if the first database is within the limit for every template."""
    print(
        f"| template | {' | '.join(f'{database.name}: median / p95 ms' for database in databases)} | agree |"
    )
    print(f"| --- |{' --- |' * (len(databases) + 1)}")
    within = True
    for templates, statement in statements():
        measured = [await _timed(database, filled(statement, runs)) for database in databases]
        within &= statistics.median(measured[0][0]) <= LIMIT_MS
        pairs = [zip(measured[0][1], results, strict=True) for _, results in measured[1:]]
        agree = sum(differences(right, left) is None for pair in pairs for left, right in pair)
        shown = f"{agree} of {runs}" if pairs else "-"
        print(f"| {templates} | {' | '.join(_cell(times) for times, _ in measured)} | {shown} |", flush=True)
    return within


def main() -> int:
    """Exit code 1 if the embedded database is slower than the limit for any template."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dsn", help="a PostGIS database of one's own; its tables are replaced")
    parser.add_argument("--reader", default="mapagent_reader", help="the role that reads, made if missing")
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--scale", type=float, default=1.0, help="share of the world, for a quick look")
    parser.add_argument("--keep", type=Path, help="where to keep the DuckDB file, or find it")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = given.keep or Path(folder) / "world.duckdb"
        if not file.is_file():
            build_duckdb(synthetic_tables(given.scale), file)
        databases: list[SpatialDatabase] = [DuckDBDatabase.open(file)]
        if given.dsn:
            load_postgis(synthetic_tables(given.scale), given.dsn, given.reader)
            databases.append(PostgisDatabase.open(f"{given.dsn} user={given.reader}"))
        within = asyncio.run(_table(databases, given.runs))
        for database in databases:
            database.close()
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
