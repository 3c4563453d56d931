"""The embedded spatial database: a DuckDB file that is only read.

That of a map or of a folder of GeoParquet files is built once, then kept. It is called after a hash of what it is made
of and of how it is laid out: what has changed is built anew.
"""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from map_tools.errors import InputFileError
from map_tools.spatial_db import duckdb_child
from map_tools.spatial_db.duckdb_build import HELPERS
from map_tools.spatial_db.duckdb_engine import connect
from map_tools.spatial_db.guard import checked
from map_tools.spatial_db.observations import query_error
from map_tools.spatial_db.pool import Rows, SessionLostError, SessionPool
from map_tools.spatial_db.port import (
    DEFAULT_MAX_ROWS,
    DEFAULT_TIMEOUT_S,
    Column,
    QueryResult,
    Schema,
    Table,
)
from map_tools.spatial_db.translate import Translation, translated

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection
import hashlib
from collections.abc import Iterable, Iterator
from importlib import metadata
from importlib.resources import files

from map_tools.maps.info import FEATURES_FILE
from map_tools.maps.store import MapStore
from map_tools.spatial_db.duckdb_build import build_duckdb
from map_tools.spatial_db.load import from_geoparquet, from_map

_TYPES = {"VARCHAR": "text", "BIGINT": "bigint", "DOUBLE": "double precision", "GEOMETRY": "geography"}
_SIZE = 2
"""Queries at the same time; each runs in a process of its own, with one thread."""


class DuckDBDatabase:
    """A file made by `build_duckdb`. Use `DuckDBDatabase.open`.

    SQL in PostGIS dialect is checked, translated by a table of rules and run in a process of its own
    (`duckdb_child`); what has no equal in DuckDB is refused.
    """

    name = "duckdb"

    def __init__(self, file: BinaryIO, schema: Schema) -> None:
        self._schema = schema
        self._file = file
        self._pool = SessionPool(lambda: _Session(file, schema), _SIZE)

    @classmethod
    def open(cls, path: Path) -> "DuckDBDatabase":
        """Opens a file for reading; others may read it at the same time, or put another in its place.

        Raises:
            InputFileError: It is missing or not such a file.
            ConfigError: DuckDB or its spatial extension is missing.
        """
        if not path.is_file():
            raise InputFileError(f"There is no spatial database at '{path}'.", "Build it first.")
        import duckdb

        try:
            with connect(path, read_only=True) as connection:
                schema = _read_schema(connection)
        except duckdb.Error as error:
            raise InputFileError(f"'{path}' is not a spatial database.", "Build it again.") from error
        return cls(path.open("rb"), schema)

    def schema(self) -> Schema:
        """The tables; see `SpatialDatabase.schema`."""
        return self._schema

    async def query(
        self, sql: str, *, timeout_s: float = DEFAULT_TIMEOUT_S, max_rows: int = DEFAULT_MAX_ROWS
    ) -> QueryResult:
        """The first rows of one SELECT statement; see `SpatialDatabase.query`."""
        translation = await asyncio.to_thread(self._translated, sql)
        found = await self._pool.run(translation.sql, max_rows + 1, timeout_s)
        return QueryResult(
            columns=found.columns,
            rows=found.rows[:max_rows],
            truncated=len(found.rows) > max_rows,
            sql_run=translation.sql,
            notes=translation.notes,
        )

    def _translated(self, sql: str) -> Translation:
        return translated(checked(sql, self._schema), self._schema)

    def close(self) -> None:
        """Stops what is running and closes the file."""
        self._pool.close()
        self._file.close()


class _Session:
    """A process that runs one query at a time, and is killed to stop it."""

    def __init__(self, file: BinaryIO, schema: Schema) -> None:
        self._schema = schema
        self._is_killed = False
        name, passed = _as_passed(file)
        own_path = os.pathsep.join(filter(None, sys.path))  # wherever this program was found
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", duckdb_child.__name__, name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            pass_fds=passed,
            env={**os.environ, "PYTHONPATH": own_path},
        )
        self._requests = cast("BinaryIO", self._process.stdin)
        self._replies = cast("BinaryIO", self._process.stdout)

    @property
    def is_broken(self) -> bool:
        return self._is_killed or self._process.poll() is not None

    def run(self, sql: str, max_rows: int, timeout_s: float) -> Rows:
        request = {"sql": sql, "max_rows": max_rows, "timeout_s": timeout_s}
        try:
            self._requests.write(json.dumps(request).encode() + b"\n")
            self._requests.flush()
        except BrokenPipeError as error:
            raise SessionLostError from error
        if self._replies.readline() != duckdb_child.BEGUN:
            self.interrupt()
            raise SessionLostError
        line = self._replies.readline(duckdb_child.MAX_REPLY_BYTES)
        if not line.endswith(b"\n"):
            self.interrupt()
            raise query_error(duckdb_child.TOO_MUCH, self._schema)
        reply = json.loads(line)
        if "error" in reply:
            raise query_error(reply["error"], self._schema)
        return Rows(tuple(reply["columns"]), tuple(tuple(row) for row in reply["rows"]))

    def interrupt(self) -> None:
        self._is_killed = True
        self._process.kill()

    def abandon(self) -> None:
        self.interrupt()

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()


def _as_passed(file: BinaryIO) -> tuple[str, tuple[int, ...]]:
    """What another process opens a file by, whatever is at its place by then, and what it has to inherit for that."""
    if sys.platform == "win32":
        return file.name, ()
    return f"/dev/fd/{file.fileno()}", (file.fileno(),)


def _read_schema(connection: "DuckDBPyConnection") -> Schema:
    names = connection.execute(
        "SELECT table_name, estimated_size FROM duckdb_tables() WHERE NOT internal ORDER BY table_name"
    ).fetchall()
    return Schema(tuple(_read_table(connection, name, rows) for name, rows in names))


def _read_table(connection: "DuckDBPyConnection", name: str, rows: int) -> Table:
    found = connection.execute(
        "SELECT column_name, data_type, comment FROM duckdb_columns() WHERE table_name = ?"
        " ORDER BY column_index",
        [name],
    ).fetchall()
    visible = [entry for entry in found if entry[0] not in HELPERS]
    columns = tuple(Column(column, _TYPES.get(kind.split("(")[0], "text")) for column, kind, _ in visible)
    comments = {column: comment for column, kind, comment in visible if kind.startswith("GEOMETRY")}
    geometry = next(iter(comments), None)
    types = tuple((comments[geometry] or "").split(",")) if geometry else ()
    return Table(name, columns, rows, geometry, tuple(filter(None, types)))


_DIGITS = 16
_LAYOUT_FILES = ("macros.sql", "tables.toml")
"""What decides how a file is laid out, besides DuckDB's own format."""
_READ_BYTES = 1 << 20


def open_kept(source: Path, cache: Path) -> DuckDBDatabase:
    """Opens the database made of `source`; it is built first if the cache has none.

    Args:
        source: A map's folder, or a folder of GeoParquet files.
        cache: Where databases are kept.

    Raises:
        InputFileError: `source` is neither, or cannot be read.
        MapStoreError: The map is damaged.
        ConfigError: DuckDB or its spatial extension is missing.
    """
    return _from_geoparquet(source, cache) if _is_geoparquet(source) else _from_map(source, cache)


def _is_geoparquet(source: Path) -> bool:
    if not source.is_dir():
        raise InputFileError(f"There is no folder '{source}'.", "Name a map or a folder of GeoParquet files.")
    return any(source.glob("*.parquet"))


def _from_geoparquet(source: Path, cache: Path) -> DuckDBDatabase:
    path = _path(cache, _content_of(source))
    if not path.is_file():
        build_duckdb(from_geoparquet(source), path)
    return DuckDBDatabase.open(path)


def _from_map(source: Path, cache: Path) -> DuckDBDatabase:
    store = MapStore.open(source)
    try:
        path = _path(cache, [store.info.files[FEATURES_FILE].sha256.encode()])
        if not path.is_file():
            build_duckdb(from_map(store), path)
    finally:
        store.close()
    return DuckDBDatabase.open(path)


def _path(cache: Path, content: Iterable[bytes]) -> Path:
    digest = hashlib.sha256(_engine_version().encode())
    for name in _LAYOUT_FILES:
        digest.update((files(__package__) / name).read_bytes())
    for part in content:
        digest.update(part)
    return cache / f"{digest.hexdigest()[:_DIGITS]}.duckdb"


def _engine_version() -> str:
    """DuckDB's version; empty if it is missing, which building the file then says."""
    try:
        return metadata.version("duckdb")
    except metadata.PackageNotFoundError:
        return ""


def _content_of(folder: Path) -> Iterator[bytes]:
    for path in sorted(folder.glob("*.parquet")):
        yield f"\0{path.name}\0".encode()
        with path.open("rb") as stream:
            while block := stream.read(_READ_BYTES):
                yield block
