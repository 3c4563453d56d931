"""Many questions at once: seats and money of a run, in this process or over the workers of a Ray cluster.

A worker is an actor (https://docs.ray.io/en/latest/ray-core/actors.html): an object in a process of its own, on this
machine or another one, which opens its own map and model and has a few seats. One that dies is started anew; its
question goes back to the driver, which knows whether there is money to ask it again (`Budget.ask`). Maps, data and
code must lie at the same paths on every machine.
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
"""Questions at once where a model server or a map service is waited for."""


def seats_of(settings: Settings, wanted: int | None) -> int:
    """Questions at once in this process: as wanted, else one by one if nothing has to be waited for."""
    return wanted or (1 if settings.model == OFFLINE else ONLINE_SEATS)


async def work_through[T](items: Iterable[T], seats: int, work: Callable[[T], Awaitable[None]]) -> None:
    """Works on all items, `seats` of them at once; an item is taken only when a seat is free for it.

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
    """Wrong settings, a damaged map and a lost server are no answers: the run stops and can be resumed."""
    lost = isinstance(error, ModelError) and error.disposition is Disposition.STOP
    return lost or isinstance(error, ConfigError | UnknownNameError | MapStoreError)


ATTEMPTS = 3
"""A question that takes its worker with it so often is not sent to another one."""
LEAST_PART = 0.5
"""Where less of an equal part is free, a question waits for others to give back what they did not need."""


class Charged(Protocol):
    """What became of a question, as far as money goes."""

    @property
    def cost_usd(self) -> float:
        """What it cost."""
        ...

    @property
    def cut_short(self) -> bool:
        """It ended at the run's money and at no limit of its own, so it has to be asked again."""
        ...


@dataclass(slots=True)
class Budget:
    """Money of a run: hard, however many questions are asked at once and wherever.

    What a question may spend is held back while it is under way: no two are given the same money.

    Attributes:
        max_usd: For the whole run with what earlier sittings spent; None for no limit.
        seats: Questions under way at once; each is given an equal part of what is left.
        spent_usd: By questions that have ended, and at most by those that were lost with their worker.
        remedy: How to go on with more money.
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
        """The limits of the next question: its own, with its part of the money that nobody else is given."""
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
        # Nobody knows what a lost worker has spent: all that it was allowed to counts.
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
        """True if enough is free for a question, or nobody is under way who could give something back."""
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
    """True if a question that ended at a limit ended at the run's money and at no limit of its own."""
    if ledger.limits.max_usd == own.max_usd:
        return False
    return ledger.tool_calls < own.max_tool_calls and ledger.left_s > 0


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
