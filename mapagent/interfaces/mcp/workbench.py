"""What the tools of the server work with: one agent and its provider, the map's spatial database, limits."""

import asyncio
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from map_tools.errors import LimitError, ProgramError, ToolError, UnsupportedError, UsageError
from map_tools.facts import Fact
from map_tools.providers.base import HasBuild, Provider
from map_tools.spatial_db.port import SpatialDatabase
from map_tools.tools.base import ToolContext
from map_tools.types import ID_PREFIX
from map_tools.wire.meter import metered
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, Status
from mapagent.core.ports import RequestContext, ToolCall, Watcher
from mapagent.core.question import Question
from mapagent.core.runstate import ToolBox
from mapagent.interfaces.conversations import Conversations
from mapagent.interfaces.pictures import picture_file
from mapagent.runtime.ledger import Ledger
from mapagent.runtime.trace import Trace

FOLDER = "sql"
"""Where, below the data home, embedded databases of maps are kept (the same for every user of one)."""


class MapDatabase:
    """Opens the database once for all calls.

    Args:
        data_home: Below it databases are kept.
    """

    def __init__(self, data_home: Path) -> None:
        self._folder = data_home / FOLDER
        self._opening: asyncio.Task[SpatialDatabase] | None = None

    async def open(self, provider: Provider) -> SpatialDatabase:
        """The database; built if there is none yet, which takes a while for a large map.

        Raises:
            UnsupportedError: The provider has no map of its own.
            ConfigError: DuckDB or its spatial extension is missing.
        """
        if self._opening is None or (self._opening.done() and self._opening.exception()):
            self._opening = asyncio.create_task(asyncio.to_thread(self._open, provider))
        # A caller that gives up does not stop the building: others wait for it, and the next call needs it.
        return await asyncio.shield(self._opening)

    def _open(self, provider: Provider) -> SpatialDatabase:
        from map_tools.spatial_db.duckdb_db import open_kept

        if not isinstance(provider, HasBuild):
            raise UnsupportedError(
                f"The provider '{provider.name}' has no map of its own to query.",
                "Start the server with --provider osm and a map.",
            )
        return open_kept(provider.build, self._folder)

    async def close(self) -> None:
        """Stops what runs and closes the database, if it was opened."""
        if self._opening is None:
            return
        await asyncio.wait({self._opening})
        if not self._opening.exception():
            self._opening.result().close()


@dataclass(frozen=True)
class Workbench:
    """Shared by all calls of a server, which may run at the same time; each has a watcher of its own.

    Attributes:
        agent: Answers questions, runs programs and holds the provider.
        slots: For so many calls at once.
        database: The map's features in SQL.
        images: The folder whose pictures may be read; None: none.
        watcher: Is told how a question's run goes.
        conversations: What was said so far, by id.
    """

    agent: MapAgent
    slots: asyncio.Semaphore
    database: MapDatabase
    images: Path | None = None
    watcher: Watcher = field(default_factory=Watcher)
    conversations: Conversations = field(default_factory=Conversations)

    @classmethod
    def of(cls, agent: MapAgent, *, images: Path | None = None) -> Self:
        """The workbench around an agent, which is closed with it."""
        settings = agent.settings
        return cls(agent, asyncio.Semaphore(settings.concurrency), MapDatabase(settings.data_home), images)

    def watched(self, watcher: Watcher) -> Self:
        """The same workbench for one call."""
        return replace(self, watcher=watcher)

    @property
    def provider(self) -> Provider:
        """The map provider, opened on first use.

        Raises:
            UsageError: What it needs (a map, a key) is missing.
        """
        return self.agent.open_provider()

    async def ask(self, question: Question, *, use_map: bool | None = None) -> Answer:
        """The agent's answer to a question; see `MapAgent.ask`."""
        async with self.slots:
            return await self.agent.ask(
                question, use_provider=use_map, request_context=self._request_context()
            )

    async def query(
        self, program: str, question: Question | None = None, *, use_map: bool | None = None
    ) -> Answer:
        """What a program comes to; see `MapAgent.query`."""
        async with self.slots:
            return await self.agent.query(
                program, question=question, use_provider=use_map, request_context=self._request_context()
            )

    async def look_up(self, *lines: str, question: Question | None = None) -> Answer:
        """What a program of a tool's own comes to: an answer, or the candidates of an ambiguous name.

        Raises:
            UsageError: An argument that stands in it is wrong; the line of a program nobody sees is not told.
            ToolError: There is no answer; the message says why.
        """
        try:
            found = sound(await self.query("\n".join(lines), question))
        except ProgramError as error:
            raise UsageError(error.problem, error.remedy) from error
        if found.status is not Status.ANSWERED and not found.candidates:
            raise ToolError(found.reason or "The map does not tell.")
        return found

    async def compute(self, *lines: str, question: Question | None = None) -> Answer:
        """The same, for tools that can do nothing with a name that is ambiguous.

        Raises:
            UsageError: As `look_up`.
            ToolError: As `look_up`, or a name is ambiguous; the message lists its candidates with their ids.
        """
        found = await self.look_up(*lines, question=question)
        if found.candidates:
            raise ToolError(f"{candidate_line(found)}.", "Call again with the id of the one meant.")
        return found

    async def call(self, tool: str, arguments: dict[str, Any]) -> tuple[Fact, ...]:
        """The facts of one map tool, within the limits of one question.

        Raises:
            LimitError: The deadline passed.
        """
        box = ToolBox(self.provider, ToolContext())
        ledger = Ledger(self.agent.settings.limits())
        async with self.slots:
            try:
                with metered(ledger, left_s=lambda: ledger.left_s):
                    async with asyncio.timeout(ledger.limits.deadline_s):
                        return await box.call(ToolCall(tool=tool, arguments=arguments))
            except TimeoutError as error:
                raise LimitError(
                    f"The deadline of {ledger.limits.deadline_s:g} s passed during {tool}.",
                    "Raise deadline_s.",
                ) from error

    def picture(self, given: str) -> AbstractContextManager[Path]:
        """The file of a picture; see `picture_file`."""
        return picture_file(given, self.images)

    async def close(self) -> None:
        """Closes the database and the agent."""
        await self.database.close()
        await self.agent.close()

    def _request_context(self) -> RequestContext:
        return RequestContext(Ledger(self.agent.settings.limits()), Trace(), self.watcher)


def sound(answer: Answer) -> Answer:
    """The answer, if the run came to one; that nothing is known is one too.

    Raises:
        ToolError: The run failed.
    """
    if answer.status is Status.ERROR:
        raise ToolError(answer.reason or "The run failed.")
    return answer


def candidate_line(answer: Answer) -> str:
    """The places that an ambiguous name may mean, numbered and each with its id."""
    told = "; ".join(
        f"{number}. {one.told}, {ID_PREFIX}{one.place.id}"
        for number, one in enumerate(answer.candidates, start=1)
    )
    return f"'{answer.candidates[0].asked}' may be any of {len(answer.candidates)} places: {told}"
