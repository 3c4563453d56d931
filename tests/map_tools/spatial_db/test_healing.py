"""Limits that hold where an engine does not keep them, and sessions that are lost or dirty: the next query works."""

import asyncio
import math
import os
import resource
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from map_tools.errors import QueryError, QueryRefusedError
from map_tools.spatial_db import duckdb_child
from map_tools.spatial_db.duckdb_db import DuckDBDatabase
from map_tools.spatial_db.guard import checked
from map_tools.spatial_db.pool import Rows, SessionPool
from map_tools.spatial_db.port import SpatialDatabase
from map_tools.spatial_db.postgis_db import PostgisDatabase
from tests.support import postgis

COUNT = "SELECT count(*) FROM pois"
LIMIT_S = 1.0


def star(points: int) -> str:
    """A ring of which nearly every edge crosses every other."""
    numbers = [(step * (points // 2)) % points for step in range(points)]
    angles = [2 * math.pi * number / points for number in [*numbers, numbers[0]]]
    return f"POLYGON(({','.join(f'{math.cos(angle):.4f} {math.sin(angle):.4f}' for angle in angles)}))"


def doubling(times: int) -> str:
    steps = ", ".join(f"a{step + 1} AS (SELECT s || s AS s FROM a{step})" for step in range(times))
    return f"WITH a0 AS (SELECT poi_name AS s FROM pois), {steps} SELECT length(s) FROM a{times}"


def many(times: int) -> str:
    """That many texts of 400 MB, all of one row."""
    values = ", ".join(f"length(s || '{number}')" for number in range(times))
    steps = ", ".join(f"a{step + 1} AS (SELECT s || s AS s FROM a{step})" for step in range(19))
    return f"WITH a0 AS (SELECT '{'x' * 800}' AS s), {steps} SELECT {values} FROM a19"


def multiplying(times: int) -> str:
    text = many = f"'{'x' * 1000}'"
    for _ in range(times):
        text = f"replace({text}, 'x', {many})"
    return f"SELECT length({text})"


MENDING = f"SELECT ST_NPoints(ST_MakeValid(ST_GeomFromText('{star(3001)}')))"
GREEDY = (doubling(40), multiplying(6), MENDING)
"""Each is refused by the guard; here the engines get it without."""


@pytest.fixture
def embedded(file: Path) -> Iterator[DuckDBDatabase]:
    database = DuckDBDatabase.open(file)
    yield database
    database.close()


@pytest.fixture
def served(reader: str) -> Iterator[PostgisDatabase]:
    database = PostgisDatabase.open(reader)
    yield database
    database.close()


def unguarded(database: DuckDBDatabase | PostgisDatabase, sql: str) -> object:
    return asyncio.run(database._pool.run(sql, 10, LIMIT_S)).rows


def count(database: SpatialDatabase) -> object:
    return asyncio.run(database.query(COUNT)).rows


def processes(*wanted: str) -> list[int]:
    """Those that `pgrep` finds."""
    found = subprocess.run(["pgrep", *wanted], capture_output=True, text=True, check=False)
    return [int(line) for line in found.stdout.split()]


def children() -> list[int]:
    """The processes that run queries of this one."""
    return processes("--parent", str(os.getpid()), "--full", duckdb_child.__name__)


def backends() -> list[int]:
    """Those of the server's connections."""
    return processes("--full", "postgres: reader ")


def seconds_of_children() -> float:
    """The processor time of all processes of this one that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def held_bytes(process: int) -> int:
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (FileNotFoundError, ProcessLookupError):
        return 0


def most_held(
    database: DuckDBDatabase | PostgisDatabase, sql: str, running: Callable[[], list[int]]
) -> tuple[int, str]:
    """The most bytes that a process held while a query ran without the guard, and how that ended."""

    async def main() -> tuple[int, str]:
        most = 0
        query = asyncio.ensure_future(database._pool.run(sql, 10, LIMIT_S))
        while not query.done():
            await asyncio.sleep(0.02)
            most = max([most, *(held_bytes(process) for process in running())])
        with pytest.raises(QueryError) as error:
            await query
        return most, str(error.value)

    return asyncio.run(main())


@pytest.mark.parametrize(
    "sql",
    [
        doubling(12),
        "SELECT string_agg(poi_name, ', '), array_agg(id) FROM pois",
        "WITH t AS (SELECT string_agg(poi_name, ', ') AS s FROM pois) SELECT s || '.' FROM t",
        "SELECT park_name || ', ' || ST_AsText(ST_Centroid(geometry::geometry)) FROM parks",
    ],
)
def test_what_people_put_together_runs(sql: str, database: SpatialDatabase) -> None:
    assert asyncio.run(database.query(sql)).rows


def test_outlines_of_tables_are_laid_over_each_other(served: PostgisDatabase) -> None:
    sql = (
        "WITH a AS (SELECT ST_Union(geometry::geometry) AS g FROM parks),"
        " b AS (SELECT ST_Union(geometry::geometry) AS g FROM lakes)"
        " SELECT ST_Area(ST_Intersection(a.g, b.g)) FROM a, b"
    )
    assert asyncio.run(served.query(sql)).rows


HIDDEN = (
    """WITH a AS (WITH a AS (WITH a AS (SELECT string_agg(poi_name, '') AS s FROM pois)
        SELECT string_agg(s, '') AS s FROM a) SELECT s || s AS s FROM a) SELECT length(s) FROM a""",
    """SELECT (SELECT string_agg(t.s || p.poi_name, '') FROM pois p)
        FROM (SELECT string_agg(poi_name, '') AS s FROM pois) t""",
    """SELECT (SELECT string_agg(u.s, '') FROM (SELECT t.s FROM pois) u)
        FROM (SELECT string_agg(poi_name, '') AS s FROM pois) t""",
    f"""SELECT regexp_replace(regexp_replace(poi_name, '.', '{"w" * 999}', 'g'), '.', '{"w" * 999}', 'g') FROM pois""",
    """SELECT array_agg(id), array_agg(id + 1), array_agg(id + 2), array_agg(id + 3), array_agg(id + 4) FROM pois""",
    """SELECT ST_Union(ST_MakeLine(a.geometry::geometry, b.geometry::geometry)) FROM pois a, pois b""",
)


@pytest.mark.parametrize("sql", [*GREEDY, *HIDDEN])
def test_what_grows_without_end_is_refused(sql: str, database: SpatialDatabase) -> None:
    with pytest.raises(QueryRefusedError):
        checked(sql, database.schema())


@pytest.mark.parametrize("sql", GREEDY)
def test_the_embedded_engine_is_held_even_without_the_guard(embedded: DuckDBDatabase, sql: str) -> None:
    assert count(embedded) == ((8,),)
    before = seconds_of_children()
    most, said = most_held(embedded, sql, children)
    assert "stopped after 1 s" in said or "more memory" in said
    assert seconds_of_children() - before < 2 * LIMIT_S + 2
    assert most < 2 * duckdb_child.MAX_MEMORY_BYTES
    assert count(embedded) == ((8,),)


def test_a_reply_is_bounded(embedded: DuckDBDatabase) -> None:
    with pytest.raises(QueryError, match="more memory"):
        asyncio.run(embedded._pool.run("SELECT range(600000)", 10, 60.0))
    assert count(embedded) == ((8,),)


@pytest.mark.parametrize("sql", [f"SELECT {'9' * 5000} AS n", "SELECT 'infinity'::numeric AS n"])
def test_numbers_without_end_can_be_shown(served: PostgisDatabase, sql: str) -> None:
    ((number,),) = asyncio.run(served.query(sql)).rows
    assert str(number) in {"1.000000e+5000", "inf"}


def test_a_killed_process_is_replaced(embedded: DuckDBDatabase) -> None:
    assert count(embedded) == ((8,),)
    for child in children():
        os.kill(child, 9)
    assert count(embedded) == ((8,),)


def test_no_process_stays_behind(file: Path) -> None:
    before = set(children())
    database = DuckDBDatabase.open(file)
    assert count(database) == ((8,),)
    assert len(set(children()) - before) == 1
    database.close()
    assert set(children()) <= before


def test_connections_that_the_server_ended_are_replaced(owner: str, served: PostgisDatabase) -> None:
    async def four() -> list[object]:
        return [found.rows for found in await asyncio.gather(*(served.query(COUNT) for _ in range(4)))]

    assert asyncio.run(four()) == [((8,),)] * 4
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'reader'")
    assert asyncio.run(four()) == [((8,),)] * 4


def test_what_one_query_sets_is_gone_for_the_next(served: PostgisDatabase) -> None:
    unguarded(served, "SELECT set_config('search_path', 'pg_catalog', false), pg_try_advisory_lock(7)")
    assert count(served) == ((8,),)
    assert unguarded(served, "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'") == ((0,),)


def test_a_cancel_that_comes_too_late_costs_nothing(owner: str, served: PostgisDatabase) -> None:
    assert count(served) == ((8,),)
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE usename = 'reader'")
    assert count(served) == ((8,),)


@pytest.mark.parametrize("sql", [doubling(40), multiplying(6), many(30)])
def test_the_server_ends_what_is_too_large(served: PostgisDatabase, sql: str) -> None:
    """It was started with a limit of the operating system, as `docs/threat-model.md` asks for."""
    most, _ = most_held(served, sql, backends)
    assert most < 2 * postgis.MEMORY_KB * 1024
    assert count(served) == ((8,),)


class Deaf:
    """A session whose query heeds no interrupt, as some functions of PostGIS do not."""

    def __init__(self) -> None:
        self.left = threading.Event()
        self.interrupts = 0

    @property
    def is_broken(self) -> bool:
        return self.left.is_set()

    def run(self, sql: str, max_rows: int, timeout_s: float) -> Rows:
        if sql == COUNT:
            return Rows(("count",), ((8,),))
        self.left.wait()
        raise QueryError("The connection is gone.", "Ask again.")

    def interrupt(self) -> None:
        self.interrupts += 1

    def abandon(self) -> None:
        self.left.set()

    def close(self) -> None:
        self.left.set()


def test_a_query_that_does_not_stop_is_let_go_with_its_session() -> None:
    made: list[Deaf] = []

    def make() -> Deaf:
        made.append(Deaf())
        return made[-1]

    pool = SessionPool(make, 1)
    with pytest.raises(QueryError, match=r"stopped after 0\.1 s"):
        asyncio.run(pool.run(MENDING, 10, 0.1))
    assert made[0].interrupts > 1
    assert made[0].is_broken
    assert asyncio.run(pool.run(COUNT, 10, 60.0)).rows == ((8,),)
    assert len(made) == 2
    pool.close()


def test_what_the_server_mends_for_long_costs_its_own_answer(served: PostgisDatabase) -> None:
    with pytest.raises(QueryError, match="stopped after 1 s"):
        unguarded(served, f"SELECT ST_NPoints(ST_MakeValid(ST_GeomFromText('{star(1501)}')))")
    assert count(served) == ((8,),)
