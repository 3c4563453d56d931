"""GenerateSQL, RefineSQL: prepare and run a query that an agent has written or revised (Geo-ReAct, section 4.1.1)."""

import re
from collections.abc import Callable
from typing import Any, ClassVar

from pydantic import Field

from map_tools.errors import QueryRefusedError
from map_tools.spatial_db.port import Schema, SpatialDatabase
from mapagent.core.rendering import clean
from modules.spatial_database.database import SqlSetting, row_lines
from modules.spatial_database.tools.base import Arguments, Concept, Result, Role, SpatialTool

_TABLE = re.compile(r"\bFROM\b", re.IGNORECASE)

type Prepare = Callable[[str, Schema], tuple[str, tuple[str, ...]]]
"""The deterministic preprocessor: a query and the schema in, the repaired query and what was mended out."""


class SqlArguments(Arguments):
    """A query."""

    sql: str = Field(min_length=1, description="one SELECT statement in PostGIS dialect")


class SqlResult(Result):
    """The rows of a query.

    Attributes:
        sql: The query that ran, as mended; what it says itself was not found.
        fixes: What was mended, so that an agent can learn from it.
        columns, rows: What it found; `truncated` if there was more.
        lines: The rows as a model reads them.
    """

    sql: str = Field(exclude=True)
    fixes: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    truncated: bool = False
    lines: tuple[str, ...] = Field(default=(), exclude=True)

    def text(self) -> str:
        """The fixes and the rows."""
        return "\n".join(map(clean, (*(f"Mended: {fix}" for fix in self.fixes), *self.lines)))


class GenerateSQL(SpatialTool[SqlArguments, SqlResult]):
    """Runs an agent's first query.

    Args:
        database: Who is asked; its guard lets nothing but reading through.
        prepare: The preprocessor.
        setting: Time-out and row limit.
    """

    name: ClassVar[str] = "GenerateSQL"
    description: ClassVar[str] = (
        "Runs a query you write and returns its rows; small slips are mended and told."
    )
    role: ClassVar[Role] = Role.EXECUTION
    concepts: ClassVar[tuple[Concept, ...]] = ()
    arguments: ClassVar[type[Arguments]] = SqlArguments

    def __init__(self, database: SpatialDatabase, prepare: Prepare, setting: SqlSetting) -> None:
        self._database = database
        self._prepare = prepare
        self._setting = setting

    async def run(self, arguments: SqlArguments) -> SqlResult:
        """Prepares and runs the query.

        Raises:
            QueryRefusedError: It is not allowed, reads no table, or the engine has no equal of it.
            QueryError: The engine could not carry it out, or not in time.
        """
        sql, fixes = self._prepare(arguments.sql, self._database.schema())
        result = await self._database.query(
            sql, timeout_s=self._setting.timeout_s, max_rows=self._setting.max_rows
        )
        if not _TABLE.search(sql):
            raise QueryRefusedError(
                "The query reads no table.", "Select from the tables; nothing else counts."
            )
        return SqlResult(
            sql=sql,
            fixes=fixes,
            columns=result.columns,
            rows=result.rows,
            truncated=result.truncated,
            lines=tuple(row_lines(result)),
        )


class RefineSQL(GenerateSQL):
    """Runs a query that an agent has revised; the path is that of its first one."""

    name: ClassVar[str] = "RefineSQL"
    description: ClassVar[str] = (
        "Runs a revised query after an error or an empty result; small slips are mended and told."
    )
