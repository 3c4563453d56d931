"""GS-QA: tables 7 to 13."""

from collections.abc import Callable, Iterator, Sequence

from evals.report.comparison.grids import (
    MEAN,
    OUTPUTS,
    Figure,
    Section,
    ShownRun,
    average,
    by_template,
    columns_grid,
    kept,
    not_measured,
    output_mean,
    row_figure,
    text,
)
from evals.report.table import PrintedTable, paper

PAPER = "gs_qa"
SUITE, SQL = "gsqa", "text-to-sql"
METHODS = ("mapagent", "direct-gsqa", SQL, "rag", "random")
"""The paper's baselines and ours."""
SHOWN = (*METHODS, "mapagent:step-by-step", "raise", "chess")
TYPES = {
    "Name": "names",
    "Loc": "locations",
    "Direction": "directions",
    "Angle": "directions",
    "Area": "areas",
    "Count": "counts",
    "Distance": "distances",
    "Length": "lengths",
}
"""Output types as tables 7 and 8 call them, and as we do."""
BY_TEMPLATE: dict[str, Figure] = {
    "Table 9a": kept("recall"),
    "Table 9b": by_template("parsed_f1_attempted"),
    "Table 10a": by_template("parsed_f1_attempted"),
    "Table 10b": by_template("distance_error_attempted"),
    "Table 11a": by_template("parsed_f1_attempted"),
    "Table 11b": by_template("angle_error_attempted"),
    "Table 12": by_template("relative_error_attempted"),
}
"""Our figure of a template that a table shows."""
ERRORS = {
    "Timeout": "too slow",
    "Column not found": "unknown column",
    "Function not found": "function",
    "Syntax error": "syntax",
    "Relation not found": "unknown table",
    "Other": "other",
}
"""Rows of table 13 that our classes of errors have too (`evals.report.runs`)."""
VALID, INVALID, TIMEOUT = "Valid SQL", "Invalid SQL", "Timeout"
NO_FAULTS = frozenset({"n", "no rows", ERRORS[TIMEOUT]})
"""What is counted of queries, and is no fault of theirs: as in the paper, one that was stopped is valid."""

type PlaceCell = Callable[[PrintedTable, ShownRun, str], float | None]


def sections(runs: Sequence[ShownRun]) -> Iterator[Section]:
    """The paper's tables in its order; parts of one table one after the other."""
    asked = [
        run for run in runs if run.about.suite == SUITE and run.about.method in SHOWN and run.on_the_benchmark
    ]
    yield _section("Table 7", asked, _by_type(_attempted))
    yield _section("Table 8", asked, _by_type(_free_text_f1))
    for number, figure in BY_TEMPLATE.items():
        yield _section(number, asked, _by_template(figure))
    yield table_13([run for run in asked if run.about.method == SQL])


def table_13(runs: Sequence[ShownRun]) -> Section:
    """What became of queries."""
    table = paper(PAPER).table("Table 13")
    return Section("Table 13", (columns_grid(table, runs, _queries),), not_measured(runs, (SQL,)))


def _section(number: str, runs: Sequence[ShownRun], cell: PlaceCell) -> Section:
    table = paper(PAPER).table(number)
    grid = columns_grid(table, runs, lambda run, label: text(cell(table, run, label[0]), 2))
    return Section(number, (grid,), (*table.notes, *not_measured(runs, METHODS)))


def _by_template(figure: Figure) -> PlaceCell:
    return lambda table, run, name: row_figure(table, run, name, figure)


def _by_type(figure: Figure) -> PlaceCell:
    """Rows are output types; the last is their mean."""

    def cell(_table: PrintedTable, run: ShownRun, name: str) -> float | None:
        return average(figure(run, each) for each in OUTPUTS) if name == MEAN else figure(run, TYPES[name])

    return cell


def _attempted(run: ShownRun, output: str) -> float | None:
    return run.figure("metrics", "by_type", output, "attempted")


def _free_text_f1(run: ShownRun, output: str) -> float | None:
    return output_mean(run, output, kept("f1"))


def _queries(run: ShownRun, label: tuple[str, ...]) -> str:
    """A share of all queries in %."""
    (name,) = label
    counts = run.measured.get("queries", {})
    written = counts.get("n")
    if not written or name not in {VALID, INVALID, *ERRORS}:
        return text(None, 1)
    invalid = sum(count for kind, count in counts.items() if kind not in NO_FAULTS)
    found = {VALID: written - invalid, INVALID: invalid}.get(name)
    return text((counts.get(ERRORS[name], 0) if found is None else found) / written, 1, 100)
