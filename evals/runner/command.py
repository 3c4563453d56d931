"""What `mapagent eval SUITE` does: opens suite, map and model, runs the methods, writes the figures.

With --estimate it tells what a run would cost, before anything is asked.
"""

import asyncio
import sys
from argparse import Namespace
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evals.ports import EvalContext, HasNotes, Item, Method, Score, Suite
from evals.report.table import summary_table
from evals.runner.evaluation import Evaluation, opened_desk, provider_label, read_evaluation
from evals.runner.folder import RunFolder
from evals.runner.identity import (
    RunRecord,
    code_record,
    data_digest,
    ids_digest,
    prompts_digest,
)
from evals.runner.records import Record, summary_of
from evals.runner.run import Job, Progress, budget_of, open_executor, run_job
from mapagent.llm.prices import price_by
from mapagent.runtime.config import Settings, settings_record

CHARS_PER_TOKEN = 4
"""A rule of thumb for English text."""
PROMPT_TOKENS = 900
"""About what a method's own instructions and tool replies add to a call."""
REPLY_TOKENS = 150
CALLS = {"direct": 1}
"""Model calls a question; what is not listed may make up to `MAX_CALLS`."""
MAX_CALLS = 6


def estimate(items: Sequence[Item], methods: Sequence[Method], settings: Settings) -> str:
    """One line for each method: questions, model calls and tokens at most, and money if prices are known."""
    return "\n".join(_line(items, method.name, settings) for method in methods)


def _line(items: Sequence[Item], method: str, settings: Settings) -> str:
    head = f"{method}: {len(items)} questions"
    if settings.model == "offline":
        return f"{head}; the embedded model costs nothing."
    calls = CALLS.get(method, MAX_CALLS) * len(items)
    read = CALLS.get(method, MAX_CALLS) * sum(_tokens(item) for item in items)
    written = calls * REPLY_TOKENS
    text = f"{head}, at most about {calls} model calls, {read:,} tokens read and {written:,} written"
    price = price_by(settings)
    if not price.known:
        return f"{text}; set price_in and price_out to see what '{settings.model}' would cost."
    usd = price.of(read, written)
    return f"{text}: at most about {usd:.2f} USD with '{settings.model}' ({price.source})."


def _tokens(item: Item) -> int:
    question = item.task.question
    chars = len(question.text) + sum(map(len, question.options)) + len(question.context or "")
    return PROMPT_TOKENS + chars // CHARS_PER_TOKEN


DEFAULT_OUT = "eval-results"


def evaluate(given: Namespace) -> str:
    """Runs all methods one after the other; returns the table of their figures, or the estimate.

    Raises:
        UsageError: The command line, the data or the folder of results is wrong.
        MapAgentError: The run cannot go on; what is finished is kept.
    """
    evaluation = read_evaluation(given)
    items = evaluation.items()
    if given.estimate:
        return estimate(items, evaluation.methods, evaluation.settings)
    return summary_table(asyncio.run(_run_all(evaluation, items)))


async def _run_all(evaluation: Evaluation, items: Sequence[Item]) -> list[dict[str, Any]]:
    async with opened_desk(evaluation, items) as context:
        _warn(evaluation.suite)
        root = evaluation.given.out or _default_out(evaluation.suite)
        summaries = []
        for method in evaluation.methods:
            folder = root / method.name.replace(":", "-") if len(evaluation.methods) > 1 else root
            summaries.append(await _run_one(evaluation, method, items, context, folder))
        return summaries


def _warn(suite: Suite) -> None:
    for line in suite.warnings() if isinstance(suite, HasNotes) else ():
        sys.stderr.write(f"{line}\n")


def _default_out(suite: Suite) -> Path:
    return Path(DEFAULT_OUT) / f"{suite.name}-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"


async def _run_one(
    evaluation: Evaluation, method: Method, items: Sequence[Item], context: EvalContext, path: Path
) -> dict[str, Any]:
    """One method; what is finished is summed up even if the run stops."""
    record = _run_record(evaluation, method, items, context)
    given = evaluation.given
    with RunFolder.open(path, record, resume=given.resume) as folder:
        progress = Progress(f"{evaluation.suite.name} {method.name}", len(items), sys.stderr)
        try:
            async with open_executor(evaluation, method, context) as executor:
                job = Job(
                    asker=executor.asker,
                    items=items,
                    limits=evaluation.settings.limits(),
                    budget=budget_of(evaluation.max_usd, executor.seats, folder.done.values()),
                    concurrency=executor.seats,
                )
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


def _run_record(
    evaluation: Evaluation, method: Method, items: Sequence[Item], context: EvalContext
) -> RunRecord:
    suite, settings = evaluation.suite, evaluation.settings
    return RunRecord(
        suite=suite.name,
        method=method.name,
        model=settings.model,
        provider=provider_label(context.provider),
        protocol=evaluation.given.protocol,
        settings=settings_record(settings),
        prompts_sha256=prompts_digest(settings),
        data_sha256=data_digest(evaluation.data),
        selection=evaluation.selection.record(),
        items=len(items),
        items_sha256=ids_digest(item.id for item in items),
        notes=dict(suite.notes()) if isinstance(suite, HasNotes) else {},
        **code_record(),
    )
