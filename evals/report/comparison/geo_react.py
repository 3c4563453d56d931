"""Geo-ReAct: table 2, and table 4, from which figures 2 and 3 can be read over GS-QA."""

from collections.abc import Iterator, Sequence

from evals.metrics.statistics import ENTITY_TEMPLATES, NUMERIC_TEMPLATES
from evals.report.comparison.geo_react_figures import by_output, costs, figure_4, figure_8
from evals.report.comparison.grids import (
    PUBLISHED,
    Grid,
    LabelCell,
    Section,
    average,
    columns_grid,
    not_measured,
    own_row,
    rows_grid,
    text,
)
from evals.report.comparison.results import ShownRun
from evals.report.comparison.templates import (
    M_ENTITY,
    M_NUMERIC,
    by_template,
    category,
    column_mean,
    row_figure,
    their_accuracy,
)
from evals.report.printed import PrintedTable, paper
from evals.report.table import NONE

PAPER = "geo_react"
METHODS = ("mapagent", "mapagent:step-by-step", "text-to-sql", "raise", "chess")
GSQA, MAPQA = "gsqa", "mapqa"
PARTS = {
    "Table 4a": "accuracy",
    "Table 4b": "ver",
    "Table 4c": "parsed_f1_attempted",
    "Table 4d": "angle_error_attempted",
    "Table 4e": "relative_error_attempted",
}
"""Parts of table 4, and our figure of a template (`evals.suites.scoring.gsqa`)."""
WITHOUT_TABLE_4 = ("LLM Calls", "Tokens (1k)", "Latency (s)", "n", "run")
KILO = 1000.0


def sections(runs: Sequence[ShownRun]) -> Iterator[Section]:
    """The paper's tables and figures in its order."""
    chosen = [run for run in runs if run.about.method in METHODS and run.on_the_benchmark]
    gsqa, mapqa = ([run for run in chosen if run.about.suite == suite] for suite in (GSQA, MAPQA))
    yield table_2(gsqa, mapqa)
    yield by_output("Figure 2", gsqa, mapqa)
    yield by_output("Figure 3", gsqa, mapqa)
    yield figure_4(gsqa, mapqa)
    for number in ("Figure 5", "Figure 6", "Figure 7"):
        yield costs(number, gsqa, mapqa)
    yield figure_8(gsqa, mapqa)
    yield table_4(gsqa)


def table_2(gsqa: Sequence[ShownRun], mapqa: Sequence[ShownRun]) -> Section:
    """Accuracy, valid queries and cost over both benchmarks."""
    first, second = (paper(PAPER).table(number) for number in ("Table 2a", "Table 2b"))
    own = [own_row(run, (run.label,), first.columns, _gsqa) for run in gsqa]
    own += [
        own_row(run, (f"{run.label}, gold follows",), first.columns, _headline, n=run.summary["n"])
        for run in gsqa
    ]
    beside = [own_row(run, (f"{run.label}, their rules",), second.columns, _mapqa) for run in mapqa]
    beside += [own_row(run, (f"{run.label}, our rules",), second.columns, _mapqa_own) for run in mapqa]
    over_gsqa = rows_grid(first, own)
    printed = len(first.rows)
    rows = (*over_gsqa.rows[:printed], *_from_table_4(), *over_gsqa.rows[printed:])
    grids = (Grid(over_gsqa.heads, rows), rows_grid(second, beside))
    missing = (*not_measured(gsqa, METHODS, GSQA), *not_measured(mapqa, METHODS, MAPQA))
    return Section("Table 2", grids, (*first.notes, *missing))


def table_4(gsqa: Sequence[ShownRun]) -> Section:
    """GS-QA by template."""
    grids = []
    for number, figure in PARTS.items():
        table = paper(PAPER).table(number)
        grid = columns_grid(table, gsqa, _of_template(table, figure))
        part = table.title.partition(": ")[2]
        grids.append(Grid((f"{part}, by template", *grid.heads[1:]), grid.rows))
    return Section("Table 4", tuple(grids), not_measured(gsqa, METHODS, GSQA))


def _of_template(table: PrintedTable, figure: str) -> LabelCell:
    read = by_template(figure)
    return lambda run, label: text(row_figure(table, run, label[0], read), 2)


def _gsqa(run: ShownRun, column: str) -> str:
    """All questions, as the paper counts them."""
    names = {"Ent.": "entity_macro", "Num.": "numeric_macro"}
    return _percent(run, "metrics", names[column]) if column in names else _shared(run, column)


def _headline(run: ShownRun, column: str) -> str:
    """The questions whose gold follows from the extract."""
    names = {"Ent.": "headline_entity_macro", "Num.": "headline_numeric_macro", "VER": "headline_ver"}
    return _percent(run, "metrics", names[column]) if column in names else NONE


def _mapqa(run: ShownRun, column: str) -> str:
    """By the authors' rules."""
    if names := _answers(column):
        return text(average(their_accuracy(run, name) for name in names), 1, 100)
    return _shared(run, column)


def _mapqa_own(run: ShownRun, column: str) -> str:
    """By our rules."""
    shares = (run.figure("by_category", category(name), "accuracy") for name in _answers(column))
    return text(average(shares), 1, 100)


def _answers(column: str) -> tuple[str, ...]:
    """The types of MapQA that a column of accuracies is over; none for the other columns."""
    return {"Ent.": M_ENTITY, "Num.": (M_NUMERIC,)}.get(column, ())


def _shared(run: ShownRun, column: str) -> str:
    figures = {
        "LLM Calls": (run.figure("llm_calls_mean"), 1.0),
        "Tokens (1k)": (run.figure("tokens_mean"), 1 / KILO),
        "Latency (s)": (run.kept("latency_mean_s"), 1.0),
        "VER": (run.figure("metrics", "ver"), 100.0),
    }
    value, scale = figures[column]
    return text(value, 1, scale)


def _percent(run: ShownRun, *path: str) -> str:
    return text(run.figure(*path), 1, 100)


def _from_table_4() -> Iterator[tuple[str, ...]]:
    """The means of table 2 from the templates of table 4, with a decimal more than is printed."""
    accuracy, ver = (paper(PAPER).table(number) for number in ("Table 4a", "Table 4b"))
    for system in accuracy.columns:
        means = (
            column_mean(accuracy, system, ENTITY_TEMPLATES),
            column_mean(accuracy, system, NUMERIC_TEMPLATES),
            column_mean(ver, system, (*ENTITY_TEMPLATES, *NUMERIC_TEMPLATES)),
        )
        told = (text(value, 2, 100) for value in means)
        yield (PUBLISHED, f"{system}, from table 4", *told, *[NONE] * len(WITHOUT_TABLE_4))
