"""Finished runs with records and traces written by hand, for the tests of reports."""

import json
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
