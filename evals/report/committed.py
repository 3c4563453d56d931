"""`python -m evals.report.committed DIR... --out docs/results/NAME`: figures of runs to be committed.

Beside its summary a run keeps figures by category, which the papers' tables and figures show.

NAME.json holds the run records, the summaries and the ids of right and wrong answers; NAME.md the tables.
Neither holds a word of a question, a context or a map.

They are means over records and traces and hold no word of a benchmark. What no record tells is left out.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evals.metrics.measures import TAU_ENTITY, by_error, by_similarity
from evals.metrics.statistics import mean
from evals.report.own_tables import NUMERIC, own_tables
from evals.report.runs import FinishedRun, Work, by_suite, classes_of, find_runs, share_using, stages, works
from evals.report.table import STRICT, markdown, paired_rows, published_rows, published_table_rows, run_rows
from evals.runner.folder import RESULTS_FILE
from evals.runner.records import Record
from map_tools.errors import MapAgentError
from map_tools.files import write_json

_TEXT_MEASURES = ("executed", "recall", "f1")
_SIMILARITY, _ERROR = "similarity", "relative_error"
_NEVER = float("inf")


def measured(run: FinishedRun) -> dict[str, Any]:
    """The figures; `finished` is the day (UTC) of the last record, as the file system has it."""
    last = datetime.fromtimestamp((run.path / RESULTS_FILE).stat().st_mtime, UTC)
    return {
        "finished": last.date().isoformat(),
        "latency_mean_s": mean([record.latency_s for record in run.records]),
        "by_category": {
            name: _category([record for record in run.records if record.category == name])
            for name in _names(run.records)
        },
        **_sensitivity(run.records),
        **_traced(works(run)),
    }


def _category(group: Sequence[Record]) -> dict[str, float | None]:
    figures = {
        "latency_s": mean([record.latency_s for record in group]),
        "llm_calls": mean([record.llm_calls for record in group]),
        "tokens": mean([record.tokens for record in group]),
    }
    for name in _TEXT_MEASURES:
        if any(name in record.values for record in group):
            figures[name] = mean([record.values.get(name, 0.0) for record in group])
    if any(_SIMILARITY in record.values for record in group):
        similarities = [record.values.get(_SIMILARITY, 0.0) for record in group]
        figures["contained"] = by_similarity(similarities)[f"{TAU_ENTITY:g}"]
    return figures


def _sensitivity(records: Sequence[Record]) -> dict[str, Any]:
    """Accuracy over τ: of names by similarity, of numbers by relative error (Geo-ReAct, figure 4)."""
    if not any(record.values.keys() & {_SIMILARITY, _ERROR} for record in records):
        return {}
    numeric = [one.values.get(_ERROR, _NEVER) for one in records if one.category in NUMERIC]
    entity = [one.values.get(_SIMILARITY, 0.0) for one in records if one.category not in NUMERIC]
    return {"sensitivity": {"entity": by_similarity(entity), "numeric": by_error(numeric)}}


def _traced(done: Sequence[Work]) -> dict[str, Any]:
    """Tools of right answers (Geo-ReAct, figure 8), and what became of queries (GS-QA, table 13)."""
    right = [work for work in done if work.correct]
    queries = [query for work in done for query in work.queries]
    found: dict[str, Any] = {}
    if any(work.tools for work in right):
        groups = {name: [work for work in right if work.category == name] for name in _names(right)}
        found["tools"] = {**{name: _tools(group) for name, group in groups.items()}, "all": _tools(right)}
    if queries:
        found["queries"] = {"n": len(queries), **dict(sorted(classes_of(queries).items()))}
    return found


def _tools(group: Sequence[Work]) -> dict[str, float | None]:
    """Tool → share of the answers whose question used it."""
    names = sorted({tool for work in group for tool in work.tools})
    return {name: share_using(name, group) for name in names}


def _names(members: Iterable[Record | Work]) -> list[str]:
    return sorted({one.category for one in members})


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
    parts.append(markdown([header, *rows, *published_table_rows(published_rows(suite), categories)]))
    parts.append(STRICT)
    pairs = paired_rows(runs)
    if len(pairs) > 1:
        first = [row for row in pairs[1:] if row[0] == runs[0].label]
        parts.append(
            f"{runs[0].label} against the others, exact McNemar test:\n\n{markdown([pairs[0], *first])}"
        )
    parts += [f"{table.title}:\n\n{markdown(table.rows)}" for table in own_tables(suite, runs)]
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
