"""What the tools of the server work with: one agent and its provider, the map's database, limits."""

import asyncio
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from map_tools.errors import LimitError, ToolError
from map_tools.facts import Fact, FailureFact
from map_tools.providers.base import Provider
from map_tools.tools.base import ToolContext
from map_tools.wire.meter import metered
from mapagent.agent import MapAgent
from mapagent.answer import Answer
from mapagent.evidence import Evidence, Source
from mapagent.faces.mcp.database import MapDatabase
from mapagent.faces.mcp.pictures import picture_file
from mapagent.ledger import Ledger
from mapagent.notices import travel_notices
from mapagent.plan import Plan
from mapagent.ports import Account, ToolCall, Watcher
from mapagent.question import Question
from mapagent.toolbox import ToolBox
from mapagent.trace import Trace


@dataclass(frozen=True)
class Workbench:
    """Shared by all calls of a server, which may run at the same time; each has a watcher of its own.

    Attributes:
        agent: Answers questions and holds the provider.
        slots: For so many calls at once.
        database: The map's features in SQL.
        images: The folder whose pictures may be read; None: none.
        watcher: Is told how a question's run goes.
    """

    agent: MapAgent
    slots: asyncio.Semaphore
    database: MapDatabase
    images: Path | None = None
    watcher: Watcher = field(default_factory=Watcher)

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

    async def ask(
        self, question: Question, plan: Plan | None = None, *, use_map: bool | None = None
    ) -> Answer:
        """The agent's answer; see `MapAgent.ask`."""
        async with self.slots:
            account = Account(Ledger(self.agent.settings.limits()), Trace(), self.watcher)
            return await self.agent.ask(question, plan=plan, use_provider=use_map, account=account)

    async def call(self, tool: str, arguments: dict[str, Any]) -> tuple[Fact, ...]:
        """The facts of one map tool, within the limits of one question.

        Raises:
            LimitError: The deadline passed.
        """
        box = ToolBox(self.provider, ToolContext())
        limits = self.agent.settings.limits()
        async with self.slots:
            ledger = Ledger(limits)
            try:
                with metered(ledger, left_s=lambda: ledger.left_s):
                    async with asyncio.timeout(limits.deadline_s):
                        return await box.call(ToolCall(tool=tool, arguments=arguments))
            except TimeoutError as error:
                raise LimitError(
                    f"The deadline of {limits.deadline_s:g} s passed during {tool}.", "Raise deadline_s."
                ) from error

    def notices(self, facts: tuple[Fact, ...]) -> tuple[str, ...]:
        """What must be shown with these facts by the terms of their source."""
        source = Source(tool="", provider=self.provider.name)
        evidence = (Evidence(id="", step_id="", value=fact, source=source) for fact in facts)
        return travel_notices(evidence, self.provider.terms)

    def picture(self, given: str) -> AbstractContextManager[Path]:
        """The file of a picture; see `picture_file`."""
        return picture_file(given, self.images)

    async def close(self) -> None:
        """Closes the database and the agent."""
        await self.database.close()
        await self.agent.close()


def failed(facts: tuple[Fact, ...]) -> ToolError:
    """The error of a call whose main fact is missing: what the failures among its facts say."""
    failures = [fact for fact in facts if isinstance(fact, FailureFact)]
    messages = " ".join(dict.fromkeys(fact.message for fact in failures))
    remedies = " ".join(dict.fromkeys(fact.remedy for fact in failures if fact.remedy))
    return ToolError(messages or "The map tool found nothing.", remedies)
