"""Geo-ReAct: table 2, table 4, from which figures 2 and 3 can be read over GS-QA, and figures 2 to 8."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from evals.metrics.measures import ENTITY_TAUS, NUMBER_TAUS
from evals.metrics.statistics import ENTITY_TEMPLATES, NUMERIC_TEMPLATES
from evals.report.comparison.grids import (
    M_ENTITY,
    M_NUMERIC,
    M_TYPES,
    OURS,
    OUTPUTS,
    PUBLISHED,
    Figure,
    Grid,
    LabelCell,
    Section,
    ShownRun,
    average,
    by_template,
    category,
    column_head,
    column_mean,
    columns_grid,
    kept,
    not_measured,
    output_mean,
    own_row,
    row_figure,
    rows_grid,
    text,
    their_accuracy,
)
from evals.report.table import NONE, PrintedTable, paper

PAPER = "geo_react"
LOOP = "mapagent:step-by-step"
"""Geo-ReAct's own loop."""
MEASURES: dict[str, tuple[str, Figure, Figure]] = {
    "Figure 2": ("Table 4b", by_template("ver"), kept("executed")),
    "Figure 3": ("Table 4a", by_template("accuracy"), their_accuracy),
}
"""The part of table 4 with the same measure, our figure of a template of GS-QA, and of a type of MapQA."""
COSTS = {
    "Figure 5": ("latency_s", "Latency (s)", 1.0),
    "Figure 6": ("llm_calls", "LLM Calls", 1.0),
    "Figure 7": ("tokens", "Tokens (1k)", 0.001),
}
"""Our figure, the column of table 2 with its mean, and our scale."""
TOLERANCES = (("entity", "Ent.", 1.0, ENTITY_TAUS), ("numeric", "Num.", 0.1, NUMBER_TAUS))
"""Kind of answers, its column of table 2, the τ of that column, and all τ."""
PLANAR = ("type7_planar", "sensitivity_planar")
ALL = "all"


def by_output(number: str, gsqa: Sequence[ShownRun], mapqa: Sequence[ShownRun]) -> Section:
    """A measure by output type of GS-QA (means of the templates) and by type of MapQA."""
    part, of_template, of_type = MEASURES[number]
    printed = paper(PAPER).table(part)
    outputs = (
        (
            _span(output, templates),
            *(text(column_mean(printed, column, templates), 1, 100) for column in printed.columns),
            *(text(output_mean(run, output, of_template), 1, 100) for run in gsqa),
        )
        for output, templates in OUTPUTS.items()
    )
    types = (
        (_type(name), *_dashes(printed.columns), *(text(of_type(run, name), 1, 100) for run in mapqa))
        for name in M_TYPES
    )
    over_gsqa = Grid(_heads("GS-QA", printed.columns, gsqa), tuple(outputs))
    return Section(number, (over_gsqa, Grid(_heads("MapQA", printed.columns, mapqa), tuple(types))))


def figure_4(gsqa: Sequence[ShownRun], mapqa: Sequence[ShownRun]) -> Section:
    """Accuracy over the tolerance."""
    first, second = (paper(PAPER).table(part) for part in ("Table 2a", "Table 2b"))
    own = [
        (f"distances as stored (planar), τ = {tau:g}", *_dashes(second.rows), *_planar(mapqa, tau))
        for tau in NUMBER_TAUS
    ]
    over_mapqa = (*_over_tau(second, mapqa), *own)
    return Section(
        "Figure 4",
        (
            Grid(_heads("GS-QA", _systems(first), gsqa), tuple(_over_tau(first, gsqa))),
            Grid(_heads("MapQA", _systems(second), mapqa), over_mapqa),
        ),
    )


def costs(number: str, gsqa: Sequence[ShownRun], mapqa: Sequence[ShownRun]) -> Section:
    """What a question costs, by output type of GS-QA and by type of MapQA."""
    outputs = OUTPUTS | {ALL: (*ENTITY_TEMPLATES, *NUMERIC_TEMPLATES)}
    types = {_type(name): (name,) for name in M_TYPES} | {ALL: tuple(M_TYPES)}
    first, second = (paper(PAPER).table(part) for part in ("Table 2a", "Table 2b"))
    return Section(
        number,
        (
            Grid(_heads("GS-QA", _systems(first), gsqa), tuple(_costs(number, first, gsqa, outputs))),
            Grid(_heads("MapQA", _systems(second), mapqa), tuple(_costs(number, second, mapqa, types))),
        ),
    )


def figure_8(gsqa: Sequence[ShownRun], mapqa: Sequence[ShownRun]) -> Section:
    """Which tools right answers used."""
    said = paper(PAPER).table("Figure 8")
    runs = [run for run in (*gsqa, *mapqa) if run.measured.get("tools")]
    known = {row[0]: row[1:] for row in said.rows}
    tools = dict.fromkeys([*known, *(tool for run in runs for tool in run.measured["tools"][ALL])])
    rows = (
        (
            tool,
            *known.get(tool, tuple(_dashes(said.columns))),
            *(text(run.kept("tools", ALL, tool), 1, 100) for run in runs),
        )
        for tool in tools
    )
    printed = (f"{name} ({PUBLISHED})" for name in said.columns)
    heads = ("tool", *printed, *(f"{run.about.suite}: {column_head(run)}" for run in runs))
    loops = [run for run in runs if run.about.method == LOOP]
    return Section(
        "Figure 8", (Grid(heads, tuple(rows)), *map(_activation, loops)), not_measured(loops, (LOOP,))
    )


def _over_tau(table: PrintedTable, runs: Sequence[ShownRun]) -> Iterator[tuple[str, ...]]:
    """A row for each τ; table 2 prints the values at one of them."""
    for kind, column, default, taus in TOLERANCES:
        position = table.heads.index(column)
        for tau in taus:
            printed = (row[position] if tau == default else NONE for row in table.rows)
            own = (text(run.kept("sensitivity", kind, f"{tau:g}"), 1, 100) for run in runs)
            yield (f"{kind}, τ = {tau:g}", *printed, *own)


def _planar(runs: Sequence[ShownRun], tau: float) -> Iterator[str]:
    return (text(run.figure("metrics", *PLANAR, f"{tau:g}"), 1, 100) for run in runs)


def _costs(
    number: str, table: PrintedTable, runs: Sequence[ShownRun], groups: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, ...]]:
    """A row for each group of templates or types; table 2 prints the mean over all."""
    figure, column, scale = COSTS[number]
    read, position = kept(figure), table.heads.index(column)
    for name, members in groups.items():
        printed = (row[position] if name == ALL else NONE for row in table.rows)
        own = (text(average(read(run, each) for each in members), 1, scale) for run in runs)
        yield (name, *printed, *own)


def _activation(run: ShownRun) -> Grid:
    """Tools by category, as the figure has them."""
    tools = run.measured["tools"]
    names = tuple(tools[ALL])
    rows = ((name, *(text(run.kept("tools", name, tool), 1, 100) for tool in names)) for name in tools)
    return Grid((f"{run.about.suite}: {run.label}, `{run.id}` ({OURS})", *names), tuple(rows))


def _heads(first: str, systems: Iterable[str], runs: Iterable[ShownRun]) -> tuple[str, ...]:
    return (first, *(f"{name} ({PUBLISHED})" for name in systems), *map(column_head, runs))


def _systems(table: PrintedTable) -> Iterator[str]:
    return (row[0] for row in table.rows)


def _dashes(columns: Iterable[object]) -> Iterator[str]:
    return (NONE for _ in columns)


def _span(output: str, templates: Sequence[str]) -> str:
    """Such as “names (T1–T12)”."""
    return f"{output} ({'–'.join(dict.fromkeys((templates[0], templates[-1])))})"


def _type(name: str) -> str:
    return f"{name} (type {M_TYPES[name]})"


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
