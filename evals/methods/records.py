"""The rows of a spatial database as short texts: what dense retrieval searches.

A text holds a record's name, its kind and its address, and no coordinates (GS-QA, section 4.3).
"""

from collections.abc import Iterator, Sequence

from map_tools.spatial_db.duckdb_build import KINDS
from map_tools.spatial_db.port import SpatialDatabase, Table, Value

MAX_RECORDS = 1_000_000
"""Of one table: 512 MB of vectors; the tables of GS-QA's published extract have at most 91,927 rows."""
TIMEOUT_S = 600.0
_ADDRESS = ("addr_street", "addr_city", "addr_state", "addr_postcode", "addr_country")
"""Address columns, in the order an address is written (GS-QA's evaluator joins the first four)."""


async def record_texts(database: SpatialDatabase) -> tuple[str, ...]:
    """One text for each row that has a name, each text once.

    Raises:
        QueryError: The database does not answer in time.
    """
    texts: dict[str, None] = {}
    for table in database.schema().tables:
        name = name_column(table)
        if name is not None:
            texts |= dict.fromkeys(await _texts_of(database, table, name))
    return tuple(texts)


def name_column(table: Table) -> str | None:
    """The column that holds the names of a table's features; None if it has none."""
    names = (column.name for column in table.columns)
    return next((name for name in names if name == "name" or name.endswith("_name")), None)


async def _texts_of(database: SpatialDatabase, table: Table, name: str) -> Iterator[str]:
    kinds = [kind for kind in KINDS if table.column(kind)]
    address = [part for part in _ADDRESS if table.column(part)]
    columns = ", ".join(f'"{column}"' for column in (name, *kinds, *address))
    result = await database.query(
        f"""SELECT {columns} FROM {table.name} WHERE "{name}" <> '' ORDER BY "{name}\"""",  # noqa: S608
        timeout_s=TIMEOUT_S,
        max_rows=MAX_RECORDS,
    )
    return (_text(table.name, row, len(kinds)) for row in result.rows)


def _text(table: str, row: Sequence[Value], kinds: int) -> str:
    """A record such as "Old Mill; museum; Quay Lane, Fernport, CA"."""
    name, *rest = row
    kind = " ".join(str(value) for value in rest[:kinds] if value) or table
    address = ", ".join(str(value) for value in rest[kinds:] if value)
    return "; ".join(part for part in (str(name), kind.replace("_", " "), address) if part)
