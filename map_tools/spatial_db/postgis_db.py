"""The spatial database on a server: PostgreSQL with PostGIS, as a role that can only read.

Tables are loaded into it with geography columns and GiST indexes.
"""

import asyncio
import os
import socket
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from map_tools.errors import ConfigError
from map_tools.postgres import connect
from map_tools.spatial_db.guard import checked
from map_tools.spatial_db.guard.parsing import write
from map_tools.spatial_db.observations import query_error
from map_tools.spatial_db.pool import Rows, SessionLostError, SessionPool, too_slow
from map_tools.spatial_db.port import (
    DEFAULT_MAX_ROWS,
    DEFAULT_TIMEOUT_S,
    Column,
    QueryResult,
    Schema,
    Table,
    plain_rows,
)

if TYPE_CHECKING:
    from psycopg import Connection
from collections.abc import Iterable
from importlib.resources import files
from typing import TYPE_CHECKING

from map_tools.spatial_db.load import TableData

if TYPE_CHECKING:
    from psycopg import Connection, Cursor


_SIZE = 4
"""Queries at the same time."""
_CANCEL_TIMEOUT_S = 2.0
_IDLE = 0
"""PQTRANS_IDLE of libpq: no transaction is open."""
_OPTIONS = (
    "-c default_transaction_read_only=on -c search_path=public"
    " -c lock_timeout=5s -c cursor_tuple_fraction=1.0"
)
_OWN_TABLES = ("spatial_ref_sys", "geography_columns", "geometry_columns")
"""Tables that PostGIS brings."""

_TABLES = """
SELECT c.relname, greatest(c.reltuples, 0)::bigint FROM pg_class c
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'v', 'm', 'p') AND c.relname <> ALL (%s)
  AND has_table_privilege(c.oid, 'SELECT')
ORDER BY c.relname"""
_COLUMNS = """
SELECT a.attname, format_type(a.atttypid, NULL), col_description(a.attrelid, a.attnum) FROM pg_attribute a
WHERE a.attrelid = %s::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum"""
_MAY_WRITE = """
SELECT rolname FROM pg_roles WHERE rolname = current_user AND (
  rolsuper OR rolcreaterole OR has_schema_privilege('public', 'CREATE')
  OR has_database_privilege(current_database(), 'TEMPORARY')
  OR EXISTS (SELECT 1 FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
             AND has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')))"""


class PostgisDatabase:
    """Tables that `load_postgis` has loaded. Use `PostgisDatabase.open`."""

    name = "postgis"

    def __init__(self, dsn: str, schema: Schema) -> None:
        self._schema = schema
        self._pool = SessionPool(lambda: _Session(dsn, schema), _SIZE)

    @classmethod
    def open(cls, dsn: str) -> "PostgisDatabase":
        """Connects to a server.

        Args:
            dsn: The address of the database, with a role that can only read: libpq's "host=... dbname=..."
                or a URL, see https://www.postgresql.org/docs/15/libpq-connect.html.

        Raises:
            ConfigError: It cannot be reached, or the role may write.
        """
        with _connect(dsn) as connection:
            writer = connection.execute(_MAY_WRITE).fetchone()
            if writer is not None:
                raise ConfigError(
                    f"The PostgreSQL role '{writer[0]}' may write.",
                    "Connect as a role that can only read: load_postgis(tables, dsn, reader=...) makes one.",
                )
            schema = _read_schema(connection)
        return cls(dsn, schema)

    def schema(self) -> Schema:
        """The tables; see `SpatialDatabase.schema`."""
        return self._schema

    async def query(
        self, sql: str, *, timeout_s: float = DEFAULT_TIMEOUT_S, max_rows: int = DEFAULT_MAX_ROWS
    ) -> QueryResult:
        """The first rows of one SELECT statement; see `SpatialDatabase.query`."""
        text = await asyncio.to_thread(self._checked, sql)
        found = await self._pool.run(text, max_rows + 1, timeout_s)
        return QueryResult(
            columns=found.columns,
            rows=found.rows[:max_rows],
            truncated=len(found.rows) > max_rows,
            sql_run=text,
        )

    def _checked(self, sql: str) -> str:
        return write(checked(sql, self._schema), "postgres")

    def close(self) -> None:
        """Stops what is running and closes all connections."""
        self._pool.close()


class _Session:
    """One connection; each query is a read-only transaction of its own, read through a cursor."""

    def __init__(self, dsn: str, schema: Schema) -> None:
        self._connection = _connect(dsn)
        self._connection.prepare_threshold = None  # what is prepared would be discarded
        self._schema = schema
        found = self._connection.execute(
            "SELECT oid FROM pg_type WHERE typname IN ('geometry', 'geography')"
        ).fetchall()
        self._spatial_types = frozenset(oid for (oid,) in found)

    @property
    def is_broken(self) -> bool:
        """True also where a cancel has struck the end of a transaction."""
        return self._connection.closed or self._connection.info.transaction_status != _IDLE

    def run(self, sql: str, max_rows: int, timeout_s: float) -> Rows:
        import psycopg

        try:
            self._connection.execute("DISCARD ALL")  # whatever a query before it has left in the session
        except psycopg.Error as error:
            raise SessionLostError from error
        try:
            with self._connection.transaction():
                self._connection.execute(f"SET LOCAL statement_timeout = {max(1, round(timeout_s * 1000))}")
                with self._connection.cursor("rows") as cursor:
                    cursor.execute(sql.encode())
                    described = cursor.description or []
                    rows = cursor.fetchmany(max_rows)
        except psycopg.errors.QueryCanceled as error:
            raise too_slow(timeout_s) from error
        except psycopg.Error as error:
            raise query_error(error.diag.message_primary or str(error), self._schema) from error
        geometries = frozenset(
            number for number, column in enumerate(described) if column.type_code in self._spatial_types
        )
        return Rows(tuple(column.name for column in described), plain_rows(rows, geometries))

    def interrupt(self) -> None:
        import psycopg

        with suppress(psycopg.Error):  # a server that is gone ends the statement itself
            self._connection.cancel_safe(timeout=_CANCEL_TIMEOUT_S)

    def abandon(self) -> None:
        """Some functions of PostGIS never look whether they are cancelled; the server must end them."""
        import psycopg

        with (
            suppress(psycopg.Error, OSError),
            socket.socket(fileno=os.dup(self._connection.fileno())) as line,
        ):
            line.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._connection.close()


def _connect(dsn: str) -> "Connection[tuple[Any, ...]]":
    return connect(dsn, options=_OPTIONS, autocommit=True)


def _read_schema(connection: "Connection[tuple[Any, ...]]") -> Schema:
    found = connection.execute(_TABLES, (list(_OWN_TABLES),)).fetchall()
    return Schema(tuple(_read_table(connection, name, rows) for name, rows in found))


def _read_table(connection: "Connection[tuple[Any, ...]]", name: str, rows: int) -> Table:
    found = connection.execute(_COLUMNS, (f'public."{name}"',)).fetchall()
    columns = tuple(Column(column, kind) for column, kind, _ in found)
    comments = {column: comment for column, kind, comment in found if kind == "geography"}
    geometry = next(iter(comments), None)
    types = tuple((comments[geometry] or "").split(",")) if geometry else ()
    return Table(name, columns, rows, geometry, tuple(filter(None, types)))


_TYPES = {"geography": "geography(Geometry, 4326)"}


def load_postgis(tables: Iterable[TableData], dsn: str, reader: str | None = None) -> None:
    """Loads tables, replacing those of the same names; others see all of it or nothing.

    Args:
        tables: What to load.
        dsn: The address of a database whose owner this is (libpq's "host=... dbname=..." or a URL).
        reader: A role that may read the tables and do nothing else; made if there is none. For a password, or
            limits of its own, make it beforehand.

    Raises:
        ConfigError: The server cannot be reached, has no PostGIS, or this role may not do that.
    """
    opened = connect(dsn)
    import psycopg

    try:
        with opened as connection, connection.cursor() as cursor:
            cursor.execute("CREATE EXTENSION IF NOT EXISTS postgis")
            names = [_load(cursor, table) for table in tables]
            if reader is not None:
                _let_read(connection, cursor, names, reader)
    except psycopg.Error as error:
        raise ConfigError(
            f"The tables cannot be loaded into PostgreSQL: {str(error).splitlines()[0]}.",
            "Give the address of a database of your own, with the extension postgis available.",
        ) from error


def _load(cursor: "Cursor", table: TableData) -> str:
    from psycopg import sql

    name = sql.Identifier(table.name)
    columns = sql.SQL(", ").join(
        sql.SQL("{} {}").format(sql.Identifier(column.name), sql.SQL(_TYPES.get(column.type, column.type)))
        for column in table.columns
    )
    cursor.execute(sql.SQL("DROP TABLE IF EXISTS {}").format(name))
    cursor.execute(sql.SQL("CREATE TABLE {} ({})").format(name, columns))
    with cursor.copy(sql.SQL("COPY {} FROM STDIN").format(name)) as copy:
        for row in table.rows():
            copy.write_row([value.hex() if isinstance(value, bytes) else value for value in row])
    _index(cursor, table)
    cursor.execute(sql.SQL("ANALYZE {}").format(name))
    return table.name


def _index(cursor: "Cursor", table: TableData) -> None:
    """The primary key, the spatial index, and what geometry types there are as a comment."""
    from psycopg import sql

    name = sql.Identifier(table.name)
    for column in table.columns:
        if column.name == "id":
            cursor.execute(sql.SQL("ALTER TABLE {} ADD PRIMARY KEY (id)").format(name))
        if column.type != "geography":
            continue
        field = sql.Identifier(column.name)
        cursor.execute(sql.SQL("CREATE INDEX ON {} USING gist ({})").format(name, field))
        cursor.execute(
            sql.SQL("SELECT DISTINCT GeometryType({0}) FROM {1} WHERE {0} IS NOT NULL ORDER BY 1").format(
                field, name
            )
        )
        types = ",".join(row[0] for row in cursor.fetchall())
        cursor.execute(sql.SQL("COMMENT ON COLUMN {}.{} IS {}").format(name, field, sql.Literal(types)))


def _let_read(connection: "Connection", cursor: "Cursor", tables: list[str], reader: str) -> None:
    from psycopg import sql

    role = sql.Identifier(reader)
    cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (reader,))
    if cursor.fetchone() is None:
        cursor.execute(sql.SQL("CREATE ROLE {} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE").format(role))
    statements = (files(__package__) / "reader.sql").read_text("utf-8")
    database = sql.Identifier(connection.info.dbname)
    listed = sql.SQL(", ").join(sql.Identifier(table) for table in tables)
    cursor.execute(sql.SQL(statements).format(role=role, database=database, tables=listed))
