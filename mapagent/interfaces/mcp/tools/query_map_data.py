"""`query_map_data`: spatial SQL over the data of the map."""

from collections.abc import Iterator
from typing import Annotated, ClassVar

from pydantic import Field

from map_tools.spatial_db.port import Schema, Table, Value
from map_tools.types import Frozen
from mapagent.interfaces.mcp.replies import Outcome, Reply, clipped
from mapagent.interfaces.mcp.workbench import Workbench

MAX_ROWS = 1_000
TIMEOUT_S = 20.0
"""A conversation does not wait for the minute that benchmarks allow."""


class QueryMapDataArguments(Frozen):
    """A query; none lists the tables."""

    sql: str = Field(
        "", description="One SELECT in PostgreSQL's dialect with PostGIS; empty lists the tables."
    )
    max_rows: Annotated[int, Field(ge=1, le=MAX_ROWS)] = Field(20, description="How many rows at most.")


class TableBrief(Frozen):
    """A table one may query."""

    name: str
    rows: int
    columns: tuple[str, ...]

    @classmethod
    def of(cls, table: Table) -> "TableBrief":
        """The table as replies tell it."""
        columns = tuple(f"{column.name} {column.type}" for column in table.columns)
        return cls(name=table.name, rows=table.rows, columns=columns)


class QueryMapDataReply(Reply):
    """Rows, or the tables there are."""

    shortened: ClassVar[tuple[str, ...]] = ("rows", "tables")

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str | int | float | bool | None, ...], ...] = ()
    truncated: bool = Field(default=False, description="True if the query has more rows than were asked for.")
    tables: tuple[TableBrief, ...] = Field((), description="The tables, where no SQL was given.")

    def lines(self) -> Iterator[str]:
        """Rows separated by bars, or one table a line."""
        if self.columns:
            yield " | ".join(self.columns)
        yield from (" | ".join("" if value is None else str(value) for value in row) for row in self.rows)
        yield from (
            f"- {table.name} ({table.rows} rows): {', '.join(table.columns)}" for table in self.tables
        )


class QueryMapData:
    """Runs a query that only reads."""

    name: ClassVar[str] = "query_map_data"
    title: ClassVar[str] = "Query the map's data"
    description: str = (
        "Runs one read-only SELECT in PostGIS dialect over the map's tables (pois, parks, lakes, roads, "
        "regions; `geometry` is geography: ST_Distance, ST_DWithin, ST_Length and ST_Area are in metres). "
        "For what the other tools do not count or combine. Call it without SQL to see tables and columns."
    )
    arguments: ClassVar[type[Frozen]] = QueryMapDataArguments
    result: ClassVar[type[Reply]] = QueryMapDataReply
    open_world: ClassVar[bool] = False
    drawn: ClassVar[bool] = False

    async def __call__(self, arguments: QueryMapDataArguments, bench: Workbench) -> Outcome:
        """The first rows; a statement past its time, or of a caller that left, is stopped."""
        database = await bench.database.open(bench.provider)
        credit = bench.provider.terms.attribution
        if not arguments.sql.strip():
            return Outcome(_tables(database.schema(), credit))
        found = await database.query(arguments.sql, timeout_s=TIMEOUT_S, max_rows=arguments.max_rows)
        more = " or more" if found.truncated else ""
        reply = QueryMapDataReply(
            summary=f"{len(found.rows)}{more} rows of {len(found.columns)} columns.",
            columns=found.columns,
            rows=tuple(tuple(map(_cell, row)) for row in found.rows),
            truncated=found.truncated,
            warnings=found.notes,
            attribution=credit,
        )
        return Outcome(reply, {"columns": found.columns, "rows": found.rows, "sql_run": found.sql_run})


def _tables(schema: Schema, credit: str) -> QueryMapDataReply:
    tables = tuple(map(TableBrief.of, schema.tables))
    return QueryMapDataReply(
        summary=f"There are {len(tables)} tables: {', '.join(table.name for table in tables)}.",
        tables=tables,
        attribution=credit,
    )


def _cell(value: Value) -> str | int | float | bool | None:
    return value if value is None or isinstance(value, int | float) else clipped(str(value))
