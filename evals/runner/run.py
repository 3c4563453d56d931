"""Runs one method over the items of a suite: each question is asked, judged, written and forgotten.

Questions are asked in this process, or by the workers of a Ray cluster (`mapagent.runtime.distributed`).

The driver keeps what there is one of: the folder of results, the money, the order. A worker has the same
suite, method and settings; it opens its own map and model, is sent an item's id and the limits of the
question, and sends the record and the trace back. So results are those of one process.
"""

import asyncio
from argparse import Namespace
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Protocol, TextIO

from evals.ports import EvalContext, HasItemMaps, Item, Method, Score, ScoresRuns, Suite
from evals.runner.evaluation import Evaluation, opened_desk, read_evaluation
from evals.runner.folder import RunFolder
from evals.runner.records import Record, record_of, trace_text
from map_tools.errors import LimitError, MapAgentError, WorkerLostError
from mapagent.core.answer import Answer, Status
from mapagent.core.ports import RequestContext
from mapagent.runtime.config import Settings
from mapagent.runtime.distributed import (
    Budget,
    RayPool,
    ray_pool,
    stopped_at,
    stops_the_run,
    work_through,
)
from mapagent.runtime.ledger import Ledger, Limits
from mapagent.runtime.trace import Trace


@dataclass(frozen=True, slots=True)
class Asked:
    """What became of a question.

    Attributes:
        record: The line for the results.
        trace: Plan, calls, evidence and answer as JSON text; empty if traces are not kept.
        cut_short: It ended at the run's money and at no limit of its own, so it has to be asked again.
    """

    record: Record
    trace: str = ""
    cut_short: bool = False

    @property
    def cost_usd(self) -> float:
        """What it cost."""
        return self.record.cost_usd


class Asker(Protocol):
    """Asks questions, here or elsewhere."""

    async def ask(self, item: Item, limits: Limits) -> Asked:
        """Asks one question within these limits.

        Raises:
            ConfigError: The method lacks what it needs.
            ModelError: The model server cannot be reached or refuses.
            WorkerLostError: The worker that was asked died.
        """
        ...


@dataclass(frozen=True, slots=True)
class LocalAsker:
    """Asks in this process.

    Attributes:
        keep_traces: Whether plan, calls, evidence and answer of each question are wanted.
    """

    suite: Suite
    method: Method
    context: EvalContext
    keep_traces: bool = True

    async def ask(self, item: Item, limits: Limits) -> Asked:
        """One question; an error of the method is its answer, unless the whole run cannot go on."""
        request_context = RequestContext(Ledger(limits), Trace())
        answer: Answer | None = None
        failure: MapAgentError | None = None
        try:
            answer = await self._answer(item, request_context)
        except MapAgentError as error:
            if stops_the_run(error):
                raise
            failure = error
        limited = isinstance(failure, LimitError) or (answer is not None and answer.status is Status.LIMIT)
        score = self._score(item, answer, request_context)
        return Asked(
            record=record_of(item, score, answer, request_context, failure),
            trace=trace_text(item, score, answer, request_context, failure) if self.keep_traces else "",
            cut_short=limited and stopped_at(request_context.ledger, self.context.settings.limits()),
        )

    def _score(self, item: Item, answer: Answer | None, request_context: RequestContext) -> Score:
        if answer is None:
            return Score(correct=False, invalid=True)
        if isinstance(self.suite, ScoresRuns):
            return self.suite.score_run(item, answer, request_context)
        return self.suite.score(item, answer)

    async def _answer(self, item: Item, request_context: RequestContext) -> Answer:
        if not isinstance(self.suite, HasItemMaps):
            return await self.method.answer(item.task, self.context, request_context)
        provider = self.suite.map_of(item)
        try:
            return await self.method.answer(
                item.task, replace(self.context, provider=provider), request_context
            )
        finally:
            await provider.close()


def not_asked(item: Item, failure: MapAgentError) -> Asked:
    """What is recorded of a question that no worker lived to answer."""
    return Asked(record_of(item, Score(correct=False, invalid=True), None, RequestContext(), failure))


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
        context = await self._held.enter_async_context(opened_desk(evaluation, items))
        return LocalAsker(evaluation.suite, method, context), {item.id: item for item in items}


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


@dataclass(frozen=True, slots=True)
class Executor:
    """Who asks, and how many questions at once.

    Attributes:
        seats: Questions under way at once; each has an equal part of the run's money.
    """

    asker: Asker
    seats: int


@asynccontextmanager
async def open_executor(
    evaluation: Evaluation, method: Method, context: EvalContext
) -> AsyncIterator[Executor]:
    """The executor that the command line names; closed at the end.

    Raises:
        ConfigError: Ray is not installed.
        UsageError: A recording is asked for with Ray.
    """
    if evaluation.given.executor == "local":
        yield Executor(LocalAsker(evaluation.suite, method, context), evaluation.concurrency)
        return

    async with ray_workers(evaluation, method.name) as pool:
        yield Executor(RayAsker(pool), pool.seats)


LOG_STEPS = 10
"""Lines of a log for a whole run."""
REFRESH_S = 0.2


@dataclass(slots=True)
class Progress:
    """Counts records and tells how far a run is.

    Attributes:
        title: What is running.
        total: Questions in all.
        stream: Where it is told; None for nowhere.
    """

    title: str
    total: int
    stream: TextIO | None
    done: int = 0
    right: int = 0
    cost_usd: float = 0.0
    _start: float = field(default_factory=monotonic)
    _told_at: float = 0.0
    _told_step: int = 0

    def start(self, earlier: Iterable[Record]) -> None:
        """Takes over what an earlier sitting finished."""
        for record in earlier:
            self._count(record)

    def add(self, record: Record) -> None:
        """One more question is finished."""
        self._count(record)
        if self.stream is None:
            return
        if self.stream.isatty():
            self._on_terminal(self.stream)
        else:
            self._in_log(self.stream)

    def line(self) -> str:
        """How far the run is."""
        share = f"{self.right / self.done:.1%}" if self.done else "–"
        return (
            f"{self.title}: {self.done}/{self.total}, right {share}, "
            f"{self.cost_usd:.4f} USD, {monotonic() - self._start:.1f} s"
        )

    def _count(self, record: Record) -> None:
        self.done += 1
        self.right += record.correct
        self.cost_usd += record.cost_usd

    def _on_terminal(self, stream: TextIO) -> None:
        now = monotonic()
        if self.done < self.total and now - self._told_at < REFRESH_S:
            return
        self._told_at = now
        stream.write(f"\r\x1b[K{self.line()}" + ("\n" if self.done == self.total else ""))
        stream.flush()

    def _in_log(self, stream: TextIO) -> None:
        step = self.done * LOG_STEPS // self.total
        if step > self._told_step:
            self._told_step = step
            stream.write(f"{self.line()}\n")
            stream.flush()


@dataclass(frozen=True, slots=True)
class Job:
    """One method over one selection of items.

    Attributes:
        asker: Who asks.
        limits: Of a question.
        budget: Of the run.
        concurrency: Questions under way at once.
    """

    asker: Asker
    items: Sequence[Item]
    limits: Limits
    budget: Budget
    concurrency: int = 4


def budget_of(max_usd: float | None, seats: int, done: Iterable[Record]) -> Budget:
    """A run's budget, of which earlier questions have spent their part."""
    spent_usd = sum(record.cost_usd for record in done)
    return Budget(max_usd, seats, spent_usd, remedy="Raise --max-usd and continue with --resume.")


async def run_job(job: Job, folder: RunFolder, progress: Progress) -> None:
    """Asks every item that has no record yet.

    Raises:
        ConfigError: The method lacks what it needs; nothing is recorded for the question.
        ModelError: The model server cannot be reached or refuses.
        LimitError: The run's budget is spent.
        OutputFileError: The folder cannot be written any more.
    """

    async def work(item: Item) -> None:
        try:
            asked = await job.budget.ask(job.limits, lambda limits: job.asker.ask(item, limits))
        except WorkerLostError as error:
            asked = not_asked(item, error)
        if asked.trace:
            folder.write_trace(item.id, asked.trace)
        folder.append(asked.record)
        progress.add(asked.record)

    progress.start(folder.done.values())
    waiting = [item for item in job.items if item.id not in folder.done]
    await work_through(waiting, job.concurrency, work)
