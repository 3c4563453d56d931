"""Finished runs as read back from their folders."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.metrics.summary import summary_of
from evals.runner.folder import RUN_FILE, SUMMARY_FILE, read_results, read_run
from evals.runner.identity import RunRecord
from evals.runner.records import Record
from map_tools.errors import InputFileError


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
