"""What the methods that write SQL share: one way to run a query, to show its rows, to describe the tables.

Every query goes through the guard of the database and into the trace, whoever wrote it.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass

from evals.methods.asking import Asking
from evals.methods.geo_react.loop import TOOLS_PACKAGE
from evals.methods.loop import Attempt, run_agent
from evals.methods.observations import ObservationRoom
from evals.ports import Desk, Task
from map_tools.errors import QueryError, QueryRefusedError, UsageError
from map_tools.spatial_db.describe import describe
from map_tools.spatial_db.port import QueryResult, SpatialDatabase
from mapagent.answer import Answer
from mapagent.ports import Account
from mapagent.prompts import load_prompt
from modules.spatial_database.rows import row_lines
from modules.spatial_database.sql_setting import SqlSetting
from modules.spatial_database.traced import TracedDatabase

SQL_TOKENS = 600
"""Longest reply with a query in it; the longest gold query of GS-QA has about 400."""


@dataclass(frozen=True, slots=True)
class Execution:
    """What became of a query.

    Attributes:
        sql: The query as it was written.
        result: Its rows, None if it did not run.
        problem: Why it did not run and what to do about it; empty if it ran.
    """

    sql: str
    result: QueryResult | None = None
    problem: str = ""

    @property
    def useful(self) -> bool:
        """True if it brought at least one value."""
        return self.result is not None and any(value is not None for row in self.result.rows for value in row)

    def lines(self) -> Iterator[str]:
        """The outcome in lines: the error, or a header and the numbered rows."""
        if self.result is None:
            yield f"Error: {self.problem}"
        else:
            yield from row_lines(self.result)


class SqlDesk:
    """The database as one question's agent uses it.

    `run` is for the agent's own queries, which the trace tells of; `database` for looking around.

    Args:
        database: Who is asked.
        setting: How long, and for how many rows.
        account: Its trace gets every query that is run.
        described: The tables in words.
    """

    def __init__(
        self, database: SpatialDatabase, setting: SqlSetting, account: Account, described: str
    ) -> None:
        self.database = database
        self._traced = TracedDatabase(database, account.trace)
        self.setting = setting
        self.described = described
        self._room = ObservationRoom()

    async def run(self, sql: str) -> Execution:
        """Runs a query; what goes wrong is told, not raised."""
        try:
            result = await self._traced.query(
                sql, timeout_s=self.setting.timeout_s, max_rows=self.setting.max_rows
            )
        except (QueryRefusedError, QueryError) as error:
            return Execution(sql, problem=str(error))
        return Execution(sql, result)

    def show(self, execution: Execution) -> str:
        """The outcome as an observation, within the room that is left for this question."""
        return self._room.show_lines(execution.lines())


class SqlMethod:
    """A method whose agent writes SQL: give it a `name`, prompts of this name, and `work`."""

    name = ""
    uses_database = True

    def __init__(self) -> None:
        self._described: str | None = None
        self._describing = asyncio.Lock()

    async def answer(self, task: Task, desk: Desk, account: Account) -> Answer:
        """Answers one task.

        Raises:
            UsageError: There is no model or no database.
            QueryError: The database does not describe itself in time.
        """
        database = database_of(self.name, desk)
        asking = Asking(task, desk.settings.prompts)
        described = await self._schema(database)
        conventions = load_prompt(TOOLS_PACKAGE, "conventions", desk.settings.prompts).text
        values = {"schema": described, "conventions": conventions}
        wanted = asking.prompt(self.name.replace("-", "_")).placeholders
        fixed = {name: text for name, text in values.items() if name in wanted}
        sql = SqlDesk(database, SqlSetting.of(desk.settings), account, described)
        return await run_agent(
            lambda attempt: self.work(attempt, sql),
            method=self.name,
            task=task,
            desk=desk,
            account=account,
            fixed=fixed,
        )

    async def work(self, attempt: Attempt, sql: SqlDesk) -> str:
        """The agent's control flow; returns its last words."""
        raise NotImplementedError

    async def _schema(self, database: SpatialDatabase) -> str:
        """The tables in words, looked at once."""
        async with self._describing:
            if self._described is None:
                self._described = await describe(database)
        return self._described


def database_of(method: str, desk: Desk) -> SpatialDatabase:
    """The desk's database.

    Raises:
        UsageError: There is none.
    """
    if desk.database is None:
        raise UsageError(
            f"The method '{method}' needs a spatial database.",
            "Name a map with --map, or a folder of GeoParquet files with --world.",
        )
    return desk.database
