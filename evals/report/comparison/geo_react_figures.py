"""Geo-ReAct: figures 2 to 8."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from evals.metrics.errors import ENTITY_TAUS, NUMBER_TAUS
from evals.metrics.statistics import ENTITY_TEMPLATES, NUMERIC_TEMPLATES
from evals.report.comparison.grids import (
    OURS,
    PUBLISHED,
    Grid,
    Section,
    average,
    column_head,
    not_measured,
    text,
)
from evals.report.comparison.results import ShownRun
from evals.report.comparison.templates import (
    M_TYPES,
    OUTPUTS,
    Figure,
    by_template,
    column_mean,
    kept,
    output_mean,
    their_accuracy,
)
from evals.report.printed import PrintedTable, paper
from evals.report.table import NONE

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
