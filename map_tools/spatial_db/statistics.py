"""What a table's columns hold: the share of nulls, how many values there are, and the commonest of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from map_tools.errors import QueryError
from map_tools.spatial_db.describe import common_values
from map_tools.spatial_db.observations import listing, nearest_columns
from map_tools.spatial_db.port import SpatialDatabase, Table


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
