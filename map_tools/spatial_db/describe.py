"""A database in words, for prompts: tables, columns, and what the telling columns hold.

GS-QA's baseline shows tables, columns and example values (section 4.2); columns that are never filled are
left out, for a small model reads them as an invitation. Of single columns it can be told what they hold: the share
of nulls, how many values there are, and the commonest of them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from map_tools.errors import QueryError
from map_tools.spatial_db.duckdb_build import KINDS
from map_tools.spatial_db.observations import listing, nearest_columns
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
    database: SpatialDatabase, table: str, column: str, timeout_s: float = 60.0
) -> tuple[str, ...]:
    """The commonest values of a column, the most frequent first.

    Raises:
        QueryError: The database does not answer in time.
    """
    sql = (
        f'SELECT "{column}", count(*) FROM {table} WHERE "{column}" IS NOT NULL'  # noqa: S608
        f' GROUP BY "{column}" ORDER BY count(*) DESC, "{column}" LIMIT {MAX_VALUES}'
    )
    result = await database.query(sql, timeout_s=timeout_s, max_rows=MAX_VALUES)
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


@dataclass(frozen=True, slots=True)
class ColumnStatistics:
    """A column as PostgreSQL's catalogue describes one (pg_stats), here counted exactly.

    Attributes:
        name: The column.
        type: Its type.
        null_share: Share of the rows that have no value, 0 to 1.
        distinct: Number of different values; None for geometries.
        common: The commonest values, the most frequent first; none for geometries.
    """

    name: str
    type: str
    null_share: float
    distinct: int | None = None
    common: tuple[str, ...] = ()


async def column_statistics(
    database: SpatialDatabase, table: Table, names: Sequence[str] = (), timeout_s: float = 60.0
) -> tuple[ColumnStatistics, ...]:
    """Counts what columns hold; all columns of the table if none is named.

    Raises:
        QueryError: The table has no such column, or the database does not answer in time.
    """
    for name in names:
        if table.column(name) is None:
            near = [full for full in nearest_columns(name, database.schema()) if full.startswith(table.name)]
            hint = f"Did you mean {listing(near)}?" if near else "Leave the columns out to see all of them."
            raise QueryError(f"The table {table.name} has no column {name}.", hint)
    wanted = [column for column in table.columns if not names or column.name in names]
    plain = [column.name for column in wanted if column.name != table.geometry]
    counts = [
        "count(*)",
        *(f'count("{column.name}")' for column in wanted),
        *(f'count(DISTINCT "{name}")' for name in plain),
    ]
    result = await database.query(
        f"SELECT {', '.join(counts)} FROM {table.name}",  # noqa: S608 - names of the schema
        timeout_s=timeout_s,
    )
    rows, *numbers = (int(str(value)) for value in result.rows[0])
    distinct = dict(zip(plain, numbers[len(wanted) :], strict=True))
    return tuple(
        [
            ColumnStatistics(
                name=column.name,
                type=column.type,
                null_share=1 - filled / rows if rows else 1.0,
                distinct=distinct.get(column.name),
                common=await common_values(database, table.name, column.name, timeout_s=timeout_s)
                if distinct.get(column.name)
                else (),
            )
            for column, filled in zip(wanted, numbers, strict=False)
        ]
    )
