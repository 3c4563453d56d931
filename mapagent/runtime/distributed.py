"""Runs many questions at once within a budget, in this process or over the workers of a Ray cluster.

A worker is an actor (https://docs.ray.io/en/latest/ray-core/actors.html): an object in a process of its own, on this
machine or another one, which opens its own map and model and has a few seats, each for one question at a time. One
that dies is restarted; its question returns to the driver, which knows whether there is money to ask it again
(`Budget.ask`). Maps, data and code must lie at the same paths on every machine.
"""

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from itertools import cycle, islice
from typing import Any, Protocol

from map_tools.errors import (
    ConfigError,
    Disposition,
    LimitError,
    MapAgentError,
    MapStoreError,
    ModelError,
    UnknownNameError,
    UsageError,
    WorkerLostError,
)
from mapagent.runtime.config import Settings
from mapagent.runtime.ledger import Ledger, Limits
from mapagent.runtime.opening import OFFLINE

ONLINE_SEATS = 4
"""Simultaneous questions in a process that waits for a model server or a map service."""


def seats_of(settings: Settings, wanted: int | None) -> int:
    """Number of simultaneous questions in this process: as wanted; by default one if there is nothing to wait for."""
    return wanted or (1 if settings.model == OFFLINE else ONLINE_SEATS)


async def work_through[T](items: Iterable[T], seats: int, work: Callable[[T], Awaitable[None]]) -> None:
    """Works on all items, at most `seats` at once; an item is taken only when a seat is free.

    Raises:
        Exception: The first error of `work`, or of the items; what was under way is cancelled.
    """
    waiting = iter(items)

    async def seat() -> None:
        for item in waiting:
            await work(item)

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(seats):
                group.create_task(seat())
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from None


def stops_the_run(error: MapAgentError) -> bool:
    """Whether an error (wrong settings, a damaged map, a lost server) ends the run, which can then be resumed."""
    lost = isinstance(error, ModelError) and error.disposition is Disposition.STOP
    return lost or isinstance(error, ConfigError | UnknownNameError | MapStoreError)


ATTEMPTS = 3
"""A question that has lost this many workers is not sent to another one."""
LEAST_PART = 0.5
"""If less than this share of an equal part is free, a question waits for others to return unspent money."""


class Charged(Protocol):
    """The outcome of a question, as far as money is concerned."""

    @property
    def cost_usd(self) -> float:
        """What it cost."""
        ...

    @property
    def cut_short(self) -> bool:
        """Whether the run's budget ended it, and no limit of its own, so that it has to be asked again."""
        ...


@dataclass(slots=True)
class Budget:
    """The budget of a run: a hard limit, however many questions are asked at once and wherever.

    What a question may spend is reserved while it is under way: no two are given the same money.

    Attributes:
        max_usd: For the whole run, including what earlier sittings spent; None for no limit.
        seats: Questions under way at once; each is given an equal part of what is left.
        spent_usd: Spent by finished questions, and the most that questions lost with their worker may have spent.
        remedy: What the error says when the budget is spent.
    """

    max_usd: float | None
    seats: int
    spent_usd: float = 0.0
    remedy: str = "Raise --max-usd."
    _held_usd: float = field(default=0.0, init=False)
    _asking: int = field(default=0, init=False)
    _ended: asyncio.Event = field(default_factory=asyncio.Event, init=False)

    @property
    def spent(self) -> bool:
        """True if nothing is left; what costs nothing can always go on."""
        return self.max_usd is not None and self.spent_usd > 0 and self.spent_usd >= self.max_usd

    def limits(self, own: Limits) -> Limits:
        """The limits of the next question: its own, with its part of the unreserved money."""
        if self.max_usd is None:
            return own
        part = self._free_usd(self.max_usd) / max(1, self.seats - self._asking)
        return replace(own, max_usd=part if own.max_usd is None else min(part, own.max_usd))

    async def ask[T: Charged](self, own: Limits, ask: Callable[[Limits], Awaitable[T]]) -> T:
        """Asks a question within what is left, and again if its worker is lost.

        Args:
            own: The question's own limits.
            ask: Asks it within the limits it is given.

        Raises:
            LimitError: The budget is spent.
            WorkerLostError: One worker after the other was lost with this question.
        """
        lost = 0
        while True:
            try:
                asked = await self._asked_once(own, ask)
            except WorkerLostError:
                lost += 1
                if lost == ATTEMPTS:
                    raise
                continue
            if asked.cut_short:
                raise self._exhausted()
            return asked

    async def _asked_once[T: Charged](self, own: Limits, ask: Callable[[Limits], Awaitable[T]]) -> T:
        """One attempt, with the money that is held back for it."""
        while not self._has_a_part():
            self._ended.clear()
            await self._ended.wait()
        if self.spent:
            raise self._exhausted()
        limits = self.limits(own)
        # What a lost worker has spent is unknown: all that it was allowed to spend counts.
        held_usd = spent_usd = limits.max_usd or 0.0
        self._held_usd += held_usd
        self._asking += 1
        try:
            asked = await ask(limits)
            spent_usd = asked.cost_usd
            return asked
        finally:
            self._held_usd -= held_usd
            self._asking -= 1
            self.spent_usd += spent_usd
            self._ended.set()

    def _has_a_part(self) -> bool:
        """True if enough is free for a question, or no question is under way that could return some."""
        if self.max_usd is None or not self._asking:
            return True
        return self._free_usd(self.max_usd) >= LEAST_PART * (self.max_usd - self.spent_usd) / self.seats

    def _free_usd(self, max_usd: float) -> float:
        return max(0.0, max_usd - self.spent_usd - self._held_usd)

    def _exhausted(self) -> LimitError:
        return LimitError(
            f"The run's budget of {self.max_usd or 0:.4f} USD is spent"
            f" ({self.spent_usd:.4f} USD by finished questions).",
            self.remedy,
        )


def stopped_at(ledger: Ledger, own: Limits) -> bool:
    """True if the limit that a question ended at was the run's budget and none of its own."""
    if ledger.limits.max_usd == own.max_usd:
        return False
    return ledger.tool_calls < own.max_tool_calls and ledger.left_s > 0


HERE = "127.0.0.1"
"""Address that a local cluster listens at."""
SEATS_EACH = 2
"""Default number of simultaneous questions per worker: one is sent while another is worked on."""
REVIVE_S = 120.0
"""Longest wait for a worker that died; one that is not back by then has nowhere to run."""
STORE_BYTES = 100_000_000
"""Shared memory of a local cluster; Ray would take a third of the machine, and questions are small."""


class Worker(Protocol):
    """Asks questions in a process of its own. It is made there, so its arguments must be picklable."""

    async def ask(self, *arguments: Any) -> Any:
        """Asks one question."""
        ...

    async def close(self) -> None:
        """Closes what the worker has opened."""
        ...


class RayPool:
    """A pool of workers; one with a free seat gets the next question.

    Args:
        actors: The workers.
        seats: Simultaneous questions of all of them together.
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
        """Asks one question on any worker.

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
    """Workers on the cluster that `RAY_ADDRESS` names, else on a local cluster started for them.

    Args:
        worker: Class of the workers.
        arguments: Returns the arguments of a worker, given its share of the settings.
        settings: Those of the run.
        seats: Simultaneous questions of all workers; None: `SEATS_EACH` for each worker.

    Raises:
        ConfigError: Ray is not installed, or the cluster cannot be reached.
        UsageError: The settings name a recording, which only one process can write or play.
    """
    if settings.record is not None or settings.replay is not None:
        raise UsageError("Only one process can write or play a recording.", "Use --executor local with it.")
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
    """The number of workers: one for each processor, but none that would have nothing to do.

    With a model server there are at most `model_concurrency` of them: a worker without a model call of its
    own could ask nothing.
    """
    most = processors if settings.model == OFFLINE else min(processors, settings.model_concurrency)
    return most if seats is None else min(most, seats)


def share_of(settings: Settings, workers: int, machines: int) -> Settings:
    """One worker's settings: its share of the services' rates and of the simultaneous model calls.

    Args:
        settings: Those of the run.
        workers: Number of workers, at most that of `workers_for`.
        machines: Number of machines they may run on.
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
    """Ray, connected; usage reports are off, and a local cluster is not visible from outside."""
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
