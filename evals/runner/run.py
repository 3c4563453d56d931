"""Runs one method over the items of a suite: each answer is judged, written and forgotten."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from evals.ports import Desk, HasItemMaps, Item, Method, Score, Suite
from evals.runner.budget import Budget
from evals.runner.folder import RunFolder
from evals.runner.progress import Progress
from evals.runner.records import Record, record_of
from evals.runner.traces import trace_text
from map_tools.errors import ConfigError, Disposition, LimitError, MapAgentError, ModelError, UnknownNameError
from mapagent.answer import Answer, Status
from mapagent.ledger import Ledger
from mapagent.ports import Account
from mapagent.trace import Trace


@dataclass(frozen=True, slots=True)
class Job:
    """One method over one selection of items.

    Attributes:
        concurrency: Questions under way at once.
        keep_traces: Whether plan, calls, evidence and answer of each question are kept in the run's folder.
    """

    suite: Suite
    method: Method
    items: Sequence[Item]
    desk: Desk
    budget: Budget
    concurrency: int = 4
    keep_traces: bool = True


async def run_job(job: Job, folder: RunFolder, progress: Progress) -> None:
    """Asks every item that has no record yet.

    Raises:
        ConfigError: The method lacks what it needs; nothing is recorded for the question.
        ModelError: The model server cannot be reached or refuses.
        LimitError: The run's budget is spent.
    """
    progress.start(folder.done.values())
    waiting = iter([item for item in job.items if item.id not in folder.done])
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(job.concurrency):
                group.create_task(_work(job, waiting, folder, progress))
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from None


async def _work(job: Job, waiting: Iterator[Item], folder: RunFolder, progress: Progress) -> None:
    for item in waiting:
        if job.budget.spent:
            raise _budget_spent(job.budget)
        record = await _ask(job, item, folder)
        job.budget.spent_usd += record.cost_usd
        folder.append(record)
        progress.add(record)


async def _ask(job: Job, item: Item, folder: RunFolder) -> Record:
    """One question; an error of the method is its answer, unless the whole run cannot go on."""
    own = job.desk.settings.limits()
    account = Account(Ledger(job.budget.limits(own)), Trace())
    answer: Answer | None = None
    failure: MapAgentError | None = None
    try:
        answer = await _answer(job, item, account)
    except MapAgentError as error:
        if _stops_the_run(error):
            raise
        failure = error
    limited = isinstance(failure, LimitError) or (answer is not None and answer.status is Status.LIMIT)
    if limited and job.budget.stopped(account.ledger, own):
        raise _budget_spent(job.budget)
    score = job.suite.score(item, answer) if answer is not None else Score(correct=False, invalid=True)
    if job.keep_traces:
        folder.write_trace(item.id, trace_text(item, score, answer, account, failure))
    return record_of(item, score, answer, account, failure)


async def _answer(job: Job, item: Item, account: Account) -> Answer:
    if not isinstance(job.suite, HasItemMaps):
        return await job.method.answer(item.task, job.desk, account)
    provider = job.suite.map_of(item)
    try:
        return await job.method.answer(item.task, replace(job.desk, provider=provider), account)
    finally:
        await provider.close()


def _stops_the_run(error: MapAgentError) -> bool:
    """Wrong settings and a lost server are no answers: the run stops and can be resumed."""
    lost = isinstance(error, ModelError) and error.disposition is Disposition.STOP
    return lost or isinstance(error, ConfigError | UnknownNameError)


def _budget_spent(budget: Budget) -> LimitError:
    return LimitError(
        f"The run's budget of {budget.max_usd:.4f} USD is spent"
        f" ({budget.spent_usd:.4f} USD by finished questions).",
        "Raise --max-usd and continue with --resume.",
    )
