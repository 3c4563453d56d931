"""Runs one method over the items of a suite: each answer is judged, written and forgotten."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evals.ports import Item
from evals.runner.asking import Asker
from evals.runner.budget import Budget
from evals.runner.folder import RunFolder
from evals.runner.progress import Progress
from map_tools.errors import LimitError
from mapagent.ledger import Limits


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
        asked = await job.asker.ask(item, job.budget.limits(job.limits))
        if asked.cut_short:
            raise _budget_spent(job.budget)
        if asked.trace:
            folder.write_trace(item.id, asked.trace)
        job.budget.spent_usd += asked.record.cost_usd
        folder.append(asked.record)
        progress.add(asked.record)


def _budget_spent(budget: Budget) -> LimitError:
    return LimitError(
        f"The run's budget of {budget.max_usd:.4f} USD is spent"
        f" ({budget.spent_usd:.4f} USD by finished questions).",
        "Raise --max-usd and continue with --resume.",
    )
