"""Hundreds of hostile and broken texts on real engines: nothing changes, leaks or goes on."""

import asyncio
import json
import time
from pathlib import Path

import psycopg
import pytest

from map_tools.errors import ToolError
from map_tools.spatial_db.guard import checked
from map_tools.spatial_db.port import SpatialDatabase

TEXTS = [
    json.loads(line)
    for line in (Path(__file__).parent / "hostile.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]
LIMIT_S = 2.0


def state(reader: str) -> list[object]:
    """Everything in the server's tables, and which relations and roles there are."""
    with psycopg.connect(reader) as connection:
        rows = [
            connection.execute(f"SELECT md5(string_agg(t::text, '|' ORDER BY id)) FROM {name} t").fetchone()
            for name in ("pois", "parks", "lakes", "roads", "regions")
        ]
        relations = connection.execute(
            "SELECT relname, relkind, reltuples FROM pg_class ORDER BY 1"
        ).fetchall()
        roles = connection.execute("SELECT rolname, rolsuper FROM pg_roles ORDER BY 1").fetchall()
        objects = connection.execute("SELECT count(*) FROM pg_largeobject_metadata").fetchone()
    return [rows, [(name, kind) for name, kind, _ in relations], roles, objects]


def attack(database: SpatialDatabase, folder: Path) -> list[str]:
    """Runs all texts; returns those that were not refused with a reason and a remedy."""

    async def main() -> list[str]:
        answered = []
        for text in TEXTS:
            begin = time.monotonic()
            outcome = await asyncio.gather(database.query(text, timeout_s=LIMIT_S), return_exceptions=True)
            error = outcome[0]
            if not isinstance(error, ToolError) or not error.message or not error.remedy:
                answered.append(f"{text}: {error}")
            assert str(folder) not in str(error)
            assert time.monotonic() - begin < LIMIT_S + 5, text
        return answered

    return asyncio.run(main())


def test_there_are_enough_of_them():
    assert len(TEXTS) >= 300
    assert len(set(TEXTS)) == len(TEXTS)


def test_the_server_is_as_it_was(server_database, reader, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before = state(reader)
    answered = attack(server_database, tmp_path)
    assert state(reader) == before
    assert list(tmp_path.iterdir()) == []
    assert answered == []


def test_the_file_is_as_it_was(embedded_database, file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before = file.read_bytes()
    answered = attack(embedded_database, tmp_path)
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == []
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    assert answered == []


def test_a_huge_join_uses_neither_time_nor_disk(embedded_database, file):
    huge = "SELECT a.poi_name, b.poi_name FROM " + ", ".join(f"pois {name}" for name in "abcdefghij")
    with pytest.raises(ToolError):
        asyncio.run(embedded_database.query(f"{huge} ORDER BY 1, 2", timeout_s=1))
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_the_reader_may_not_write_even_without_the_guard(reader):
    for text in (
        "DELETE FROM pois",
        "CREATE TABLE x (a int)",
        "CREATE TEMP TABLE x (a int)",
        "SELECT lo_create(0)",
        "SELECT pg_notify('a', 'b')",
        "SELECT pg_read_file('/etc/passwd')",
        "COPY pois TO '/var/pois.csv'",
        "SELECT passwd FROM pg_shadow",
    ):
        with psycopg.connect(reader) as connection:
            connection.execute("SET TRANSACTION READ WRITE")
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(text)


def test_the_embedded_engine_is_locked_even_without_the_guard(embedded_database, tmp_path):
    for text in (
        "DELETE FROM pois",
        "CREATE TABLE x (a int)",
        f"COPY pois TO '{tmp_path / 'out.csv'}'",
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        f"ATTACH '{tmp_path / 'other.duckdb'}'",
        "INSTALL httpfs",
        "SET enable_external_access = true",
        "SET GLOBAL geometry_always_xy = false",
    ):
        with pytest.raises(ToolError):
            asyncio.run(embedded_database._pool.run(text, 10, LIMIT_S))
    assert list(tmp_path.iterdir()) == []


def test_refusing_is_fast(embedded_database):
    schema = embedded_database.schema()
    for text in (
        "(" * 50_000,
        "SELECT " + "(" * 5000 + "1",
        "SELECT " + "-" * 90_000,
        "SELECT 1" + "+1" * 40_000,
        "SELECT 1" + " UNION SELECT 1" * 6_000,
    ):
        begin = time.monotonic()
        with pytest.raises(ToolError):
            checked(text, schema)
        assert time.monotonic() - begin < 10
