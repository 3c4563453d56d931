"""Every suite as a task of Inspect (https://inspect.aisi.org.uk), with a method of ours as its solver.

`inspect eval mapagent/SUITE -T data=PATH` finds them through the entry point `inspect_ai`. `-T` takes the flags of
`mapagent eval`, with underscores. A question is asked by the same worker as on a cluster (`evals.runner.run`), so
answer, judgement and figures are those of `mapagent eval`; Inspect keeps the log and shows it.

Only Inspect imports this module.
"""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any, NoReturn

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import transcript
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import (
    CORRECT,
    INCORRECT,
    NOANSWER,
    Score,
    Scorer,
    Target,
    accuracy,
    grouped,
    scorer,
    stderr,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import span

from evals.cli import configure
from evals.ports import Item
from evals.registry import SUITES
from evals.runner.evaluation import Evaluation, read_evaluation
from evals.runner.records import as_line
from evals.runner.run import Worker
from map_tools.errors import UsageError
from mapagent.runtime.plugins import Plugins

OWN_OF_INSPECT = {
    "concurrency": "inspect eval --max-samples",
    "estimate": "mapagent eval --estimate",
    "executor": "mapagent eval --executor",
    "max_usd": "mapagent eval --max-usd",
    "out": "inspect eval --log-dir",
    "resume": "inspect eval-retry",
}
"""What belongs to a runner, and whom to ask for it."""
SOURCE = "mapagent"
TRACE = "trace"
"""Where a sample keeps the trace between solver and scorer."""


def evaluation_of(suite: str, flags: Mapping[str, Any]) -> Evaluation:
    """The evaluation that a task's arguments ask for.

    Args:
        suite: Name of the suite.
        flags: Flags of `mapagent eval SUITE` by their names, with underscores; True: the flag alone, False: no flag.

    Raises:
        UsageError: A flag is the runner's or unknown, or a value wrong; several methods are named.
        InputFileError: The data is not there.
    """
    said = {name: value for name, value in flags.items() if value is not False}
    for name, instead in OWN_OF_INSPECT.items():
        if name in said:
            raise UsageError(f"A task of Inspect has no '{name}'.", f"Use {instead}.")
    evaluation = read_evaluation(_parsed(suite, said))
    if evaluation.max_usd is not None:
        raise UsageError(
            "Inspect cannot keep to max_usd, the money of a whole run.", f"Use {OWN_OF_INSPECT['max_usd']}."
        )
    if len(evaluation.methods) > 1:
        raise UsageError("A task of Inspect has one method.", "Run one task for each.")
    return evaluation


class _Parser(ArgumentParser):
    """Takes whole names only, prints nothing and never exits; so do the parsers below it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options, add_help=False, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"A task of Inspect: {message}.", f"See `{self.prog} --help`.")


def _parsed(suite: str, flags: Mapping[str, Any]) -> Namespace:
    parser = _Parser(prog="mapagent eval")
    configure(parser)
    names = ((f"--{name.replace('_', '-')}", value) for name, value in flags.items())
    return parser.parse_args(
        [suite, *(name if value is True else f"{name}={value}" for name, value in names)]
    )


def sample_of(item: Item) -> Sample:
    """An item as Inspect shows it; the method is given the item itself."""
    question = item.task.question
    told = (question.text, question.context)
    return Sample(
        id=item.id,
        input="\n\n".join(part for part in told if part),
        choices=list(question.options) or None,
        target=item.gold if isinstance(item.gold, str) else json.dumps(item.gold, default=str),
        metadata={"category": item.category, "answerable": item.answerable, "apart": item.apart},
    )


@solver
def asked(evaluation: Evaluation) -> Solver:
    """Asks with the evaluation's method; the trace goes into the transcript, span by span."""
    workers = _worker(evaluation)
    opened: list[Worker] = []

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001 (Inspect's signature)
        if not opened:
            opened.append(await anext(workers))
        done = await opened[0].ask(str(state.sample_id), evaluation.settings.limits())
        trace = json.loads(done.trace)
        await _show(trace["spans"])
        transcript().info({"answer": trace["answer"], "error": trace["error"]}, source=SOURCE)
        answer = trace["answer"] or {"text": trace["error"]["message"]}
        state.output = ModelOutput.from_content(evaluation.methods[0].name, answer["text"])
        state.messages.append(state.output.message)
        state.metadata[TRACE] = trace | {"record": json.loads(as_line(done.record))}
        state.completed = True
        return state

    return solve


async def _worker(evaluation: Evaluation) -> AsyncIterator[Worker]:
    """A worker, closed when the event loop ends: Inspect tells no task when its last sample is done."""
    worker = Worker(evaluation.given, evaluation.settings, evaluation.methods[0].name)
    try:
        yield worker
    finally:
        await worker.close()


async def _show(spans: Sequence[Mapping[str, Any]], parent: int | None = None) -> None:
    for one in spans:
        if one["parent"] == parent:
            async with span(one["name"]):
                took = {key: one[key] for key in ("start_s", "end_s", "status")}
                transcript().info({**one["attributes"], **took}, source=SOURCE)
                await _show(spans, one["id"])


@scorer(metrics=[accuracy(), stderr(), grouped(accuracy(), "category", all=False)])
def judged() -> Scorer:
    """The suite's own judgement, made when the question was asked."""

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001 (Inspect's signature)
        trace = state.metadata.pop(TRACE)
        told, answer = trace["score"], trace["answer"] or {}
        unanswered = NOANSWER if told["refused"] or told["invalid"] else INCORRECT
        return Score(
            value=CORRECT if told["correct"] else unanswered,
            answer=answer.get("text"),
            explanation=answer.get("explanation") or answer.get("reason"),
            metadata=trace["record"],
        )

    return score


def _exported(suite: str) -> Callable[..., Task]:
    """Registers a suite; the values of `-T` come in as YAML has them."""

    def made(**flags: Any) -> Task:
        evaluation = evaluation_of(suite, flags)
        return Task(
            dataset=MemoryDataset([sample_of(item) for item in evaluation.items()], name=suite),
            solver=asked(evaluation),
            scorer=judged(),
            model="none/none",
        )

    # Inspect puts the package's name before a task's, and takes it from the module: the wheel has four packages.
    made.__module__ = "mapagent"
    exported: Callable[..., Task] = task(name=suite)(made)
    return exported


TASKS = {name: _exported(name) for name in Plugins(SUITES, "suite").names()}
