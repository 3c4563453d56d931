"""Loads tables into PostgreSQL with PostGIS: geography columns, GiST indexes, a role that can only read."""

from collections.abc import Iterable
from importlib.resources import files
from typing import TYPE_CHECKING

from map_tools.errors import ConfigError
from map_tools.postgres import connect
from map_tools.spatial_db.load import TableData

if TYPE_CHECKING:
    from psycopg import Connection, Cursor

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
