"""Workers on a Ray cluster (https://docs.ray.io/en/latest/ray-core/actors.html), each with a few seats.

A worker is an actor: an object in a process of its own, on this machine or another one, which opens its own
map and model. One that dies is started anew; its question goes back to the driver, which knows whether there
is money to ask it again (`Budget.ask`). Maps, data and code must lie at the same paths on every machine.
"""

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from itertools import cycle, islice
from typing import Any, Protocol

from map_tools.errors import ConfigError, MapAgentError, UsageError, WorkerLostError
from mapagent.runtime.config import Settings
from mapagent.runtime.distributed.seats import OFFLINE

HERE = "127.0.0.1"
"""Where a cluster of one's own listens."""
SEATS_EACH = 2
"""Questions at once for each worker unless told otherwise: one is sent while another is worked on."""
REVIVE_S = 120.0
"""A worker that is not back by then has nowhere to run."""
STORE_BYTES = 100_000_000
"""Shared memory of a cluster of one's own; Ray would take a third of the machine, and questions are small."""


class Worker(Protocol):
    """What asks questions in a process of its own. It is made there, so its arguments must be picklable."""

    async def ask(self, *arguments: Any) -> Any:
        """Asks one question."""
        ...

    async def close(self) -> None:
        """Closes what the worker has opened."""
        ...


class RayPool:
    """A number of workers; whoever has a free seat gets the next question.

    Args:
        actors: The workers.
        seats: Questions at once for all of them together.
        revive_s: Longest wait for a worker that died.
    """

    def __init__(self, actors: list[Any], seats: int, *, revive_s: float = REVIVE_S) -> None:
        self._actors = actors
        self._revive_s = revive_s
        self.seats = seats
        self._free: asyncio.Queue[Any] = asyncio.Queue()
        for actor in islice(cycle(actors), seats):
            self._free.put_nowait(actor)

    async def ask(self, *arguments: Any) -> Any:
        """Asks one question somewhere.

        Raises:
            WorkerLostError: The worker died with it; another one may answer it.
            MapAgentError: The worker raised it, or it died and did not come back.
        """
        from ray.exceptions import OutOfMemoryError, RayActorError, RayTaskError

        actor = await self._free.get()
        try:
            return await actor.ask.remote(*arguments)
        except RayTaskError as error:
            raise error.cause from None
        except (RayActorError, OutOfMemoryError):
            await self._revived(actor)
            raise WorkerLostError(
                "The worker that was asked died.", "Look for too little memory or a crash in its logs."
            ) from None
        finally:
            self._free.put_nowait(actor)

    async def close(self) -> None:
        """Lets the workers close their maps; one that has just died has nothing to close."""
        from ray.exceptions import RayActorError

        closing = (actor.close.remote() for actor in self._actors)
        for closed in await asyncio.gather(*closing, return_exceptions=True):
            if isinstance(closed, BaseException) and not isinstance(closed, RayActorError):
                raise closed

    async def _revived(self, actor: Any) -> None:
        """Waits until a worker is back."""
        from ray.exceptions import RayActorError

        try:
            async with asyncio.timeout(self._revive_s):
                while True:
                    try:
                        await actor.__ray_ready__.remote()
                    except RayActorError:
                        await asyncio.sleep(0.1)
                    else:
                        return
        except TimeoutError:
            raise MapAgentError(
                f"A worker of the cluster died and was not back after {self._revive_s:g} s.",
                "Look at the cluster with `ray status`, and run the same command again.",
            ) from None


@asynccontextmanager
async def ray_pool(
    worker: type[Worker],
    arguments: Callable[[Settings], tuple[Any, ...]],
    settings: Settings,
    seats: int | None,
) -> AsyncIterator[RayPool]:
    """Workers on the cluster that `RAY_ADDRESS` names, else on one of this machine's own.

    Args:
        worker: Class of the workers.
        arguments: What one is made with, given its share of the settings.
        settings: Of the run.
        seats: Questions at once over all workers; None: `SEATS_EACH` for each worker.

    Raises:
        ConfigError: Ray is not installed, or the cluster cannot be reached.
        UsageError: The settings name a recording, which only one process can write or play.
    """
    if settings.record is not None or settings.replay is not None:
        raise UsageError("A recording is written and played by one process.", "Use --executor local with it.")
    with _cluster() as ray:
        processors = max(1, int(ray.cluster_resources().get("CPU", 1)))
        machines = sum(node["Alive"] for node in ray.nodes())
        count = workers_for(settings, processors, seats)
        # A question is sent again only by `Budget.ask`: Ray itself would do so without counting its money.
        actor = ray.remote(worker).options(max_restarts=-1, max_task_retries=0)
        made = arguments(share_of(settings, count, machines))
        pool = RayPool([actor.remote(*made) for _ in range(count)], seats or SEATS_EACH * count)
        yield pool
        await pool.close()


def workers_for(settings: Settings, processors: int, seats: int | None) -> int:
    """How many workers there are: one for each processor, but none that would have nothing to do.

    With a model server there are no more than calls it is to have at once (`model_concurrency`): a worker
    without a call of its own could ask nothing.
    """
    most = processors if settings.model == OFFLINE else min(processors, settings.model_concurrency)
    return most if seats is None else min(most, seats)


def share_of(settings: Settings, workers: int, machines: int) -> Settings:
    """One worker's settings: the rates of services and the model server's calls at once are divided.

    Args:
        settings: Of the run.
        workers: How many there are, no more than `workers_for` says.
        machines: On how many machines they can be.
    """
    rate = settings.model_requests_per_s
    return settings.model_copy(
        update={
            "model_requests_per_s": None if rate is None else rate / workers,
            "model_concurrency": max(1, settings.model_concurrency // workers),
            "processes": settings.processes * workers,
            "machines": settings.machines * machines,
        }
    )


@contextmanager
def _cluster() -> Iterator[Any]:
    """Ray, connected; nothing is reported to anybody, and a cluster of our own is not seen from outside."""
    try:
        import ray
    except ImportError as error:
        raise ConfigError("--executor ray needs Ray.", "pip install 'mapagent[ray]'") from error
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    own: dict[str, Any] = {
        "include_dashboard": False,
        "_node_ip_address": HERE,
        "object_store_memory": STORE_BYTES,
    }
    address = os.environ.get("RAY_ADDRESS")
    try:
        try:
            ray.init(log_to_driver=False, logging_level=logging.ERROR, **({} if address else own))
        except ConnectionError as error:
            raise ConfigError(f"There is no Ray cluster at '{address}'.", "Check RAY_ADDRESS.") from error
        yield ray
    finally:
        ray.shutdown()
