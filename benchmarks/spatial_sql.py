"""`python -m benchmarks.spatial_sql`: how long spatial SQL takes, for each template of GS-QA.

A seeded synthetic world of GS-QA's size, 267,612 places and half a million polygons and lines, by the embedded
database and, with --dsn, by PostGIS. Times are whole calls of the port (checks, translation, execution, rows read),
warm, in milliseconds.
"""

import argparse
import asyncio
import random
import statistics
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from time import perf_counter

from benchmarks.spatial_agreement import ALL_ROWS, differences
from map_tools.spatial_db.duckdb_build import build_duckdb
from map_tools.spatial_db.duckdb_db import DuckDBDatabase
from map_tools.spatial_db.load import Row, TableData
from map_tools.spatial_db.port import Column, QueryResult, SpatialDatabase
from map_tools.spatial_db.postgis_db import PostgisDatabase, load_postgis

POIS, LAKES, ROADS, REGIONS = 267_612, 200_000, 300_000, 3_000
"""Places as in GS-QA's Table 2; half a million polygons and lines."""
_WEST, _SOUTH, _EAST, _NORTH = -120.0, 30.0, -75.0, 47.0
_CLUSTERS = 400
KINDS = (
    ("amenity", "restaurant", 60),
    ("amenity", "fast_food", 40),
    ("amenity", "cafe", 25),
    ("amenity", "hospital", 6),
    ("amenity", "university", 5),
    ("tourism", "hotel", 25),
    ("tourism", "attraction", 15),
    ("tourism", "museum", 12),
    ("tourism", "viewpoint", 15),
    ("tourism", "gallery", 5),
    ("tourism", "zoo", 2),
    ("tourism", "theme_park", 1),
    ("leisure", "park", 25),
    ("leisure", "garden", 10),
    ("leisure", "nature_reserve", 8),
    ("leisure", "stadium", 6),
    ("leisure", "golf_course", 8),
)
"""Kinds of places that GS-QA asks for, and how common each is among a few hundred."""
_CUISINES = (
    "thai",
    "pizza",
    "burger",
    "mexican;tex-mex",
    "chinese",
    "italian;pizza",
    "sushi",
    None,
    None,
    None,
)


def kinds() -> tuple[str, ...]:
    """The conditions that pick a kind of place."""
    return tuple(f"{column} = '{value}'" for column, value, _ in KINDS)


@dataclass(frozen=True, slots=True)
class Places:
    """Where the clusters of places are."""

    centres: tuple[tuple[float, float], ...]

    def near_one(self, chance: random.Random, spread_deg: float = 0.15) -> tuple[float, float]:
        """A random point (longitude, latitude), in degrees, around one of them."""
        lon, lat = chance.choice(self.centres)
        return chance.gauss(lon, spread_deg), chance.gauss(lat, spread_deg)


def places() -> Places:
    """The clusters, always the same."""
    chance = random.Random(1)  # noqa: S311 - no secret
    return Places(
        tuple((chance.uniform(_WEST, _EAST), chance.uniform(_SOUTH, _NORTH)) for _ in range(_CLUSTERS))
    )


def synthetic_tables(scale: float = 1.0) -> tuple[TableData, ...]:
    """The tables; `scale` shrinks all but the regions."""
    ids = (Column("id", "bigint"),)
    geometry = (Column("geometry", "geography"),)

    def texts(*names: str) -> tuple[Column, ...]:
        return tuple(Column(name, "text") for name in names)

    return (
        TableData(
            "pois",
            (*ids, *texts("poi_name", "amenity", "cuisine", "leisure", "tourism"), *geometry),
            lambda: _pois(int(POIS * scale)),
        ),
        TableData(
            "lakes", (*ids, *texts("lake_name", "water"), *geometry), lambda: _lakes(int(LAKES * scale))
        ),
        TableData(
            "roads", (*ids, *texts("road_name", "highway"), *geometry), lambda: _roads(int(ROADS * scale))
        ),
        TableData("regions", (*ids, *texts("region_name"), *geometry), lambda: _regions(REGIONS)),
    )


def _pois(count: int) -> Iterator[Row]:
    from shapely import Point

    chance, where = random.Random(2), places()  # noqa: S311
    weights = [weight for _, _, weight in KINDS]
    for number in range(1, count + 1):
        column, value, _ = chance.choices(KINDS, weights)[0]
        tags = {column: value}
        cuisine = chance.choice(_CUISINES) if value == "restaurant" else None
        point = Point(*where.near_one(chance)).wkb
        yield (
            number,
            f"Place {number}",
            tags.get("amenity"),
            cuisine,
            tags.get("leisure"),
            tags.get("tourism"),
            point,
        )


def _lakes(count: int) -> Iterator[Row]:
    chance, where = random.Random(3), places()  # noqa: S311
    for number in range(1, count + 1):
        kind = chance.choice(("lake", "pond", "reservoir", "basin"))
        yield number, f"Lake {number}", kind, _blob(chance, *where.near_one(chance, 0.5), 0.004, 16)


def _roads(count: int) -> Iterator[Row]:
    from shapely import LineString

    chance, where = random.Random(4), places()  # noqa: S311
    for number in range(1, count + 1):
        lon, lat = where.near_one(chance, 0.5)
        turn = chance.uniform(-0.002, 0.002)
        line = LineString([(lon + 0.001 * step, lat + turn * step) for step in range(8)])
        yield number, f"Road {number}", chance.choice(("residential", "primary", "secondary")), line.wkb


def _regions(count: int) -> Iterator[Row]:
    chance, where = random.Random(5), places()  # noqa: S311
    for number in range(1, count + 1):
        size = chance.choice((0.03, 0.08, 0.2, 0.4))
        yield number, f"Region {number}", _blob(chance, *where.near_one(chance), size, 400)


def _blob(chance: random.Random, lon: float, lat: float, size_deg: float, corners: int) -> bytes:
    """A round outline with a rough edge."""
    from math import cos, pi, sin

    from shapely import Polygon

    radii = [size_deg * chance.uniform(0.8, 1.2) for _ in range(corners)]
    angles = [2 * pi * corner / corners for corner in range(corners)]
    shape = Polygon([(lon + r * cos(a), lat + r * sin(a)) for r, a in zip(radii, angles, strict=True)])
    return bytes(shape.wkb)


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
