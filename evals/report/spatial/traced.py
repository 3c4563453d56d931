"""What the traces of a run tell: the tools each question used, and what became of its queries."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from evals.report.runs import FinishedRun
from evals.runner.folder import read_trace
from modules.spatial_database.traced import SPAN as SQL_SPAN

TOOL_SPAN = "tool"


@dataclass(frozen=True, slots=True)
class Query:
    """A query that was run.

    Attributes:
        rows: How many it found.
        error: Code of its error, empty if it ran.
        message: The error's sentence.
    """

    rows: int
    error: str
    message: str


@dataclass(frozen=True, slots=True)
class Work:
    """How a question was worked on."""

    category: str
    correct: bool
    tools: frozenset[str]
    queries: tuple[Query, ...]


def works(run: FinishedRun) -> tuple[Work, ...]:
    """All questions of a run whose trace was kept, in the order of the records."""
    return tuple(_works(run))


def share_using(tool: str, done: Sequence[Work]) -> float | None:
    """Of these questions the share that used a tool; None without questions."""
    return sum(tool in work.tools for work in done) / len(done) if done else None


def _works(run: FinishedRun) -> Iterator[Work]:
    for record in run.records:
        trace = read_trace(run.path, record.id)
        if trace is not None:
            spans = [(span["name"], span["attributes"]) for span in trace["spans"]]
            yield Work(
                category=record.category,
                correct=record.correct,
                tools=frozenset(told["tool"] for name, told in spans if name == TOOL_SPAN),
                queries=tuple(_query(told) for name, told in spans if name == SQL_SPAN),
            )


def _query(told: dict[str, Any]) -> Query:
    return Query(int(told["rows"]), str(told["error"]), str(told["message"]))
