"""Builds the file of an embedded spatial database: tables, helper columns, indexes, macros.

The file is built beside its place and renamed, so a kill leaves nothing half-made and readers of an older one
go on.
"""

import csv
import re
import secrets
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING

from map_tools.spatial_db.duckdb_engine import connect, sql_text
from map_tools.spatial_db.load import TableData

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

LON, LAT, REDUCED = "_lon", "_lat", "_reduced"
"""Helper columns of a table of points: longitude and latitude in degrees, and the tangent of the reduced
latitude, which azimuths start from. Plain numbers are pruned by their minimum and maximum, where an R-tree of
points is slower. They are hidden from queries."""
HELPERS = (LON, LAT, REDUCED)
KINDS = ("amenity", "tourism", "leisure", "shop", "historic", "highway", "waterway", "water")
"""Columns that say what kind a feature is; most queries ask for one kind."""

_ROW_GROUP = 8192
"""Rows whose minima and maxima are kept together: so few that most are skipped for one kind in one region."""
_WORLD = "{'min_x': -180, 'min_y': -90, 'max_x': 180, 'max_y': 90}::BOX_2D"
_NULL = "\\N"
_MAX_LINE = 64 * 1024 * 1024
"""Characters of one row: the outline of a country fits."""
_TYPES = {"text": "VARCHAR", "bigint": "BIGINT", "double precision": "DOUBLE", "geography": "GEOMETRY"}


def build_duckdb(tables: Iterable[TableData], path: Path) -> Path:
    """Writes tables to a DuckDB file; an older file of this name is replaced.

    Returns:
        The path.

    Raises:
        ConfigError: DuckDB or its spatial extension is missing.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with connect() as connection:
            connection.execute(
                f"ATTACH {sql_text(str(unfinished))} AS built"
                f" (ROW_GROUP_SIZE {_ROW_GROUP}, STORAGE_VERSION 'latest')"
            )
            connection.execute("USE built")
            for statement in macros():
                connection.execute(statement)
            for table in tables:
                _write(connection, table)
            connection.execute("USE memory")
            connection.execute("DETACH built")
        unfinished.replace(path)
    finally:
        for left in path.parent.glob(f"{unfinished.name}*"):
            left.unlink()
    return path


@lru_cache(maxsize=1)
def macros() -> tuple[str, ...]:
    """The statements of `macros.sql`."""
    text = (files(__package__) / "macros.sql").read_text("utf-8")
    without_comments = re.sub(r"^--.*\n", "", text, flags=re.MULTILINE)
    return tuple(part.strip() for part in without_comments.split(";\n") if part.strip())


def _write(connection: "DuckDBPyConnection", table: TableData) -> None:
    """One table, by way of a file of comma-separated values: DuckDB reads those fastest by far."""
    declared = ", ".join(f'"{column.name}" {_TYPES[column.type]}' for column in table.columns)
    connection.execute(f"CREATE TEMP TABLE loaded ({declared})")
    with NamedTemporaryFile("w", encoding="utf-8", newline="", suffix=".csv") as file:
        rows = csv.writer(file)
        for row in table.rows():
            rows.writerow([_as_text(value) for value in row])
        file.flush()
        _read_back(connection, table, file.name)
    _arrange(connection, table)
    connection.execute("DROP TABLE temp.loaded")


def _as_text(value: object) -> object:
    if value is None:
        return _NULL
    return value.hex() if isinstance(value, bytes) else value


def _read_back(connection: "DuckDBPyConnection", table: TableData, file: str) -> None:
    values = ", ".join(
        f'ST_Force2D(ST_GeomFromHEXWKB("{column.name}"))'
        if column.type == "geography"
        else f'"{column.name}"'
        for column in table.columns
    )
    types = ", ".join(
        f"{sql_text(column.name)}: '{'VARCHAR' if column.type == 'geography' else _TYPES[column.type]}'"
        for column in table.columns
    )
    connection.execute(
        f"INSERT INTO temp.loaded SELECT {values} FROM read_csv({sql_text(file)}, auto_detect = false,"  # noqa: S608
        f" header = false, delim = ',', quote = '\"', escape = '\"', nullstr = '{_NULL}', strict_mode = true,"
        f" max_line_size = {_MAX_LINE}, buffer_size = {2 * _MAX_LINE}, parallel = false,"
        f" columns = {{{types}}})"
    )


def _arrange(connection: "DuckDBPyConnection", table: TableData) -> None:
    """Writes the table in an order that lets the engine skip most of it: by kind, then along a curve."""
    names = [column.name for column in table.columns]
    kinds = [f'"{name}"' for name in KINDS if name in names]
    geometry = next((column.name for column in table.columns if column.type == "geography"), None)
    types: list[str] = []
    helpers = ""
    if geometry is not None:
        found = connection.execute(
            f"SELECT DISTINCT CAST(ST_GeometryType({geometry}) AS VARCHAR) FROM temp.loaded"  # noqa: S608
            f" WHERE {geometry} IS NOT NULL ORDER BY 1"
        ).fetchall()
        types = [name for (name,) in found]
        kinds.append(f"ST_Hilbert({geometry}, {_WORLD})")
    if types == ["POINT"]:
        formulas = (f"ST_X({geometry})", f"ST_Y({geometry})", f"mg_reduced(ST_Y({geometry}))")
        helpers = "".join(f", {formula} AS {name}" for name, formula in zip(HELPERS, formulas, strict=True))
    order = f" ORDER BY {', '.join(kinds)}" if kinds else ""
    connection.execute(f"CREATE TABLE {table.name} AS SELECT *{helpers} FROM temp.loaded{order}")  # noqa: S608
    if geometry is not None:
        connection.execute(f"COMMENT ON COLUMN {table.name}.{geometry} IS '{','.join(types)}'")
    if types and types != ["POINT"]:
        connection.execute(f"CREATE INDEX {table.name}_{geometry} ON {table.name} USING RTREE ({geometry})")
    if "id" in names:  # spares unpacking the outlines of a thousand neighbours of the one that is asked for
        connection.execute(f"CREATE INDEX {table.name}_id ON {table.name} (id)")
