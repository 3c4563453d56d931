"""Tells a client that wants to know which step of the plan is being carried out."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from mapagent.core.answer import Evidence, Plan, Step
from mapagent.core.ports import Watcher
from mapagent.interfaces.mcp.replies import clipped

type Report = Callable[[float, float | None, str | None], Awaitable[None]]
"""Sends how much is done, of how much (None: not known yet), and what is being done."""
type _News = tuple[float, float | None, str]


class StepWatcher(Watcher):
    """Counts the steps that have ended, and passes on what each one is for."""

    def __init__(self) -> None:
        self._news: asyncio.Queue[_News | None] = asyncio.Queue()
        self._done = 0
        self._total: int | None = None

    def planned(self, plan: Plan) -> None:
        """So many steps more are known; one call may run several programs."""
        self._total = (self._total or 0) + len(plan.steps)

    def started(self, step: Step) -> None:
        """Half a step is done with beginning it: what is told must grow (the protocol asks for that)."""
        self._news.put_nowait((self._done + 0.5, self._total, clipped(step.subgoal)))

    def finished(self, step: Step, evidence: tuple[Evidence, ...]) -> None:
        """One more step is done."""
        self._done += 1
        told = f"{step.subgoal}: {len(evidence)} pieces of evidence"
        self._news.put_nowait((self._done, self._total, clipped(told)))

    def end(self) -> None:
        """Nothing more will come."""
        self._news.put_nowait(None)

    async def send(self, report: Report) -> None:
        """Sends what comes until the end; what is not more than was told before is left out."""
        told = 0.0
        while (news := await self._news.get()) is not None:
            progress, total, message = news
            if progress > told:
                told = progress
                await report(progress, total, message)


@asynccontextmanager
async def reported(report: Report) -> AsyncIterator[Watcher]:
    """A watcher whose news are sent while the body runs, all of them before it ends well."""
    watcher = StepWatcher()
    sender = asyncio.create_task(watcher.send(report))
    try:
        yield watcher
        watcher.end()
        await sender
    finally:
        sender.cancel()
