"""Runs one method over the items of a suite: each answer is judged, written and forgotten."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evals.ports import Item
from evals.runner.asking import Asker, not_asked
from evals.runner.folder import RunFolder
from evals.runner.progress import Progress
from evals.runner.records import Record
from map_tools.errors import WorkerLostError
from mapagent.ledger import Limits
from mapagent.spread.budget import Budget
from mapagent.spread.seats import work_through


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
