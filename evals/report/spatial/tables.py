"""The tables of the spatial suites, one function each; rows of text with their header first."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from evals.metrics.statistics import ENTITY_TEMPLATES, NUMERIC_TEMPLATES, macro, mean
from evals.report.runs import FinishedRun
from evals.report.spatial.sql_errors import EMPTY, class_names, classes_of
from evals.report.spatial.traced import share_using, works
from evals.report.table import NONE, percent
from evals.runner.records import Record

SUITES = frozenset({"gsqa", "mapqa", "mapqa-leaks-the-answer"})
TAUS = (0.0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2)
"""Tolerances of numeric answers, as in Geo-ReAct's figure 4."""
NUMERIC = frozenset({*NUMERIC_TEMPLATES, "type 7"})
"""Categories whose answer is a number; all others are entities (Geo-ReAct, table 2)."""
SLACK = 1e-9
ABLATION = (
    "step-by-step",
    "no-parse-question",
    "no-calculate-metric",
    "no-get-region-geometry",
    "no-get-poi-filter",
    "no-resolve-location",
)
"""Variants of `mapagent` in the paper's order (table 5): all tools; then each lacks one more."""

type Rows = list[list[str]]


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its title."""

    title: str
    rows: Rows


def spatial_tables(suite: str, runs: Sequence[FinishedRun]) -> tuple[Table, ...]:
    """The tables for the runs of a suite, without those that would be empty; none for other suites."""
    if suite not in SUITES:
        return ()
    made = (
        Table("Numeric accuracy over the tolerance τ", tolerance_rows(runs)),
        Table("Ablation: tools removed one after the other", ablation_rows(runs)),
        Table("Queries: valid execution and errors by class", query_rows(runs)),
        *(
            Table(f"Tools used in right answers, by category: {run.label}", activation_rows(run))
            for run in runs
        ),
        Table("Tokens a question, by category", cost_rows(runs, lambda record: float(record.tokens), 0)),
        Table("Model calls a question, by category", cost_rows(runs, lambda record: record.llm_calls, 1)),
        Table("Seconds a question, by category", cost_rows(runs, lambda record: record.latency_s, 2)),
        Table("USD a question, by category", cost_rows(runs, lambda record: record.cost_usd, 5)),
    )
    return tuple(table for table in made if len(table.rows) > 1)


def tolerance_rows(runs: Iterable[FinishedRun]) -> Rows:
    """Share of numeric questions right at each τ; questions without a number are wrong at any."""
    rows = [["method", "n", *(f"τ = {tau:g}" for tau in TAUS)]]
    for run in runs:
        errors = [
            record.values.get("relative_error", float("inf"))
            for record in run.records
            if record.category in NUMERIC
        ]
        if errors:
            shares = (sum(error <= tau + SLACK for error in errors) / len(errors) for tau in TAUS)
            rows.append([run.label, str(len(errors)), *map(percent, shares)])
    return rows


def activation_rows(run: FinishedRun) -> Rows:
    """Per category and tool, the share of right answers whose question used the tool (figure 8).

    The last column is the mean over all right answers.
    """
    right = [work for work in works(run) if work.correct]
    names = sorted({tool for work in right for tool in work.tools})
    categories = _ordered({work.category for work in right})
    if not names:
        return [["tool"]]
    rows = [["tool", *categories, "all"]]
    for name in names:
        groups = [[work for work in right if work.category == category] for category in categories]
        rows.append([name, *(percent(share_using(name, group)) for group in (*groups, right))])
    return rows


def ablation_rows(runs: Sequence[FinishedRun]) -> Rows:
    """Entity and numeric macro means of the variants, with what each loses against the whole."""
    rows = [["variant", "entity", "Δ", "numeric", "Δ"]]
    whole: tuple[float | None, float | None] | None = None
    for variant in ABLATION:
        run = next((run for run in runs if run.run.method == f"mapagent:{variant}"), None)
        if run is None:
            continue
        means = _means(run)
        whole = whole or means
        cells = [cell for now, before in zip(means, whole, strict=True) for cell in _loss(now, before)]
        rows.append([variant, *cells])
    return rows if len(rows) > 2 else rows[:1]


def query_rows(runs: Iterable[FinishedRun]) -> Rows:
    """How many queries ran, and how the others failed; a query that found no rows is told apart."""
    names = class_names()
    rows = [["method", "queries", "ran", "ran and found rows", *names]]
    for run in runs:
        queries = [query for work in works(run) for query in work.queries]
        if not queries:
            continue
        classes = classes_of(queries)
        ran = sum(not query.error for query in queries)
        shares = (percent(ran / len(queries)), percent((ran - classes[EMPTY]) / len(queries)))
        rows.append([run.label, str(len(queries)), *shares, *(str(classes[name]) for name in names)])
    return rows


def cost_rows(runs: Iterable[FinishedRun], cost: Callable[[Record], float], digits: int) -> Rows:
    """The mean cost of a question in each category; no rows where nothing costs anything."""
    spent = [run for run in runs if any(map(cost, run.records))]
    categories = _ordered({record.category for run in spent for record in run.records})
    rows = [["method", *categories, "all"]]
    for run in spent:
        groups = [[one for one in run.records if one.category == category] for category in categories]
        means = (mean([float(cost(one)) for one in group]) for group in (*groups, run.records))
        rows.append([run.label, *(NONE if value is None else f"{value:.{digits}f}" for value in means)])
    return rows


def _means(run: FinishedRun) -> tuple[float | None, float | None]:
    """Entity and numeric accuracy, each category counting the same."""
    shares = {name: group["accuracy"] for name, group in run.summary["by_category"].items()}
    numeric = [name for name in shares if name in NUMERIC]
    return macro(shares, [name for name in shares if name not in NUMERIC]), macro(shares, numeric)


def _loss(now: float | None, before: float | None) -> Iterator[str]:
    yield percent(now)
    yield NONE if now is None or before is None else f"{100 * (now - before):+.1f}"


def _ordered(categories: Iterable[str]) -> list[str]:
    """T2 before T10."""
    order = {name: number for number, name in enumerate((*ENTITY_TEMPLATES, *NUMERIC_TEMPLATES))}
    return sorted(categories, key=lambda name: (order.get(name, len(order)), name))
