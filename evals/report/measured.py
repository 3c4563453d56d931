"""What is kept of a run beside its summary: figures by category that the papers' tables and figures show.

They are means over records and traces and hold no word of a benchmark. What no record tells is left out.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from evals.metrics.errors import by_error, by_similarity
from evals.metrics.statistics import mean
from evals.metrics.text import TAU_ENTITY
from evals.report.runs import FinishedRun
from evals.report.spatial.sql_errors import classes_of
from evals.report.spatial.tables import NUMERIC
from evals.report.spatial.traced import Work, share_using, works
from evals.runner.folder import RESULTS_FILE
from evals.runner.records import Record

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
