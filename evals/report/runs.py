"""Finished runs as read back from their folders, what their traces tell, and at which stage answers went wrong.

Told are the tools each question used, what became of its queries, and the class of an SQL error by the sentence the
database says (`sql_errors.toml`).

The stages are those of the MapAgent paper's error analysis (section 6): the planner's choice of modules, the
map-tool agent's choice of tool and of its arguments, the solution, and the extraction of the answer. What a
trace shows decides, from the first stage to the last: a step that failed explains whatever came after it.
"""

import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from evals.metrics.calls import TOOL_SPAN
from evals.runner.folder import RUN_FILE, SUMMARY_FILE, read_results, read_run, read_trace
from evals.runner.identity import RunRecord
from evals.runner.records import Record, summary_of
from map_tools.errors import (
    InputFileError,
    LimitError,
    NoRouteError,
    PlaceNotFoundError,
    ProviderError,
    ToolError,
    UnsupportedError,
)
from map_tools.text import normalise
from mapagent.core.answer import Status
from modules.spatial_database.database import SPAN as SQL_SPAN

type Trace = Mapping[str, Any]


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


class Stage(StrEnum):
    """Where an answer went wrong."""

    FAILED = "failed"
    """The run of the question itself: an error, a limit, a provider or model that refused."""
    READING = "question not understood"
    MODULES = "wrong modules"
    """A module that the facts had to come from is not in the plan, or broke."""
    TOOL = "wrong tool"
    """No tool was called, one that does not exist, or one that cannot do it."""
    ARGUMENTS = "wrong arguments"
    """A tool was called for a place, a way or a value that it does not know."""
    FACTS = "facts missing"
    """Tools and text answered, but what came back does not hold what is asked."""
    OVERCONFIDENT = "answered the unanswerable"
    SOLUTION = "right facts, wrong solution"
    EXTRACTION = "wrong extraction"
    """The right option is what was worked out, but another one, or none, was taken."""
    UNKNOWN = "no trace"


_ARGUMENT_CODES = frozenset({PlaceNotFoundError.code, NoRouteError.code, "ambiguous"})
_TOOL_CODES = frozenset({ToolError.code, UnsupportedError.code})
_FAILED_CODES = frozenset({LimitError.code, ProviderError.code, "model", "model_reply"})
_GATHERING = frozenset({"map_service", "flat_tools", "context_reader", "spatial_database", "recommender"})
"""Modules that bring facts."""
MIN_TOLD_CHARS = 3
"""A shorter option ("7") occurs in every derivation by chance."""


def stage_of(record: Record, trace: Trace | None) -> Stage:
    """The stage of a wrong answer. Without a trace only what the record tells."""
    if record.error or record.status in (Status.ERROR, Status.LIMIT):
        return Stage.FAILED
    if record.status == Status.NOT_UNDERSTOOD:
        return Stage.EXTRACTION if record.invalid else Stage.READING
    if trace is None or not trace.get("answer"):
        return Stage.UNKNOWN
    return next((stage for stage, test in _TESTS if test(record, trace)), Stage.SOLUTION)


def _wrong_modules(_record: Record, trace: Trace) -> bool:
    plan = trace["answer"]["plan"]
    brings_facts = any(step["module"] in _GATHERING for step in plan)
    return bool(plan) and (not brings_facts or "module" in _codes(trace))


def _wrong_tool(record: Record, trace: Trace) -> bool:
    plan_asks_map = any(step["module"] in ("map_service", "flat_tools") for step in trace["answer"]["plan"])
    return bool(_codes(trace) & _TOOL_CODES) or (plan_asks_map and record.tool_calls == 0 and record.refused)


def _wrong_arguments(record: Record, trace: Trace) -> bool:
    """A failed call explains a refusal; an answer that came about all the same has another fault."""
    found_nothing = record.refused or record.invalid
    return found_nothing and (record.status == Status.AMBIGUOUS or bool(_codes(trace) & _ARGUMENT_CODES))


def _wrong_extraction(record: Record, trace: Trace) -> bool:
    """The derivation ends in the right option's words, or nothing readable was chosen."""
    if record.invalid:
        return True
    gold = trace.get("gold")
    options: Sequence[str] = trace.get("options", ())
    if not isinstance(gold, int) or not 0 <= gold < len(options):
        return False
    said, derived = normalise(options[gold]), f" {normalise(trace['answer'].get('explanation', ''))} "
    return len(said) >= MIN_TOLD_CHARS and f" {said} " in derived


def _failed(_record: Record, trace: Trace) -> bool:
    return bool(_codes(trace) & _FAILED_CODES)


def _overconfident(record: Record, _trace: Trace) -> bool:
    return not record.answerable


def _facts_missing(record: Record, _trace: Trace) -> bool:
    return record.refused


def _codes(trace: Trace) -> set[str]:
    """Codes of the failures that the answer gives as its reason; others did no harm."""
    reason = trace["answer"].get("reason", "")
    failures = (item for item in trace["answer"]["evidence"] if item.get("code"))
    return {item["code"] for item in failures if item["message"] in reason}


_TESTS: tuple[tuple[Stage, Callable[[Record, Trace], bool]], ...] = (
    (Stage.OVERCONFIDENT, _overconfident),
    (Stage.FAILED, _failed),
    (Stage.MODULES, _wrong_modules),
    (Stage.TOOL, _wrong_tool),
    (Stage.ARGUMENTS, _wrong_arguments),
    (Stage.EXTRACTION, _wrong_extraction),
    (Stage.FACTS, _facts_missing),
)


def stage_counts(folder: Path, records: Iterable[Record]) -> dict[str, int]:
    """How many wrong answers went wrong at each stage, most frequent first."""
    return dict(Counter(stage for _, stage in stages(folder, records)).most_common())


def stages(folder: Path, records: Iterable[Record]) -> list[tuple[str, str]]:
    """(id, stage) of each wrong answer, in the order of the records."""
    return [
        (record.id, stage_of(record, read_trace(folder, record.id)).value)
        for record in records
        if not record.correct
    ]
