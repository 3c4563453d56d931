"""Asks the questions of a run by workers of a Ray cluster (`mapagent.spread.ray_pool`).

The driver keeps what there is one of: the folder of results, the money, the order. A worker has the same
suite, method and settings; it opens its own map and model, is sent an item's id and the limits of the
question, and sends the record and the trace back. So results are those of one process.
"""

import asyncio
from argparse import Namespace
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from evals.ports import Item
from evals.runner.asking import Asked, LocalAsker
from evals.runner.desk import opened_desk
from evals.runner.evaluation import Evaluation, read_evaluation
from mapagent.config import Settings
from mapagent.ledger import Limits
from mapagent.spread.ray_pool import RayPool, ray_pool


class Worker:
    """Asks questions in a process of its own; suite, map and model are opened by the first one.

    Args:
        given: The command line.
        settings: What the driver's settings are, its workers' share of what is shared among them.
        method: Name of the method among those of the command line.
    """

    def __init__(self, given: Namespace, settings: Settings, method: str) -> None:
        self._given = given
        self._settings = settings
        self._method = method
        self._held = AsyncExitStack()
        self._opening = asyncio.Lock()
        self._opened: tuple[LocalAsker, dict[str, Item]] | None = None

    async def ask(self, item_id: str, limits: Limits) -> Asked:
        """Asks one question; errors that stop the run are raised."""
        async with self._opening:
            asker, items = self._opened = self._opened or await self._open()
        return await asker.ask(items[item_id], limits)

    async def close(self) -> None:
        """Closes map and model."""
        await self._held.aclose()

    async def _open(self) -> tuple[LocalAsker, dict[str, Item]]:
        evaluation = read_evaluation(self._given, self._settings)
        items = evaluation.items()
        method = next(one for one in evaluation.methods if one.name == self._method)
        desk = await self._held.enter_async_context(opened_desk(evaluation, items))
        return LocalAsker(evaluation.suite, method, desk), {item.id: item for item in items}


@dataclass(frozen=True, slots=True)
class RayAsker:
    """Asks by the workers of a cluster."""

    pool: RayPool

    async def ask(self, item: Item, limits: Limits) -> Asked:
        """Asks one question somewhere."""
        asked: Asked = await self.pool.ask(item.id, limits)
        return asked


@asynccontextmanager
async def ray_workers(evaluation: Evaluation, method: str) -> AsyncIterator[RayPool]:
    """Workers for a run.

    Args:
        evaluation: What they work on; `--concurrency` says how many questions are under way at once.
        method: Name of the method.

    Raises:
        ConfigError: Ray is not installed.
        UsageError: A recording is asked for.
    """
    given = evaluation.given

    def arguments(share: Settings) -> tuple[Namespace, Settings, str]:
        return given, share, method

    async with ray_pool(Worker, arguments, evaluation.settings, given.concurrency) as pool:
        yield pool
