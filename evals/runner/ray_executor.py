"""Asks the questions of a run by workers of a Ray cluster (https://docs.ray.io/en/latest/ray-core/actors.html).

The driver keeps what there is one of: the folder of results, the money, the order. A worker is an actor with
the same suite, method and settings; it opens its own map and model, is sent an item's id and the limits of
the question, and sends the record and the trace back. A worker that dies is started anew and its question
asked again, so results are those of one process. Maps, data and code must lie at the same paths on every
machine.
"""

import asyncio
import logging
import os
from argparse import Namespace
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from evals.ports import Desk, Item
from evals.runner.asking import Asked, LocalAsker
from evals.runner.desk import opened_desk
from evals.runner.evaluation import Evaluation, read_evaluation
from map_tools.errors import ConfigError
from mapagent.config import Settings
from mapagent.ledger import Limits

HERE = "127.0.0.1"
"""Where a cluster of one's own listens."""


class Worker:
    """Asks questions in a process of its own; all arguments can be sent to another machine.

    Args:
        given: The command line.
        settings: What the driver's settings are, its workers' share of what is shared among them.
        method: Name of the method among those of the command line.
    """

    def __init__(self, given: Namespace, settings: Settings, method: str) -> None:
        self._evaluation = read_evaluation(given, settings)
        self._items = {item.id: item for item in self._evaluation.items()}
        self._method = next(one for one in self._evaluation.methods if one.name == method)
        self._held = AsyncExitStack()
        self._opening = asyncio.Lock()
        self._desk: Desk | None = None

    async def ask(self, item_id: str, limits: Limits) -> Asked:
        """Asks one question; errors that stop the run are raised."""
        asker = LocalAsker(self._evaluation.suite, self._method, await self._opened())
        return await asker.ask(self._items[item_id], limits)

    async def close(self) -> None:
        """Closes map and model."""
        await self._held.aclose()

    async def _opened(self) -> Desk:
        async with self._opening:
            if self._desk is None:
                items = tuple(self._items.values())
                self._desk = await self._held.enter_async_context(opened_desk(self._evaluation, items))
        return self._desk


class RayWorkers:
    """A number of workers, each with so many seats; whoever has a free seat gets the next question.

    Args:
        actors: The workers.
        seats_each: Questions at once for each.
    """

    def __init__(self, actors: list[Any], seats_each: int) -> None:
        self._actors = actors
        self.seats = len(actors) * seats_each
        self._free: asyncio.Queue[Any] = asyncio.Queue()
        for _ in range(seats_each):
            for actor in actors:
                self._free.put_nowait(actor)

    async def ask(self, item: Item, limits: Limits) -> Asked:
        """Asks one question somewhere.

        Raises:
            ConfigError: The method lacks what it needs.
            ModelError: The model server cannot be reached or refuses.
        """
        from ray.exceptions import RayTaskError

        actor = await self._free.get()
        try:
            asked: Asked = await actor.ask.remote(item.id, limits)
        except RayTaskError as error:
            raise error.cause from None
        finally:
            self._free.put_nowait(actor)
        return asked

    async def close(self) -> None:
        """Lets the workers close their maps."""
        await asyncio.gather(*(actor.close.remote() for actor in self._actors))


@asynccontextmanager
async def ray_workers(evaluation: Evaluation, method: str) -> AsyncIterator[RayWorkers]:
    """Workers for a run: on the cluster that `RAY_ADDRESS` names, else on one of this machine's own.

    Args:
        evaluation: What they work on; `--concurrency` says how many questions are under way at once, else one
            for each processor.
        method: Name of the method.

    Raises:
        ConfigError: Ray is not installed.
    """
    ray = _started()
    try:
        processors = max(1, int(ray.cluster_resources().get("CPU", 1)))
        seats = int(evaluation.given.concurrency or processors)
        count = min(seats, processors)
        settings = share_of(evaluation.settings, count)
        actor = ray.remote(Worker).options(max_restarts=-1, max_task_retries=-1)
        workers = RayWorkers(
            [actor.remote(evaluation.given, settings, method) for _ in range(count)], -(-seats // count)
        )
        yield workers
        await workers.close()
    finally:
        ray.shutdown()


def share_of(settings: Settings, workers: int) -> Settings:
    """One worker's settings: rate and seats at the model server are divided among all."""
    rate = settings.model_requests_per_s
    return settings.model_copy(
        update={
            "model_requests_per_s": None if rate is None else rate / workers,
            "model_concurrency": max(1, settings.model_concurrency // workers),
        }
    )


def _started() -> Any:
    """Ray, connected; nothing is reported to anybody, and a cluster of our own is not seen from outside."""
    try:
        import ray
    except ImportError as error:
        raise ConfigError("--executor ray needs Ray.", "pip install 'mapagent[ray]'") from error
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    own: dict[str, Any] = {"include_dashboard": False, "_node_ip_address": HERE}
    ray.init(
        log_to_driver=False,
        logging_level=logging.ERROR,
        **({} if "RAY_ADDRESS" in os.environ else own),
    )
    return ray
