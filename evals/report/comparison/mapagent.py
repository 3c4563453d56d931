"""MapAgent: figures 1, 4, 5 and 6, tables 2, 3, 5 and 6."""

from collections.abc import Iterable, Iterator, Sequence

from evals.metrics.statistics import compare
from evals.report.comparison.grids import (
    NOT_PRINTED,
    OURS,
    PUBLISHED,
    ROWS_HEAD,
    Cell,
    Grid,
    Section,
    ShownRun,
    not_measured,
    own_row,
    rows_grid,
    text,
)
from evals.report.runs import Stage
from evals.report.table import NONE, PrintedTable, paper

PAPER = "mapagent"
OVERALL = "Overall"
METHOD = "mapagent"
METHODS = (METHOD, "direct", "react", "llm-compiler", "chameleon", "octotools")
STAGES = (Stage.MODULES, Stage.TOOL, Stage.ARGUMENTS, Stage.EXTRACTION)
"""Those of the paper's section 6; figure 5 is about the first."""
RIVALS = {"Figure 4": ("Base Model", "direct"), "Figure 6": ("Octotools", "octotools")}
"""Whom MapAgent is held against in a figure of gains: as printed, and our method."""
LEAKING, MAPPED = "mapqa-leaks-the-answer", "mapqa"
BENCHMARKS = {
    "MapEval-Textual": ("Table 3", "mapeval-textual"),
    "MapEval-API": ("Table 2", "mapeval-api"),
    "MapEval-Visual": ("Table 5", "mapeval-visual"),
    "MapQA": ("Table 6", LEAKING),
}
"""The table and the suite of each benchmark of figure 1."""


def sections(runs: Sequence[ShownRun]) -> Iterator[Section]:
    """The paper's tables and figures in its order."""
    plain = [run for run in runs if run.about.method in METHODS]
    yield figure_1(plain)
    for number in ("Table 2", "Table 3", "Table 5"):
        yield mapeval(number, plain)
    yield table_6(plain)
    yield gains("Figure 4", plain)
    yield figure_5(plain)
    yield gains("Figure 6", plain)


def figure_1(runs: Sequence[ShownRun]) -> Section:
    """The overalls of four benchmarks beside one another."""
    tables = [paper(PAPER).table(number) for number, _ in BENCHMARKS.values()]
    rows = [row for backbone in (0, 1) for row in _overalls(tables, backbone)]
    for method, model in dict.fromkeys((run.about.method, run.about.model) for run in runs):
        mine = [run for run in runs if (run.about.method, run.about.model) == (method, model)]
        cells = [_first(mine, suite) for _, suite in BENCHMARKS.values()]
        if set(cells) != {NONE}:
            rows.append((OURS, model, method, *cells))
    return Section("Figure 1", (Grid((ROWS_HEAD, "LLM", "Method", *BENCHMARKS), tuple(rows)),))


def mapeval(number: str, runs: Sequence[ShownRun]) -> Section:
    """Accuracy by category."""
    table = paper(PAPER).table(number)
    mine = [run for run in runs if run.about.suite == table.suite]
    own = (own_row(run, (run.about.model, run.method), table.columns, _accuracy(table)) for run in mine)
    return Section(number, (rows_grid(table, own),), (*table.notes, *not_measured(mine, METHODS)))


def table_6(runs: Sequence[ShownRun]) -> Section:
    """MapQA: with the places in the question as the authors asked it, and over a map."""
    table = paper(PAPER).table("Table 6")
    leaking = [run for run in runs if run.about.suite == LEAKING]
    mapped = [run for run in runs if run.about.suite == MAPPED and run.on_the_benchmark]
    own = [
        own_row(run, (run.about.model, f"{run.method}, {told}"), table.columns, cell)
        for told, cell, chosen in (
            ("places in the question, their rule", _lenient, leaking),
            ("over a map, their rule", _lenient, mapped),
            ("over a map, our rules", _accuracy(table), mapped),
        )
        for run in chosen
    ]
    notes = (*table.notes, *not_measured(leaking, METHODS, LEAKING), *not_measured(mapped, METHODS, MAPPED))
    return Section("Table 6", (rows_grid(table, own),), notes)


def figure_5(runs: Sequence[ShownRun]) -> Section:
    """Wrong modules and what else went wrong, of all questions."""
    suites = {suite: name for name, (_, suite) in BENCHMARKS.items()} | {MAPPED: "MapQA"}
    mine = [
        run
        for run in runs
        if run.about.suite in suites and run.about.method == METHOD and run.on_the_benchmark
    ]
    unknown = [NONE] * (len(STAGES) + 1)
    own = (
        (OURS, *own_row(run, (suites[run.about.suite], run.label), STAGES, _share_of_stage)) for run in mine
    )
    heads = (ROWS_HEAD, "Benchmark", "Method", *(f"{stage} (%)" for stage in STAGES), "n", "run")
    printed = (PUBLISHED, "all four", "MapAgent", NOT_PRINTED, *unknown)
    return Section("Figure 5", (Grid(heads, (printed, *own)),))


def gains(number: str, runs: Sequence[ShownRun]) -> Section:
    """What MapAgent gains over another method."""
    said = paper(PAPER).table(number)
    theirs, rival = RIVALS[number]
    printed = [(PUBLISHED, *row, f"{_gain(row[0], row[1], theirs):.2f}", NONE) for row in said.rows]
    own = [
        (OURS, name, model, NONE, text(gain, 2, 100), ids)
        for name in dict.fromkeys(row[0] for row in said.rows)
        for model, gain, ids in _own_gains(
            [run for run in runs if run.about.suite == BENCHMARKS[name][1]], rival
        )
    ]
    notes = (
        () if own else (f"Ours not measured: no suite has runs of `{METHOD}` and `{rival}` with one model.",)
    )
    heads = (ROWS_HEAD, *said.heads, "points, from the accuracies", "runs")
    return Section(number, (Grid(heads, (*printed, *own)),), notes)


def _overalls(tables: Sequence[PrintedTable], backbone: int) -> Iterator[tuple[str, ...]]:
    """One row for each method, with the first or second language model of each table."""
    models = [list(dict.fromkeys(row[0] for row in table.rows))[backbone] for table in tables]
    found = [
        {row[1]: row[table.heads.index(OVERALL)] for row in table.rows if row[0] == model}
        for table, model in zip(tables, models, strict=True)
    ]
    for method in dict.fromkeys(name for overalls in found for name in overalls):
        cells = (overalls.get(method, NONE) for overalls in found)
        yield (PUBLISHED, " / ".join(dict.fromkeys(models)), method, *cells)


def _first(runs: Iterable[ShownRun], suite: str) -> str:
    run = next((run for run in runs if run.about.suite == suite), None)
    if run is None:
        return NONE
    overall = _lenient(run, OVERALL) if suite == LEAKING else text(run.figure("accuracy"), 2, 100)
    return f"{overall} (`{run.id}`)"


def _accuracy(table: PrintedTable) -> Cell:
    """By our rules; MapQA's overall is the mean of the types, as the authors take it."""

    def cell(run: ShownRun, column: str) -> str:
        if column != OVERALL:
            return text(run.figure("by_category", table.categories[column], "accuracy"), 2, 100)
        if run.about.suite == MAPPED:
            return text(run.figure("metrics", "macro"), 2, 100)
        return f"{text(run.figure('accuracy'), 2, 100)}{_interval(run)}"

    return cell


def _interval(run: ShownRun) -> str:
    """The 95 % interval behind a share."""
    ends = run.summary["ci95"]
    return f" ({text(ends[0], 1, 100)}–{text(ends[1], 1, 100)})" if ends else ""


def _lenient(run: ShownRun, column: str) -> str:
    """By the authors' rule."""
    path = ("overall",) if column == OVERALL else ("by_type", column.removeprefix("Type "))
    return text(run.figure("metrics", "as_published", *path), 2, 100)


def _share_of_stage(run: ShownRun, stage: str) -> str:
    count = sum(found == stage for found in run.stages.values())
    return text(count / len(run.right) if run.right else None, 2, 100)


def _gain(benchmark: str, model: str, rival: str) -> float:
    table = paper(PAPER).table(BENCHMARKS[benchmark][0])
    overall = {row[1]: table.figures(row)[OVERALL] for row in table.rows if row[0] == model}
    return overall["MapAgent"] - overall[rival]


def _own_gains(runs: Sequence[ShownRun], rival: str) -> Iterator[tuple[str, float, str]]:
    """(model, gain over the questions of both, ids of both runs) of each model that both methods had."""
    for theirs in (run for run in runs if run.about.method == rival):
        for ours in (run for run in runs if run.about.method == METHOD):
            found = compare(ours.right, theirs.right)
            same = (ours.about.model, ours.about.data_sha256) == (
                theirs.about.model,
                theirs.about.data_sha256,
            )
            if same and found.difference is not None:
                yield ours.about.model, found.difference, f"`{ours.id}`, `{theirs.id}`"
