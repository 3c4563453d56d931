"""What `evals.inspect_tasks` takes of Inspect, as far as it takes it, where Inspect is not installed.

The tests of the tasks run with this and, by `make inspect`, with Inspect itself: what differs fails in one of them.
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest

MODULES = ("", ".dataset", ".log", ".model", ".scorer", ".solver", ".util")
CORRECT, INCORRECT, NOANSWER = "C", "I", "N"

type Metric = Callable[[list[tuple[Score, dict[str, Any]]]], float | dict[str, float]]


def install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Puts it in Inspect's place for one test."""
    for name in MODULES:
        monkeypatch.setitem(sys.modules, f"inspect_ai{name}", sys.modules[__name__])


@dataclass
class Sample:
    input: str
    choices: list[str] | None
    target: str
    id: str
    metadata: dict[str, Any]


class MemoryDataset(list[Sample]):
    def __init__(self, samples: list[Sample], name: str) -> None:
        super().__init__(samples)


@dataclass
class ModelOutput:
    completion: str
    message: str

    @classmethod
    def from_content(cls, model: str, content: str) -> "ModelOutput":
        return cls(completion=content, message=content)


@dataclass
class TaskState:
    sample_id: str
    metadata: dict[str, Any]
    messages: list[str]
    output: ModelOutput | None = None
    completed: bool = False


@dataclass
class Score:
    value: str
    answer: str | None
    explanation: str | None
    metadata: dict[str, Any]


@dataclass
class Task:
    dataset: MemoryDataset
    solver: Any
    scorer: Any
    model: str


Generate = Scorer = Solver = Target = Any


def task(name: str) -> Callable[[Any], Any]:
    return lambda made: made


def solver(made: Any) -> Any:
    return made


def scorer(metrics: Sequence[Metric]) -> Callable[[Any], Any]:
    def named(made: Any) -> Any:
        return lambda: SimpleNamespace(name=made.__name__, score=made(), metrics=metrics)

    return named


def accuracy() -> Metric:
    def accuracy(scored: list[tuple[Score, dict[str, Any]]]) -> float:
        return sum(score.value == CORRECT for score, _ in scored) / len(scored)

    return accuracy


def stderr() -> Metric:
    def stderr(scored: list[tuple[Score, dict[str, Any]]]) -> float:
        return 0.0

    return stderr


def grouped(metric: Metric, group_key: str, *, all: bool) -> Metric:  # noqa: A002 (Inspect's name)
    def grouped(scored: list[tuple[Score, dict[str, Any]]]) -> dict[str, Any]:
        groups = {metadata[group_key] for _, metadata in scored}
        return {group: metric([one for one in scored if one[1][group_key] == group]) for group in groups}

    return grouped


@dataclass
class Transcript:
    events: list[Any] = field(default_factory=list)
    number: Any = field(default_factory=count)
    span: int | None = None

    def info(self, data: Any, *, source: str) -> None:
        self.events.append(SimpleNamespace(event="info", data=data, span_id=self.span))


_TRANSCRIPT: ContextVar[Transcript] = ContextVar("transcript")


def transcript() -> Transcript:
    return _TRANSCRIPT.get()


@asynccontextmanager
async def span(name: str) -> AsyncIterator[None]:
    told, above = transcript(), transcript().span
    told.span = next(told.number)
    told.events.append(SimpleNamespace(event="span_begin", name=name, id=told.span, parent_id=above))
    yield
    told.span = above


def eval(task: Task, **options: Any) -> list[Any]:  # noqa: A001 (Inspect's name)
    """Asks one sample after the other."""
    return [asyncio.run(_run(task))]


async def _run(task: Task) -> Any:
    samples, scored = [], []
    for sample in task.dataset:
        _TRANSCRIPT.set(told := Transcript())
        state = TaskState(sample.id, dict(sample.metadata), [sample.input])
        state = await task.solver(state, None)
        assert state.completed
        assert state.output is not None
        assert state.messages == [sample.input, state.output.message]
        score = await task.scorer.score(state, sample.target)
        scored.append((score, sample.metadata))
        samples.append(
            SimpleNamespace(
                id=sample.id,
                target=sample.target,
                output=state.output,
                scores={task.scorer.name: score},
                events=told.events,
            )
        )
    figures: dict[str, Any] = {}
    for metric in task.scorer.metrics:
        found = metric(scored)
        figures |= found if isinstance(found, dict) else {metric.__name__: found}
    metrics = {name: SimpleNamespace(value=value) for name, value in figures.items()}
    return SimpleNamespace(
        status="success", samples=samples, results=SimpleNamespace(scores=[SimpleNamespace(metrics=metrics)])
    )
