"""Embedded databases that are built once and kept."""

import asyncio
from pathlib import Path

import pytest

from map_tools.errors import InputFileError
from map_tools.spatial_db.duckdb_db import open_kept
from map_tools.spatial_db.duckdb_engine import connect
from tests.support.maps import demo_map


def names(source: Path, cache: Path) -> list[str]:
    """The names of the places in the kept database."""
    database = open_kept(source, cache)
    try:
        result = asyncio.run(database.query("SELECT poi_name FROM pois ORDER BY poi_name", max_rows=100_000))
    finally:
        database.close()
    return [str(name) for (name,) in result.rows]


def write_places(folder: Path, *places: str) -> Path:
    folder.mkdir(exist_ok=True)
    rows = ", ".join(f"('{name}', ST_Point(10, {number}))" for number, name in enumerate(places))
    with connect() as connection:
        connection.execute(
            f"COPY (SELECT * FROM (VALUES {rows}) AS t(poi_name, geometry))"
            f" TO '{folder / 'pois.parquet'}' (FORMAT parquet)"
        )
    return folder


def test_a_folder_is_built_once_and_anew_when_it_changes(tmp_path: Path) -> None:
    source, cache = tmp_path / "world", tmp_path / "cache"
    write_places(source, "Old Mill", "Quay")
    assert names(source, cache) == ["Old Mill", "Quay"]
    (built,) = cache.iterdir()
    before = built.stat().st_mtime_ns
    assert names(source, cache) == ["Old Mill", "Quay"]
    assert built.stat().st_mtime_ns == before
    write_places(source, "Old Mill", "Quay", "Pier")
    assert names(source, cache) == ["Old Mill", "Pier", "Quay"]
    assert len(list(cache.iterdir())) == 2


def test_a_map_is_built_once(tmp_path: Path) -> None:
    first = names(demo_map(), tmp_path)
    assert len(first) > 1000
    assert names(demo_map(), tmp_path) == first
    assert len(list(tmp_path.iterdir())) == 1


def test_a_file_is_opened_by_many_and_each_closes_its_own(tmp_path: Path) -> None:
    source = write_places(tmp_path / "world", "Old Mill")
    first, second = (open_kept(source, tmp_path / "cache") for _ in range(2))
    first.close()
    first.close()
    assert asyncio.run(second.query("SELECT poi_name FROM pois")).rows == (("Old Mill",),)
    with pytest.raises(RuntimeError, match="shutdown"):
        asyncio.run(first.query("SELECT poi_name FROM pois"))
    second.close()
    third = open_kept(source, tmp_path / "cache")
    assert third.schema().table("pois") is not None
    third.close()


def test_no_such_folder(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match="There is no folder"):
        open_kept(tmp_path / "nowhere", tmp_path)
