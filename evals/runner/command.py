"""What `mapagent eval SUITE` does: opens suite, map and model, runs the methods, writes the figures."""

import asyncio
import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evals.metrics.summary import summary_of
from evals.ports import Desk, HasClose, HasItemMaps, HasNotes, Item, Method, Score, Suite
from evals.registry import load_method, load_suite
from evals.report.table import summary_table
from evals.runner.budget import Budget
from evals.runner.estimate import estimate
from evals.runner.folder import RunFolder
from evals.runner.identity import (
    RunRecord,
    code_record,
    data_digest,
    ids_digest,
    prompts_digest,
    settings_record,
)
from evals.runner.progress import Progress
from evals.runner.records import Record
from evals.runner.run import Job, run_job
from evals.runner.selection import Selection, select
from map_tools.errors import InputFileError, UsageError
from map_tools.providers.base import Provider
from mapagent.config import Settings
from mapagent.faces.cli.arguments import settings_from
from mapagent.llm.chat import ChatModel
from mapagent.providers import open_provider

OFFLINE = "offline"
DEFAULT_OUT = "eval-results"
ONLINE_CONCURRENCY = 4


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What was asked for on the command line.

    Attributes:
        settings: Without the budget, which is for the whole run (`max_usd`).
        given: The command line.
    """

    suite: Suite
    methods: tuple[Method, ...]
    data: Path
    settings: Settings
    given: Namespace
    max_usd: float | None

    @property
    def concurrency(self) -> int:
        """Questions at once; one by one if nothing has to be waited for, so that times are true."""
        default = 1 if self.settings.model == OFFLINE else ONLINE_CONCURRENCY
        return int(self.given.concurrency or default)

    @property
    def provider_wanted(self) -> bool:
        """True if the command line names a provider."""
        return self.given.provider is not None


def evaluate(given: Namespace) -> str:
    """Runs all methods one after the other; returns the table of their figures, or the estimate.

    Raises:
        UsageError: The command line, the data or the folder of results is wrong.
        MapAgentError: The run cannot go on; what is finished is kept.
    """
    settings = settings_from(given).settings
    if given.data is None:
        raise UsageError(f"The suite {given.suite} needs its data.", "Name the file or folder with --data.")
    if not given.data.exists():
        raise InputFileError(f"There is no file or folder {given.data}.", "Check --data.")
    evaluation = Evaluation(
        suite=load_suite(given.suite),
        methods=tuple(load_method(name.strip()) for name in given.method.split(",")),
        data=given.data,
        settings=settings.model_copy(update={"max_usd": None}),
        given=given,
        max_usd=settings.max_usd,
    )
    items = _items(evaluation)
    if given.estimate:
        return estimate(items, evaluation.methods, evaluation.settings)
    return summary_table(asyncio.run(_run_all(evaluation, items)))


def _items(evaluation: Evaluation) -> tuple[Item, ...]:
    given = evaluation.given
    items = evaluation.suite.load(evaluation.data, given.protocol)
    return select(items, _selection(given))


def _selection(given: Namespace) -> Selection:
    return Selection(
        limit=given.limit,
        sample=given.sample,
        seed=given.seed,
        exclude_defective=given.exclude_defective,
    )


async def _run_all(evaluation: Evaluation, items: Sequence[Item]) -> list[dict[str, Any]]:
    async with AsyncExitStack() as held:
        provider = _held(held, _open_provider(evaluation, items))
        _warn(evaluation.suite)
        model = _held(held, _open_model(evaluation.settings))
        desk = Desk(settings=evaluation.settings, provider=provider, model=model)
        root = evaluation.given.out or _default_out(evaluation.suite)
        summaries = []
        for method in evaluation.methods:
            _held(held, method)
            folder = root / method.name.replace(":", "-") if len(evaluation.methods) > 1 else root
            summaries.append(await _run_one(evaluation, method, items, desk, folder))
        return summaries


def _held[T](held: AsyncExitStack, thing: T) -> T:
    """The thing, which is closed at the end if it can be."""
    if isinstance(thing, HasClose):
        held.push_async_callback(thing.close)
    return thing


def _warn(suite: Suite) -> None:
    for line in suite.warnings() if isinstance(suite, HasNotes) else ():
        sys.stderr.write(f"{line}\n")


def _default_out(suite: Suite) -> Path:
    return Path(DEFAULT_OUT) / f"{suite.name}-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"


async def _run_one(
    evaluation: Evaluation, method: Method, items: Sequence[Item], desk: Desk, path: Path
) -> dict[str, Any]:
    """One method; what is finished is summed up even if the run stops."""
    record = _run_record(evaluation, method, items, desk)
    given = evaluation.given
    with RunFolder.open(path, record, resume=given.resume) as folder:
        job = Job(
            suite=evaluation.suite,
            method=method,
            items=items,
            desk=desk,
            budget=Budget.of(evaluation.max_usd, evaluation.concurrency, folder.done.values()),
            concurrency=evaluation.concurrency,
        )
        progress = Progress(f"{evaluation.suite.name} {method.name}", len(items), sys.stderr)
        try:
            await run_job(job, folder, progress)
        finally:
            summary = _summary(evaluation.suite, record, items, folder.done)
            folder.write_summary(summary)
    return summary


def _summary(
    suite: Suite, record: RunRecord, items: Sequence[Item], done: dict[str, Record]
) -> dict[str, Any]:
    judged = [(item, _score(done[item.id])) for item in items if item.id in done]
    records = [done[item.id] for item, _ in judged]
    return summary_of(record, records, suite.metrics(judged) if judged else {})


def _score(record: Record) -> Score:
    return Score(correct=record.correct, refused=record.refused, invalid=record.invalid, values=record.values)


def _run_record(evaluation: Evaluation, method: Method, items: Sequence[Item], desk: Desk) -> RunRecord:
    suite, settings = evaluation.suite, evaluation.settings
    return RunRecord(
        suite=suite.name,
        method=method.name,
        model=settings.model,
        provider=_provider_label(desk.provider),
        protocol=evaluation.given.protocol,
        settings=settings_record(settings),
        prompts_sha256=prompts_digest(settings),
        data_sha256=data_digest(evaluation.data),
        selection=_selection(evaluation.given).record(),
        items=len(items),
        items_sha256=ids_digest(item.id for item in items),
        notes=dict(suite.notes()) if isinstance(suite, HasNotes) else {},
        **code_record(),
    )


def _provider_label(provider: Provider | None) -> str:
    if provider is None:
        return ""
    return f"{provider.name}:{provider.map_name}" if provider.map_name else provider.name


def _open_provider(evaluation: Evaluation, items: Sequence[Item]) -> Provider | None:
    """The named provider, else the suite's, else the settings' where a question brings no facts."""
    if evaluation.provider_wanted:
        return open_provider(evaluation.settings)
    provider = evaluation.suite.provider(evaluation.data, evaluation.settings, evaluation.given.world)
    if provider is not None:
        return provider
    if isinstance(evaluation.suite, HasItemMaps):
        return None
    bare = any(item.task.question.context is None and item.task.question.image is None for item in items)
    return open_provider(evaluation.settings) if bare else None


def _open_model(settings: Settings) -> ChatModel | None:
    """The language model of the settings; of a cascade, the one behind it."""
    if settings.model == OFFLINE:
        return None
    from mapagent.llm.open import open_model

    return open_model(settings, settings.model.removeprefix("cascade:"))
