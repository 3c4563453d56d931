"""Finished runs as read back from their folders, and what their traces tell.

Told are the tools each question used, what became of its queries, and the class of an SQL error by the sentence the
database says (`sql_errors.toml`).
"""

import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from evals.runner.folder import RUN_FILE, SUMMARY_FILE, read_results, read_run, read_trace
from evals.runner.identity import RunRecord
from evals.runner.records import Record, summary_of
from map_tools.errors import InputFileError
from modules.spatial_database.traced import SPAN as SQL_SPAN


@dataclass(frozen=True, slots=True)
class FinishedRun:
    """One run: what it was, its records and its summary."""

    path: Path
    run: RunRecord
    records: tuple[Record, ...]
    summary: dict[str, Any]

    @property
    def label(self) -> str:
        """Method, model and map, as reports call it."""
        return " · ".join(filter(None, (self.run.method, self.run.model, self.run.provider)))

    @property
    def complete(self) -> bool:
        """True if every chosen question has its record."""
        return len(self.records) == self.run.items


def find_runs(folders: Iterable[Path]) -> tuple[FinishedRun, ...]:
    """All runs in or below the folders, by suite, method and model.

    Raises:
        InputFileError: A folder does not exist or holds no run, or a file of a run is damaged.
    """
    runs: list[FinishedRun] = []
    for folder in folders:
        files = sorted({*folder.glob(RUN_FILE), *folder.rglob(f"*/{RUN_FILE}")})
        if not files:
            raise InputFileError(f"There is no run in or below {folder}.", "Name the --out folder of a run.")
        runs += [_read(file.parent) for file in files]
    return tuple(
        sorted(runs, key=lambda run: (run.run.suite, run.run.method, run.run.model, run.run.provider))
    )


def by_suite(runs: Sequence[FinishedRun]) -> dict[str, list[FinishedRun]]:
    """The runs of each suite."""
    groups: dict[str, list[FinishedRun]] = {}
    for run in runs:
        groups.setdefault(run.run.suite, []).append(run)
    return groups


def _read(path: Path) -> FinishedRun:
    run = read_run(path)
    if run is None:
        raise InputFileError(f"{path / RUN_FILE} has gone.", "Run the report again.")
    records = read_results(path)
    return FinishedRun(path, run, records, summary_of(run, records, _own_metrics(path)))


def _own_metrics(path: Path) -> dict[str, Any]:
    """The suite's own figures as the run wrote them; all others are computed again from the records."""
    import json

    try:
        metrics: dict[str, Any] = json.loads((path / SUMMARY_FILE).read_text("utf-8"))["metrics"]
    except (OSError, ValueError, KeyError):
        return {}
    return metrics


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


OTHER = "other"
EMPTY = "no rows"
"""A query that ran and found nothing."""


def error_class(message: str) -> str:
    """The class of an error's sentence."""
    return next((name for name, parts in _classes() if any(part in message for part in parts)), OTHER)


def classes_of(queries: Iterable[Query]) -> Counter[str]:
    """How many queries failed, by class, and how many ran and found nothing."""
    return Counter(
        error_class(query.message) if query.error else EMPTY
        for query in queries
        if query.error or query.rows == 0
    )


def class_names() -> tuple[str, ...]:
    """All classes in the order of the tables."""
    return (*(name for name, _ in _classes()), OTHER, EMPTY)


@lru_cache(maxsize=1)
def _classes() -> tuple[tuple[str, tuple[str, ...]], ...]:
    data = tomllib.loads((files(__package__) / "sql_errors.toml").read_text("utf-8"))
    return tuple((entry["name"], tuple(entry["says"])) for entry in data["class"])
