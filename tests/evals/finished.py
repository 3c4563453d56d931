"""Finished runs with records and traces written by hand, and committed ones, for the tests of reports."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evals.report.runs import FinishedRun, find_runs
from evals.runner.folder import RunFolder
from evals.runner.records import Record
from tests.evals.support import run_record


def record(number: int, category: str, *, correct: bool = True, **more: Any) -> Record:
    return Record(id=str(number), category=category, correct=correct, **more)


def span(name: str, **attributes: Any) -> dict[str, Any]:
    return {"name": name, "attributes": attributes, "start_s": 0.0, "end_s": 1.0}


def finished(
    folder: Path,
    *records: Record,
    spans: dict[str, list[dict[str, Any]]] | None = None,
    method: str = "mapagent",
    suite: str = "gsqa",
    provider: str = "",
) -> FinishedRun:
    """A run with these records and traces."""
    about = run_record(items=len(records), method=method, suite=suite, provider=provider)
    path = folder / f"{method}-{provider}".replace(":", "-")
    with RunFolder.open(path, about, resume=False) as opened:
        for one in records:
            opened.append(one)
            trace = {"v": 1, "id": one.id, "spans": (spans or {}).get(one.id, [])}
            opened.write_trace(one.id, json.dumps(trace))
    (run,) = find_runs([path])
    return run


def entry(
    suite: str,
    method: str = "mapagent",
    *,
    model: str = "qwen",
    provider: str = "",
    right: tuple[str, ...] = (),
    wrong: Mapping[str, str] | None = None,
    refused: tuple[str, ...] = (),
    measured: Mapping[str, Any] | None = None,
    **summary: Any,
) -> dict[str, Any]:
    """A run as committed results hold it."""
    about = run_record(suite=suite, method=method, model=model, provider=provider, items=4)
    figures: dict[str, Any] = {"n": 4, "correct": len(right), "accuracy": None, "ci95": None}
    return {
        "run": about.model_dump(mode="json"),
        "summary": figures | {"by_category": {}, "metrics": {}} | summary,
        "measured": measured or {},
        "right": list(right),
        "wrong": wrong or {},
        "refused": list(refused),
    }
