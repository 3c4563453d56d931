"""The spatial database as rival agents use it: by SQL, or by its tools (`--method NAME:spatial-tools`).

The methods that write SQL share one way to run a query, to show its rows, to describe the tables.

They stand beside the map tools, at the same price: a call of one is charged, traced and shown as a call of
the other. Agents that were not made for them get the same tools that Geo-ReAct's loop has.

Every query goes through the guard of the database and into the trace, whoever wrote it.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from evals.methods.geo_react.loop import TOOLS_PACKAGE
from evals.methods.loop import Asking, Episode, run_agent
from evals.methods.tools import ObservationRoom
from evals.ports import EvalContext, Method, Task
from map_tools.errors import LimitError, QueryError, QueryRefusedError, UnknownNameError, UsageError
from map_tools.facts import Fact, FailureFact, NoteFact
from map_tools.spatial_db.describe import describe
from map_tools.spatial_db.memory.engine import MemoryEngine
from map_tools.spatial_db.memory.opening import engine_of
from map_tools.spatial_db.port import CACHE_FOLDER, QueryResult, SpatialDatabase
from mapagent.core.answer import Answer
from mapagent.core.ports import RequestContext, ToolCall
from mapagent.core.prompts import load_prompt
from modules.spatial_database.database import SqlSetting, TracedDatabase, row_lines
from modules.spatial_database.tools.base import Toolkit, tool_card

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
        request_context: Its trace gets every query that is run.
        described: The tables in words.
    """

    def __init__(
        self, database: SpatialDatabase, setting: SqlSetting, request_context: RequestContext, described: str
    ) -> None:
        self.database = database
        self._traced = TracedDatabase(database, request_context.trace)
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

    async def answer(self, task: Task, context: EvalContext, request_context: RequestContext) -> Answer:
        """Answers one task.

        Raises:
            UsageError: There is no model or no database.
            QueryError: The database does not describe itself in time.
        """
        database = database_of(self.name, context)
        asking = Asking(task, context.settings.prompts)
        described = await self._schema(database)
        conventions = load_prompt(TOOLS_PACKAGE, "conventions", context.settings.prompts).text
        values = {"schema": described, "conventions": conventions}
        wanted = asking.prompt(self.name.replace("-", "_")).placeholders
        fixed = {name: text for name, text in values.items() if name in wanted}
        sql = SqlDesk(database, SqlSetting.of(context.settings), request_context, described)
        return await run_agent(
            lambda episode: self.work(episode, sql),
            method=self.name,
            task=task,
            context=context,
            request_context=request_context,
            fixed=fixed,
        )

    async def work(self, episode: Episode, sql: SqlDesk) -> str:
        """The agent's control flow; returns its last words."""
        raise NotImplementedError

    async def _schema(self, database: SpatialDatabase) -> str:
        """The tables in words, looked at once."""
        async with self._describing:
            if self._described is None:
                self._described = await describe(database)
        return self._described


def database_of(method: str, context: EvalContext) -> SpatialDatabase:
    """The desk's database.

    Raises:
        UsageError: There is none.
    """
    if context.database is None:
        raise UsageError(
            f"The method '{method}' needs a spatial database.",
            "Name a map with --map, or a folder of GeoParquet files with --world.",
        )
    return context.database


VARIANT = "spatial-tools"


class SpatialTools:
    """A toolkit as the rivals' tools: calls bring facts.

    Args:
        toolkit: The tools.
        request_context: What calls are charged to.
    """

    def __init__(self, toolkit: Toolkit, request_context: RequestContext) -> None:
        self._toolkit = toolkit
        self._request_context = request_context

    @property
    def names(self) -> tuple[str, ...]:
        """The tools' names."""
        return tuple(self._toolkit.tools)

    def card(self, name: str) -> str:
        """One tool in words."""
        tool = self._toolkit.tool(name)
        return tool_card(tool.name, tool.description, tool.arguments)

    async def call(self, call: ToolCall) -> Fact:
        """Makes a call; what goes wrong comes back as a failure."""
        try:
            self._request_context.ledger.charge_tool()
        except LimitError as error:
            return FailureFact(code=error.code, message=error.message, remedy=error.remedy)
        with self._request_context.trace.span("tool", tool=call.tool, arguments=call.arguments) as span:
            seen = await self._toolkit.call(call.tool, call.arguments)
            span.attributes |= {"ok": seen.ok, "code": seen.code}
        if not seen.ok:
            return FailureFact(code=seen.code, message=seen.text, subject=call.tool)
        return NoteFact(text=seen.text)


class WithSpatialTools:
    """A method with the spatial tools on its desk.

    Args:
        inner: The method.
    """

    uses_database = True

    def __init__(self, inner: Method) -> None:
        self._inner = inner
        self.name = f"{inner.name}:{VARIANT}"
        self._engine: MemoryEngine | None = None

    async def answer(self, task: Task, context: EvalContext, request_context: RequestContext) -> Answer:
        """Answers one task.

        Raises:
            UsageError: There is no database or no map.
        """
        toolkit = self._toolkit(context, request_context)
        return await self._inner.answer(
            task, replace(context, further_tools=SpatialTools(toolkit, request_context)), request_context
        )

    def _toolkit(self, context: EvalContext, request_context: RequestContext) -> Toolkit:
        from evals.methods.geo_react.metric import Workshop, loop_toolkit

        database = database_of(self.name, context)
        if context.provider is None or context.model is None:
            raise UsageError(f"The method '{self.name}' needs a map and a language model.", "Name both.")
        if self._engine is None:
            cache: Path = context.settings.data_home / CACHE_FOLDER
            self._engine = engine_of(context.provider, cache)
        workshop = Workshop(self._engine, database, SqlSetting.of(context.settings))
        return loop_toolkit(workshop, context.model, request_context, prompts=context.settings.prompts)


class TakesSpatialTools:
    """A method that comes with the spatial tools as a variant (`evals.ports.HasVariants`)."""

    name: str

    def variant(self: Method, variant: str) -> Method:
        """The method with the spatial tools.

        Raises:
            UnknownNameError: Another variant is asked for.
        """
        if variant != VARIANT:
            raise UnknownNameError(
                f"The method '{self.name}' has no variant '{variant}'.", f"Known: {VARIANT}."
            )
        return WithSpatialTools(self)
