"""GS-QA's templates by output type, MapQA's types by Geo-ReAct's numbers, and how their figures are read."""

from collections.abc import Callable, Iterable

from evals.report.comparison.grids import average
from evals.report.comparison.results import ShownRun
from evals.report.printed import PrintedTable

type Figure = Callable[[ShownRun, str], float | None]
"""A figure of a run for a template or type."""

OUTPUTS = {
    "names": tuple(f"T{number}" for number in range(1, 13)),
    "locations": tuple(f"T{number}" for number in range(13, 21)),
    "directions": ("T21", "T22"),
    "counts": ("T23", "T24"),
    "distances": ("T25", "T26"),
    "areas": ("T27",),
    "lengths": ("T28",),
}
"""Our names of GS-QA's output types, and their templates (GS-QA, table 3)."""
MEAN = "Avg"
"""The row of a printed table with the mean of the others."""
M_TYPES = dict(zip((f"M{number}" for number in range(1, 10)), (1, 4, 2, 3, 5, 6, 9, 8, 7), strict=True))
"""Geo-ReAct's number of a type of MapQA → the benchmark's number (docs/benchmark-audit.md)."""
M_NUMERIC = "M9"
M_ENTITY = tuple(name for name in M_TYPES if name != M_NUMERIC)


def category(name: str) -> str:
    """The category of a template, or of a type of MapQA by Geo-ReAct's number."""
    return f"type {M_TYPES[name]}" if name in M_TYPES else name


def by_template(figure: str) -> Figure:
    """A figure of `evals.suites.scoring.gsqa`."""
    return lambda run, template: run.figure("metrics", "by_template", template, figure)


def kept(figure: str) -> Figure:
    """A figure of `evals.report.measured`."""
    return lambda run, name: run.kept("by_category", category(name), figure)


def their_accuracy(run: ShownRun, name: str) -> float | None:
    """Accuracy of a type of MapQA by Geo-ReAct's rules: containment, and the stored (planar) distance."""
    if name == M_NUMERIC:
        return run.figure("metrics", "type7_planar", "agreement")
    return run.kept("by_category", category(name), "contained")


def output_mean(run: ShownRun, output: str, figure: Figure) -> float | None:
    """The mean over the templates of an output type."""
    return average(figure(run, template) for template in OUTPUTS[output])


def row_figure(table: PrintedTable, run: ShownRun, name: str, figure: Figure) -> float | None:
    """A figure of ours for the row of a template, or for the last row: the mean of the others."""
    if name != MEAN:
        return figure(run, name)
    return average(figure(run, row[0]) for row in table.rows if row[0] != MEAN)


def column_mean(table: PrintedTable, column: str, rows: Iterable[str]) -> float | None:
    """The mean of the printed figures of some rows."""
    wanted = frozenset(rows)
    return average(table.figures(row).get(column) for row in table.rows if row[0] in wanted)
