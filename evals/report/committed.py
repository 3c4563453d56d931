"""`python -m evals.report.committed DIR... --out docs/results/NAME`: figures of runs to be committed.

NAME.json holds the run records, the summaries and the ids of right and wrong answers; NAME.md the tables.
Neither holds a word of a question, a context or a map.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evals.errors.analysis import stages
from evals.report.measured import measured
from evals.report.own_tables import own_tables
from evals.report.published import published_rows
from evals.report.runs import FinishedRun, by_suite, find_runs
from evals.report.table import STRICT, paired_rows, published_table_rows, run_rows
from map_tools.errors import MapAgentError
from map_tools.journal import write_json

FORMAT_VERSION = 1


def as_json(runs: Sequence[FinishedRun]) -> dict[str, Any]:
    """Everything about the runs that may be shown to anybody."""
    return {"v": FORMAT_VERSION, "runs": [_run(run) for run in runs]}


def as_markdown(runs: Sequence[FinishedRun], name: str) -> str:
    """The tables, with what was run."""
    head = (
        f"# Results: {name}\n\nMade by `python -m evals.report.committed`; "
        f"figures, ids and run records are in `{name}.json`."
    )
    parts = [_suite(suite, members) for suite, members in by_suite(runs).items()]
    return "\n\n".join([head, *parts]) + "\n"


def _run(run: FinishedRun) -> dict[str, Any]:
    return {
        "run": run.run.model_dump(mode="json"),
        "summary": run.summary,
        "measured": measured(run),
        "right": [record.id for record in run.records if record.correct],
        "wrong": dict(stages(run.path, run.records)),
        "refused": [record.id for record in run.records if record.refused],
    }


def _suite(suite: str, runs: list[FinishedRun]) -> str:
    categories = sorted({name for run in runs for name in run.summary["by_category"]})
    header, *rows = run_rows(runs, categories)
    parts = [f"## {suite}", _provenance(runs)]
    parts.append(_table([header, *rows, *published_table_rows(published_rows(suite), categories)]))
    parts.append(STRICT)
    pairs = paired_rows(runs)
    if len(pairs) > 1:
        first = [row for row in pairs[1:] if row[0] == runs[0].label]
        parts.append(
            f"{runs[0].label} against the others, exact McNemar test:\n\n{_table([pairs[0], *first])}"
        )
    parts += [f"{table.title}:\n\n{_table(table.rows)}" for table in own_tables(suite, runs)]
    parts.append(_stages(runs))
    return "\n\n".join(part for part in parts if part)


def _provenance(runs: Sequence[FinishedRun]) -> str:
    run = runs[0].run
    return (
        f"Protocol {run.protocol}, {run.items} questions, data sha256 `{run.data_sha256[:16]}…`, "
        f"version {run.version}, code sha256 `{run.code_sha256[:16]}…`, map `{run.provider or 'none'}`."
    )


def _stages(runs: Sequence[FinishedRun]) -> str:
    """Where the wrong answers of the first run went wrong, by id."""
    run = runs[0]
    groups: dict[str, list[str]] = {}
    for item_id, stage in stages(run.path, run.records):
        groups.setdefault(stage, []).append(item_id)
    told = (f"- {stage}: {', '.join(ids)}" for stage, ids in sorted(groups.items()))
    return f"Where {run.label} went wrong (ids):\n\n" + "\n".join(told) if groups else ""


def _table(rows: Sequence[Sequence[str]]) -> str:
    header, *body = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join([header, f"|{' --- |' * len(rows[0])}", *body])


def main() -> int:
    """Writes both files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--out", type=Path, required=True, metavar="PATH", help="path without an ending")
    given = parser.parse_args()
    try:
        runs = find_runs(given.folders)
    except MapAgentError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    given.out.parent.mkdir(parents=True, exist_ok=True)
    write_json(given.out.with_suffix(".json"), as_json(runs))
    given.out.with_suffix(".md").write_text(as_markdown(runs, given.out.name), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
