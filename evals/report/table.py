"""Figures of runs as rows of text, for a terminal and for the page."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from evals.metrics.statistics import compare
from evals.report.published import PublishedRow
from evals.report.runs import FinishedRun

NONE = "–"
FIRST = ("method", "model", "map")
STRICT = "“strict”: accuracy if refusals for want of understanding count as wrong."
LAST = ("refused wrongly", "model calls", "tokens", "USD", "p50 s", "p95 s")


def summary_table(summaries: Sequence[Mapping[str, Any]]) -> str:
    """One row for each summary, aligned."""
    categories = sorted({name for summary in summaries for name in summary["by_category"]})
    return aligned([_header(categories), *(_row(summary, categories) for summary in summaries)])


def run_rows(runs: Sequence[FinishedRun], categories: Sequence[str]) -> list[list[str]]:
    """A header and one row for each run."""
    return [_header(categories), *(_row(run.summary, categories) for run in runs)]


def published_table_rows(rows: Sequence[PublishedRow], categories: Sequence[str]) -> list[list[str]]:
    """Printed rows under the same header; an overall that does not follow from its categories says so."""
    return [
        [
            f"{row.method} (published)",
            row.model,
            row.map,
            str(row.questions),
            f"{row.overall:.2f} %" + ("" if row.consistent else f" (recomputed {row.recomputed:.2f} %)"),
            *(NONE, NONE),
            *(f"{row.categories[name]:.1f} %" if name in row.categories else NONE for name in categories),
            *(NONE for _ in LAST),
        ]
        for row in rows
    ]


def paired_rows(runs: Sequence[FinishedRun]) -> list[list[str]]:
    """A header and one row for each two runs over the same file, over the questions both have answered."""
    rows = [["a", "b", "common", "a − b", "only a right", "only b right", "p"]]
    for a, b in combinations(runs, 2):
        if a.run.data_sha256 != b.run.data_sha256:
            continue
        found = compare(_right(a), _right(b))
        if found.n and found.difference is not None:
            rows.append(
                [
                    a.label,
                    b.label,
                    str(found.n),
                    f"{100 * found.difference:+.1f}",
                    str(found.only_a),
                    str(found.only_b),
                    f"{found.p_value:.2g}",
                ]
            )
    return rows


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Columns of equal width: names to the left, figures to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = (
        "  ".join(
            cell.ljust(width) if column < len(FIRST) else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
    return "\n".join(lines)


def percent(share: float | None) -> str:
    """A share as "93.3 %"; a dash for none."""
    return NONE if share is None else f"{100 * share:.1f} %"


def _header(categories: Sequence[str]) -> list[str]:
    return [*FIRST, "n", "accuracy", "95 %", "strict", *categories, *LAST]


def _row(summary: Mapping[str, Any], categories: Sequence[str]) -> list[str]:
    groups = summary["by_category"]
    return [
        summary["method"],
        summary["model"],
        summary["provider"] or NONE,
        str(summary["n"]),
        percent(summary["accuracy"]),
        _interval(summary["ci95"]),
        percent(summary["metrics"].get("accuracy_if_not_understood_is_wrong")),
        *(percent(groups.get(name, {}).get("accuracy")) for name in categories),
        percent(summary["unanswerable"]["false_rate"]),
        _number(summary["llm_calls_mean"], 1),
        _number(summary["tokens_mean"], 0),
        f"{summary['cost_usd']:.4f}",
        _number(summary["latency_s"]["p50"], 3),
        _number(summary["latency_s"]["p95"], 3),
    ]


def _right(run: FinishedRun) -> dict[str, bool]:
    return {record.id: record.correct for record in run.records}


def _interval(ends: Sequence[float] | None) -> str:
    return NONE if ends is None else f"{100 * ends[0]:.1f}–{100 * ends[1]:.1f}"


def _number(value: float | None, digits: int) -> str:
    return NONE if value is None else f"{value:.{digits}f}"
