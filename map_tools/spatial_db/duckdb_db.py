"""The embedded spatial database: a DuckDB file that is only read."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from map_tools.errors import InputFileError, QueryError
from map_tools.spatial_db.duckdb_build import HELPERS
from map_tools.spatial_db.duckdb_engine import QUIET, connect, lock_down
from map_tools.spatial_db.guard import checked
from map_tools.spatial_db.observations import query_error
from map_tools.spatial_db.pool import Rows, SessionPool
from map_tools.spatial_db.port import (
    DEFAULT_MAX_ROWS,
    DEFAULT_TIMEOUT_S,
    Column,
    QueryResult,
    Schema,
    Table,
)
from map_tools.spatial_db.translate import translated
from map_tools.spatial_db.values import plain_rows

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_TYPES = {"VARCHAR": "text", "BIGINT": "bigint", "DOUBLE": "double precision", "GEOMETRY": "geography"}
_SIZE = 2
"""Queries at the same time; each uses one thread."""


class DuckDBDatabase:
    """A file made by `build_duckdb`. Use `DuckDBDatabase.open`.

    SQL in PostGIS dialect is checked, translated by a table of rules and run; what has no equal in DuckDB is
    refused.
    """

    name = "duckdb"

    def __init__(self, connection: "DuckDBPyConnection", schema: Schema) -> None:
        self._connection = connection
        self._schema = schema
        self._unused = [_Session(connection.cursor(), schema) for _ in range(_SIZE)]
        lock_down(connection)
        self._pool = SessionPool(self._unused.pop, _SIZE)

    @classmethod
    def open(cls, path: Path) -> "DuckDBDatabase":
        """Opens a file for reading; others may read it at the same time.

        Raises:
            InputFileError: It is missing or not such a file.
            ConfigError: DuckDB or its spatial extension is missing.
        """
        if not path.is_file():
            raise InputFileError(f"There is no spatial database at '{path}'.", "Build it first.")
        import duckdb

        try:
            connection = connect(path, read_only=True)
        except duckdb.Error as error:
            raise InputFileError(f"'{path}' is not a spatial database.", "Build it again.") from error
        return cls(connection, _read_schema(connection))

    def schema(self) -> Schema:
        """The tables; see `SpatialDatabase.schema`."""
        return self._schema

    async def query(
        self, sql: str, *, timeout_s: float = DEFAULT_TIMEOUT_S, max_rows: int = DEFAULT_MAX_ROWS
    ) -> QueryResult:
        """The first rows of one SELECT statement; see `SpatialDatabase.query`."""
        translation = translated(checked(sql, self._schema), self._schema)
        found = await self._pool.run(translation.sql, max_rows + 1, timeout_s)
        return QueryResult(
            columns=found.columns,
            rows=found.rows[:max_rows],
            truncated=len(found.rows) > max_rows,
            sql_run=translation.sql,
            notes=translation.notes,
        )

    def close(self) -> None:
        """Stops what is running and closes the file."""
        self._pool.close()
        for session in self._unused:
            session.close()
        self._connection.close()


class _Session:
    """One cursor; made before the configuration is locked."""

    def __init__(self, cursor: "DuckDBPyConnection", schema: Schema) -> None:
        cursor.execute(QUIET)
        self._cursor = cursor
        self._schema = schema
        self.interrupt: Callable[[], None] = cursor.interrupt
        self.close: Callable[[], None] = cursor.close

    def run(self, sql: str, max_rows: int, timeout_s: float) -> Rows:  # noqa: ARG002 - interrupted from outside
        import duckdb

        try:
            self._cursor.execute(sql)
            described = self._cursor.description or []
            rows = self._cursor.fetchmany(max_rows)
        except duckdb.Error as error:
            raise query_error(str(error), self._schema) from error
        except RecursionError as error:
            raise QueryError("The query is nested too deeply.", "Write it with fewer levels.") from error
        geometries = frozenset(
            number for number, column in enumerate(described) if str(column[1]).startswith("GEOMETRY")
        )
        return Rows(tuple(column[0] for column in described), plain_rows(rows, geometries))


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
