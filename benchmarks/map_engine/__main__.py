"""`python -m benchmarks.map_engine`: how map engines grow, on the same invented cities in the same run.

Beside them the SQL templates of GS-QA over worlds of growing size: the embedded database and PostGIS.

Each engine loads and is asked in processes of its own. Absolute times are the machine's; what says something
is how one engine compares with another in a run (`ratio`), and how it grows with the map.
"""

import argparse
import asyncio
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter

from benchmarks import history
from benchmarks.map_engine.engines import ENGINES, OURS, SMALLEST, Absent, Stage, growth, table
from benchmarks.map_engine.ours import EXTRACT
from benchmarks.map_engine.tasks import draw, write_city
from benchmarks.spatial_agreement import ALL_ROWS
from benchmarks.spatial_sql import LAKES, POIS, REGIONS, ROADS, filled, statements, synthetic_tables
from map_tools.maps.synth.city import City
from map_tools.maps.synth.features import write_roads
from map_tools.spatial_db.duckdb_build import build_duckdb
from map_tools.spatial_db.duckdb_db import DuckDBDatabase
from map_tools.spatial_db.port import SpatialDatabase
from map_tools.spatial_db.postgis_db import PostgisDatabase, load_postgis

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


SIZES = (2_000, 100_000, 1_000_000)
SHORT = (2_000,)
LARGE = 5_000_000
"""Only our own engine is asked over so many features."""
SEED = 7
PATIENCE_S = 300.0
CITY_WITH_ROADS = "roads.osm"
"""The streets alone, as XML: the one format that OSMnx reads from a file."""

type Figures = dict[str, float]


def main() -> int:
    """Measures, prints the tables and keeps the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="the smallest size only, for CI")
    parser.add_argument("--sizes", type=int, nargs="+", help="numbers of features")
    parser.add_argument("--large", action="store_true", help=f"our own engine also at {LARGE:,} features")
    parser.add_argument("--engines", nargs="+", choices=list(ENGINES), default=list(ENGINES))
    parser.add_argument("--dsn", default="", help="an empty PostGIS database, as its owner")
    parser.add_argument("--patience", type=float, default=PATIENCE_S, help="seconds one step may take")
    parser.add_argument("--no-sql", action="store_true", help="leave the SQL templates out")
    parser.add_argument("--out", type=Path, default=history.FILE)
    given = parser.parse_args()
    sizes = given.sizes or (SHORT if given.short else SIZES)
    measured: dict[int, dict[str, Figures]] = {}
    for size in (*sizes, *([LARGE] if given.large else [])):
        engines = [OURS] if size == LARGE else given.engines
        measured[size] = dict(_measure(size, engines, given.dsn, given.patience))
        if not given.no_sql and size != LARGE:
            for engine, figures in sql_figures(size, given.dsn).items():
                measured[size].setdefault(engine, {}).update(figures)
    print(table(measured))
    print(growth(measured))
    history.append(given.out, "map engine", dict(_flat(measured)))
    return 0


def _flat(measured: dict[int, dict[str, Figures]]) -> Iterator[tuple[str, float]]:
    """All figures under names of their own; `times ours` is the ratio to our embedded engine in this run."""
    for size, engines in measured.items():
        ours = engines.get(OURS, {})
        for engine, figures in engines.items():
            for name, value in figures.items():
                yield f"{engine}, {size}: {name}", value
                if engine != OURS and ours.get(name, 0.0) >= SMALLEST:
                    yield f"{engine}, {size}: {name}, times ours", value / ours[name]


def _measure(size: int, engines: list[str], dsn: str, patience_s: float) -> Iterator[tuple[str, Figures]]:
    """The figures of each engine that is there, over one city."""
    city = City(SEED, size)
    with tempfile.TemporaryDirectory(prefix="map-engine-") as name:
        folder = Path(name)
        write_city(city, folder / EXTRACT)
        write_roads(city, folder / CITY_WITH_ROADS)
        draw(city).write(folder / "tasks.json")
        for engine in engines:
            try:
                figures = ENGINES[engine](Stage(folder, dsn, patience_s))
            except Absent as reason:
                sys.stderr.write(f"{engine}, {size:,}: left out: {reason}\n")
                continue
            if figures:
                yield engine, figures
            else:
                sys.stderr.write(f"{engine}, {size:,}: no end within {patience_s:g} s, or it failed\n")


if __name__ == "__main__":
    sys.exit(main())
