"""A database in words, for prompts: tables, columns, and what the telling columns hold.

GS-QA's baseline shows tables, columns and example values (section 4.2); columns that are never filled are
left out, for a small model reads them as an invitation.
"""

from collections.abc import Iterator, Sequence

from map_tools.spatial_db.duckdb_build import KINDS
from map_tools.spatial_db.port import SpatialDatabase, Table

TELLING = frozenset(
    {*KINDS, "cuisine", "museum", "natural", "place", "border_type", "admin_level", "addr_state", "addr_city"}
)
"""Columns whose common values are shown: what kind a feature is, and how states and cities are written."""
MAX_VALUES = 10
_TEXT = "text"


async def describe(database: SpatialDatabase, timeout_s: float = 60.0) -> str:
    """The tables of a database, each with its columns and the commonest values of the telling ones.

    The same database gives the same text, so that it can begin a prompt.

    Raises:
        QueryError: The database does not answer in time.
    """
    parts = [await _table(database, table, timeout_s) for table in database.schema().tables]
    return "\n".join(line for part in parts for line in part)


async def filled_columns(database: SpatialDatabase, table: Table, timeout_s: float = 60.0) -> tuple[str, ...]:
    """The columns of a table that hold a value in some row, in their order.

    Raises:
        QueryError: The database does not answer in time.
    """
    counts = ", ".join(f'count("{column.name}")' for column in table.columns)
    result = await database.query(f"SELECT {counts} FROM {table.name}", timeout_s=timeout_s)  # noqa: S608
    (row,) = result.rows
    return tuple(column.name for column, count in zip(table.columns, row, strict=True) if count)


async def common_values(
    database: SpatialDatabase, table: str, column: str, most: int = MAX_VALUES, timeout_s: float = 60.0
) -> tuple[str, ...]:
    """The commonest values of a column, the most frequent first.

    Raises:
        QueryError: The database does not answer in time.
    """
    sql = (
        f'SELECT "{column}", count(*) FROM {table} WHERE "{column}" IS NOT NULL'  # noqa: S608
        f' GROUP BY "{column}" ORDER BY count(*) DESC, "{column}" LIMIT {most}'
    )
    result = await database.query(sql, timeout_s=timeout_s, max_rows=most)
    return tuple(str(value) for value, _ in result.rows)


async def _table(database: SpatialDatabase, table: Table, timeout_s: float) -> Sequence[str]:
    names = await filled_columns(database, table, timeout_s)
    lines = [f"Table {table.name}, {table.rows} rows: {', '.join(_columns(table, names))}"]
    for name in names:
        if name in TELLING:
            values = await common_values(database, table.name, name, timeout_s=timeout_s)
            lines.append(f"  {table.name}.{name} is often {', '.join(map(repr, values))}")
    return lines


def _columns(table: Table, names: Sequence[str]) -> Iterator[str]:
    """The columns with their types; nothing is said of texts, which most are."""
    for name in names:
        column = table.column(name)
        if name == table.geometry:
            yield f"{name} (geography: {', '.join(table.geometry_types).lower()})"
        elif column is None or column.type == _TEXT:
            yield name
        else:
            yield f"{name} ({column.type})"
