"""Figures of runs as rows of text, and the tables that papers print (`papers/NAME.toml`).

A printed table is checked by working its figures out again; its rows stand for scale beside ours.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import combinations
from typing import Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from evals.metrics.statistics import compare
from evals.report.runs import FinishedRun
from map_tools.types import Frozen

PAPERS = ("mapagent", "geo_react", "spatial_rag", "gs_qa")
_FIGURE = re.compile(r"\d+(\.\d+)?%?")
_MEAN_UNITS = 1.5
"""Rounding takes a printed mean of rounded figures at most one unit of its last place away."""


class Check(Frozen):
    """A printed figure that follows from others.

    Attributes:
        row, column: The row or column (exactly one of the two) that follows.
        rule: From the mean or the sum of the others.
        of: Rows or columns it follows from, with their weights (1 if they are a list).
    """

    row: str = ""
    column: str = ""
    rule: Literal["mean", "sum"]
    of: Mapping[str, float]

    @field_validator("of", mode="before")
    @classmethod
    def _weights(cls, value: Any) -> Any:
        return dict.fromkeys(value, 1.0) if isinstance(value, list) else value

    def expected(self, figures: Mapping[str, float]) -> float | None:
        """What the others give; None if one of them is missing."""
        if not self.of.keys() <= figures.keys():
            return None
        total = sum(weight * figures[name] for name, weight in self.of.items())
        return total / sum(self.of.values()) if self.rule == "mean" else total

    def allowed(self, unit: float) -> float:
        """How far from `expected` is still rounding; `unit` is that of the printed figure's last place."""
        return unit * (_MEAN_UNITS if self.rule == "mean" else (len(self.of) + 1) / 2)


class PrintedTable(Frozen):
    """One table, or one part of a table whose parts have columns of their own.

    Attributes:
        number: As printed; parts have a letter behind it. Figures stand for what the text says about them.
        heads: The heads of all columns; the first `labels` of them name a row.
        rows: The cells as printed, "?" where the text of the paper does not tell.
        notes: What the paper says elsewhere that does not agree.
        suite, questions, map, categories: Of tables of accuracy: our suite, how many questions the authors
            asked, of which map, and our names of the columns.
    """

    number: str
    title: str
    heads: tuple[str, ...]
    labels: int
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()
    suite: str = ""
    questions: int = 0
    map: str = ""
    categories: Mapping[str, str] = {}

    @field_validator("heads", mode="before")
    @classmethod
    def _split_heads(cls, value: str) -> tuple[str, ...]:
        return _cells(value)

    @field_validator("rows", mode="before")
    @classmethod
    def _split_rows(cls, value: str) -> tuple[tuple[str, ...], ...]:
        return tuple(_cells(line) for line in value.strip().splitlines())

    @model_validator(mode="after")
    def _rectangular(self) -> Self:
        for row in self.rows:
            if len(row) != len(self.heads):
                raise ValueError(
                    f"{self.number}: the row {row[0]} has {len(row)} cells, not {len(self.heads)}"
                )
        return self

    @property
    def columns(self) -> tuple[str, ...]:
        """Heads of the columns with figures."""
        return self.heads[self.labels :]

    def label(self, row: Sequence[str]) -> tuple[str, ...]:
        """The cells that name a row."""
        return tuple(row[: self.labels])

    def figures(self, row: Sequence[str]) -> dict[str, float]:
        """The figures of a row by the head of their column, without what is no figure."""
        cells = zip(self.columns, row[self.labels :], strict=True)
        return {name: float(cell.rstrip("%")) for name, cell in cells if _FIGURE.fullmatch(cell)}

    def recomputed(self) -> dict[tuple[tuple[str, ...], str], float]:
        """Figures that do not follow from the others: (label of the row, column) → what does follow."""
        found: dict[tuple[tuple[str, ...], str], float] = {}
        for check in self.checks:
            for row in self.rows:
                if check.column:
                    found |= self._off(check, row, check.column, self.figures(row))
                elif check.row == row[0]:
                    for column in self.columns:
                        found |= self._off(check, row, column, self._down(column))
        return found

    def _down(self, column: str) -> dict[str, float]:
        """The figures of a column by the first cell of their row."""
        return {row[0]: figures[column] for row in self.rows if column in (figures := self.figures(row))}

    def _off(
        self, check: Check, row: Sequence[str], column: str, others: Mapping[str, float]
    ) -> dict[tuple[tuple[str, ...], str], float]:
        printed, expected = self.figures(row).get(column), check.expected(others)
        if printed is None or expected is None:
            return {}
        unit = 10.0 ** -decimals(row[self.heads.index(column)])
        return {(self.label(row), column): expected} if abs(printed - expected) >= check.allowed(unit) else {}


class Paper(Frozen):
    """The tables of one paper that are compared."""

    name: str
    source: str
    tables: tuple[PrintedTable, ...]

    def table(self, number: str) -> PrintedTable:
        """The table of this number."""
        return next(table for table in self.tables if table.number == number)


@lru_cache(maxsize=len(PAPERS))
def paper(name: str) -> Paper:
    """One of `PAPERS`."""
    return Paper.model_validate(
        tomllib.loads((files("evals.report") / "papers" / f"{name}.toml").read_text("utf-8"))
    )


def decimals(cell: str) -> int:
    """How many decimals a printed figure has."""
    return len(cell.rstrip("%").partition(".")[2])


def _cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.split("|"))


_PAPER = "mapagent"
_OVERALL = "Overall"


class PublishedRow(Frozen):
    """One printed row; all figures in percent.

    Attributes:
        questions: How many the authors asked, and of which map.
        overall: As printed. `categories`: as printed, by our names of the categories.
        recomputed: The overall that follows from the printed categories.
        consistent: True if the printed overall follows from the printed categories, up to rounding.
    """

    suite: str
    method: str
    model: str
    questions: int
    map: str
    overall: float
    categories: Mapping[str, float]
    recomputed: float = Field(ge=0, le=100)
    consistent: bool


def published_rows(suite: str) -> tuple[PublishedRow, ...]:
    """The printed rows of a suite; none for a suite nobody printed."""
    return tuple(row for row in _rows() if row.suite == suite)


@lru_cache(maxsize=1)
def _rows() -> tuple[PublishedRow, ...]:
    return tuple(row for table in paper(_PAPER).tables if table.suite for row in _of_table(table))


def _of_table(table: PrintedTable) -> Iterator[PublishedRow]:
    (check,) = table.checks
    off = table.recomputed()
    for cells in table.rows:
        model, method = table.label(cells)
        figures = table.figures(cells)
        yield PublishedRow(
            suite=table.suite,
            method=method,
            model=model,
            questions=table.questions,
            map=table.map,
            overall=figures[_OVERALL],
            categories={ours: figures[printed] for printed, ours in table.categories.items()},
            recomputed=round(check.expected(figures) or 0.0, 2),
            consistent=((model, method), _OVERALL) not in off,
        )


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


def markdown(rows: Sequence[Sequence[str]]) -> str:
    """The rows as a Markdown table, header first."""
    header, *body = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join([header, f"|{' --- |' * len(rows[0])}", *body])


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
