"""What the tools of the server work with: one agent and its provider, the map's database, limits."""

import asyncio
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from map_tools.errors import LimitError, ToolError, UnsupportedError
from map_tools.facts import Fact, FailureFact
from map_tools.providers.base import HasBuild, Provider
from map_tools.spatial_db.port import SpatialDatabase
from map_tools.tools.base import ToolContext
from map_tools.wire.meter import metered
from mapagent.agent import MapAgent
from mapagent.answer import Answer
from mapagent.evidence import Evidence, Source
from mapagent.faces.mcp.pictures import picture_file
from mapagent.ledger import Ledger
from mapagent.notices import travel_notices
from mapagent.plan import Plan
from mapagent.ports import ToolCall
from mapagent.question import Question
from mapagent.toolbox import ToolBox

SQL_FOLDER = "sql"
"""Where, below the data home, embedded databases of maps are kept (the same for every user of one)."""


class Workbench:
    """Shared by all calls of a server; they may run at the same time.

    Args:
        agent: Answers questions and holds the provider; closed with the workbench.
        images: The folder whose pictures may be read; None: none.
    """

    def __init__(self, agent: MapAgent, *, images: Path | None = None) -> None:
        self._agent = agent
        self._images = images
        self._slots = asyncio.Semaphore(agent.settings.concurrency)
        self._database: asyncio.Task[SpatialDatabase] | None = None

    @property
    def provider(self) -> Provider:
        """The map provider, opened on first use.

        Raises:
            UsageError: What it needs (a map, a key) is missing.
        """
        return self._agent.open_provider()

    async def ask(
        self, question: Question, plan: Plan | None = None, *, use_map: bool | None = None
    ) -> Answer:
        """The agent's answer; see `MapAgent.ask`."""
        async with self._slots:
            return await self._agent.ask(question, plan=plan, use_provider=use_map)

    async def call(self, tool: str, arguments: dict[str, Any]) -> tuple[Fact, ...]:
        """The facts of one map tool, within the limits of one question.

        Raises:
            LimitError: The deadline passed.
        """
        ledger = Ledger(self._agent.settings.limits())
        box = ToolBox(self.provider, ToolContext())
        try:
            async with self._slots, asyncio.timeout(ledger.limits.deadline_s):
                with metered(ledger, left_s=lambda: ledger.left_s):
                    return await box.call(ToolCall(tool=tool, arguments=arguments))
        except TimeoutError as error:
            raise LimitError(
                f"The deadline of {ledger.limits.deadline_s:g} s passed during {tool}.", "Raise deadline_s."
            ) from error

    def notices(self, facts: tuple[Fact, ...]) -> tuple[str, ...]:
        """What must be shown with these facts by the terms of their source."""
        source = Source(tool="", provider=self.provider.name)
        evidence = (Evidence(id="", step_id="", value=fact, source=source) for fact in facts)
        return travel_notices(evidence, self.provider.terms)

    def picture(self, given: str) -> AbstractContextManager[Path]:
        """The file of a picture; see `picture_file`."""
        return picture_file(given, self._images)

    async def database(self) -> SpatialDatabase:
        """The spatial database of the map; built on first use, which takes a while for a large map.

        Raises:
            UnsupportedError: The provider has no map of its own.
            ConfigError: DuckDB or its spatial extension is missing.
        """
        if self._database is None or (self._database.done() and self._database.exception()):
            self._database = asyncio.create_task(asyncio.to_thread(self._open_database, self.provider))
        # A caller that gives up does not stop the building: others wait for it, and the next call needs it.
        return await asyncio.shield(self._database)

    def _open_database(self, provider: Provider) -> SpatialDatabase:
        from map_tools.spatial_db.kept import open_kept

        if not isinstance(provider, HasBuild):
            raise UnsupportedError(
                f"The provider '{provider.name}' has no map of its own to query.",
                "Start the server with --provider osm and a map.",
            )
        return open_kept(provider.build, self._agent.settings.data_home / SQL_FOLDER)

    async def close(self) -> None:
        """Closes the database and the agent."""
        if self._database is not None:
            done, _ = await asyncio.wait({self._database})
            for task in done:
                if not task.exception():
                    task.result().close()
        await self._agent.close()


def failed(facts: tuple[Fact, ...]) -> ToolError:
    """The error of a call whose main fact is missing: what the failures among its facts say."""
    failures = [fact for fact in facts if isinstance(fact, FailureFact)]
    messages = " ".join(dict.fromkeys(fact.message for fact in failures))
    remedies = " ".join(dict.fromkeys(fact.remedy for fact in failures if fact.remedy))
    return ToolError(messages or "The map tool found nothing.", remedies)
