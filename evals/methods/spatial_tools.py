"""The tools of the spatial database for any rival agent: `--method NAME:spatial-tools`.

They stand beside the map tools, at the same price: a call of one is charged, traced and shown as a call of
the other. Agents that were not made for them get the same tools that Geo-ReAct's loop has.
"""

from dataclasses import replace
from pathlib import Path

from evals.methods.sql_desk import database_of
from evals.ports import Desk, Method, Task
from map_tools.errors import LimitError, UnknownNameError, UsageError
from map_tools.facts import Fact, FailureFact, NoteFact
from map_tools.spatial_db.memory.engine import MemoryEngine
from map_tools.spatial_db.memory.opening import engine_of
from map_tools.spatial_db.sources import CACHE_FOLDER
from mapagent.answer import Answer
from mapagent.ports import Account, ToolCall
from modules.spatial_database.cards import tool_card
from modules.spatial_database.sql_setting import SqlSetting
from modules.spatial_database.tools.base import Toolkit

VARIANT = "spatial-tools"


class SpatialTools:
    """A toolkit as the rivals' tools: calls bring facts.

    Args:
        toolkit: The tools.
        account: What calls are charged to.
    """

    def __init__(self, toolkit: Toolkit, account: Account) -> None:
        self._toolkit = toolkit
        self._account = account

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
            self._account.ledger.charge_tool()
        except LimitError as error:
            return FailureFact(code=error.code, message=error.message, remedy=error.remedy)
        with self._account.trace.span("tool", tool=call.tool, arguments=call.arguments) as span:
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

    async def answer(self, task: Task, desk: Desk, account: Account) -> Answer:
        """Answers one task.

        Raises:
            UsageError: There is no database or no map.
        """
        toolkit = self._toolkit(desk, account)
        return await self._inner.answer(
            task, replace(desk, further_tools=SpatialTools(toolkit, account)), account
        )

    def _toolkit(self, desk: Desk, account: Account) -> Toolkit:
        from evals.methods.geo_react.toolkit import Workshop, loop_toolkit

        database = database_of(self.name, desk)
        if desk.provider is None or desk.model is None:
            raise UsageError(f"The method '{self.name}' needs a map and a language model.", "Name both.")
        if self._engine is None:
            cache: Path = desk.settings.data_home / CACHE_FOLDER
            self._engine = engine_of(desk.provider, cache)
        workshop = Workshop(self._engine, database, SqlSetting.of(desk.settings))
        return loop_toolkit(workshop, desk.model, account, prompts=desk.settings.prompts)


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
