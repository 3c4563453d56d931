"""The tables that suites have beside those every suite has: spatial questions, recommendations, routes, plans.

One function each; rows of text with their header first.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from evals.metrics.measures import CUTS
from evals.metrics.statistics import ENTITY_TEMPLATES, NUMERIC_TEMPLATES, macro, mean, mean_interval
from evals.report.runs import EMPTY, FinishedRun, class_names, classes_of, share_using, works
from evals.report.table import NONE, paper, percent
from evals.runner.folder import read_trace
from evals.runner.records import Record
from evals.suites.mobility import SCORES, Mobility, mean_scores
from evals.suites.scoring.recommend import APART, RATES, figures

SPATIAL_SUITES = frozenset({"gsqa", "mapqa", "mapqa-leaks-the-answer"})
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
    if suite not in SPATIAL_SUITES:
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


RECOMMEND_SUITES = frozenset({"recommend", "recommend-mapqa", "recommend-tourismqa"})
PUBLISHED_SUITE = "recommend-mapqa"
OURS = "mapagent"
DECIDING = "ndcg@10"
MEASURES = {"precision": "P", "recall": "R", "f1": "F1", "ndcg": "NDCG"}
MODEL_SPAN = "model"
PRINTED_FAMILIES = {"adjacent": "MapQA-ADJ", "around": "MapQA-AME"}
PRINTED_MEASURES = ("Precision", "Recall", "F1", "NDCG")
"""How Spatial-RAG's table 3 calls our families and measures."""


@dataclass(frozen=True, slots=True)
class Pooled:
    """All runs of one method with one model, over whatever maps, and their records that count."""

    label: str
    runs: tuple[FinishedRun, ...]
    records: tuple[Record, ...]

    @property
    def method(self) -> str:
        """The method's name."""
        return self.runs[0].run.method

    def values(self) -> dict[str, float]:
        """The deciding value of each question; 0 where the method failed."""
        return {record.id: record.values.get(DECIDING, 0.0) for record in self.records}


def recommend_tables(suite: str, runs: Sequence[FinishedRun]) -> tuple[Table, ...]:
    """The tables for the runs of a suite, without those that would be empty; none for other suites."""
    if suite not in RECOMMEND_SUITES:
        return ()
    methods = pooled(runs)
    made = (
        Table("Ranking at k", ranking_rows(methods)),
        Table("NDCG@10 by map and by family", group_rows(methods)),
        Table("The whole list, by family", whole_rows(methods, published=suite == PUBLISHED_SUITE)),
        Table("Pass rates of the first place named", rate_rows(methods)),
        Table("NDCG@10 against the others, paired bootstrap", paired_rows(methods)),
        Table("Failures by class", failure_rows(methods)),
        Table("Tokens a question, by stage (read + written)", token_rows(methods)),
    )
    return tuple(table for table in made if len(table.rows) > 1)


def pooled(runs: Sequence[FinishedRun]) -> tuple[Pooled, ...]:
    """The runs by method and model; `mapagent` first, then by name."""
    groups: dict[str, list[FinishedRun]] = defaultdict(list)
    for run in runs:
        groups[f"{run.run.method} · {run.run.model}"].append(run)
    made = (
        Pooled(
            label, tuple(group), tuple(record for run in group for record in run.records if _counts(record))
        )
        for label, group in groups.items()
    )
    return tuple(sorted(made, key=lambda one: (one.method != OURS, one.label)))


def ranking_rows(methods: Sequence[Pooled]) -> Rows:
    """Precision, recall, F1 and NDCG at k (Spatial-RAG, tables 2 and 4)."""
    rows = [["method", "n", *(f"{short}@{k}" for short in MEASURES.values() for k in CUTS)]]
    for one in methods:
        at = figures(record.values for record in one.records)["at"]
        cells = (_figure(at[str(k)][kind]) for kind in MEASURES for k in CUTS)
        rows.append([one.label, str(len(one.records)), *cells])
    return rows


def group_rows(methods: Sequence[Pooled]) -> Rows:
    """The mean of the deciding value over each map, each family, and all."""
    maps = sorted({run.run.provider for one in methods for run in one.runs})
    families = sorted({record.category for one in methods for record in one.records})
    rows = [["method", *maps, *families, "all"]]
    for one in methods:
        by_map = ([r for run in one.runs if run.run.provider == name for r in run.records] for name in maps)
        by_family = ([r for r in one.records if r.category == name] for name in families)
        groups = [*by_map, *by_family, one.records]
        rows.append([one.label, *(_figure(_deciding(group)) for group in groups)])
    return rows


def whole_rows(methods: Sequence[Pooled], *, published: bool) -> Rows:
    """Measures of all that is named, for each family (Spatial-RAG, table 3)."""
    families = sorted({record.category for one in methods for record in one.records})
    rows = [["method", *(f"{name} {short}" for name in families for short in MEASURES.values())]]
    for one in methods:
        cells = []
        for name in families:
            whole = figures(r.values for r in one.records if r.category == name)["whole"]
            cells += [_figure(whole[kind]) for kind in MEASURES]
        rows.append([one.label, *cells])
    return rows + (_published_rows(families) if published else [])


def rate_rows(methods: Sequence[Pooled]) -> Rows:
    """Delivery and the pass rates of the overview of Spatial-RAG's first version, by withheld truth."""
    names = list(RATES.values())
    rows = [["method", *(name.replace("_", "-") for name in names)]]
    for one in methods:
        rates = figures(record.values for record in one.records)["pass_rates"]
        rows.append([one.label, *(percent(rates[name]) for name in names)])
    return rows


def paired_rows(methods: Sequence[Pooled]) -> Rows:
    """`mapagent` minus each other method over common questions, with the 95 % interval."""
    rows = [["mapagent against", "common", "difference", "95 %", "beyond noise"]]
    ours = next((one for one in methods if one.method == OURS), None)
    for other in methods:
        if ours is None or other is ours:
            continue
        mine, theirs = ours.values(), other.values()
        found = mean_interval([mine[key] - theirs[key] for key in sorted(mine.keys() & theirs.keys())])
        if found is not None:
            ends = f"{found.low:+.3f} to {found.high:+.3f}"
            verdict = "yes" if found.beyond_noise else "no"
            rows.append(
                [other.label, str(len(mine.keys() & theirs.keys())), f"{found.mean:+.3f}", ends, verdict]
            )
    return rows


def failure_rows(methods: Sequence[Pooled]) -> Rows:
    """How many questions failed, by class (Spatial-RAG, table 5)."""
    counts = [figures(record.values for record in one.records)["failures"] for one in methods]
    names = sorted({name for failures in counts for name in failures})
    rows = [["method", *names]]
    rows += [
        [one.label, *(str(failures.get(name, 0)) for name in names)]
        for one, failures in zip(methods, counts, strict=True)
    ]
    return rows if names else rows[:1]


def token_rows(methods: Sequence[Pooled]) -> Rows:
    """The mean tokens of each stage that asked a model (Spatial-RAG, table 6)."""
    spent = {one.label: _tokens(one) for one in methods}
    stages = sorted({stage for means in spent.values() for stage in means})
    rows = [["method", *stages]]
    for label, means in spent.items():
        if means:
            rows.append([label, *(_pair(means.get(stage)) for stage in stages)])
    return rows


def _tokens(one: Pooled) -> Mapping[str, tuple[float, float]]:
    """(read, written) tokens of each stage, a mean over all questions."""
    totals: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for run in one.runs:
        for record in run.records:
            for span in (read_trace(run.path, record.id) or {}).get("spans", ()):
                if span["name"] == MODEL_SPAN:
                    told = span["attributes"]
                    totals[told["label"]][0] += int(told.get("prompt_tokens", 0))
                    totals[told["label"]][1] += int(told.get("completion_tokens", 0))
    count = sum(len(run.records) for run in one.runs)
    return {stage: (read / count, written / count) for stage, (read, written) in totals.items()}


def _published_rows(families: Sequence[str]) -> Rows:
    """Spatial-RAG, table 3: measured by its authors with GPT-4-Turbo over the questions of Illinois."""
    table = paper("spatial_rag").table("Table 3")
    figures = {table.label(row): table.figures(row) for row in table.rows}
    return [
        [
            f"{name} (published)",
            *(
                _figure(figures[PRINTED_FAMILIES[family], measure][name])
                for family in families
                for measure in PRINTED_MEASURES
            ),
        ]
        for name in table.columns
    ]


def _deciding(records: Iterable[Record]) -> float | None:
    return mean([record.values.get(DECIDING, 0.0) for record in records if _counts(record)])


def _counts(record: Record) -> bool:
    return not record.values.get(APART)


def _figure(value: float | None) -> str:
    return NONE if value is None else f"{value:.3f}"


def _pair(tokens: tuple[float, float] | None) -> str:
    return NONE if tokens is None else f"{tokens[0]:.0f} + {tokens[1]:.0f}"


def mobility_tables(suite: str, runs: Sequence[FinishedRun]) -> tuple[Table, ...]:
    """The five scores of route planning, of all queries and by class; none for other suites."""
    if suite != Mobility.name:
        return ()
    rows = [["method", "class", *(name.replace("_", " ") for name in SCORES)]]
    for run in runs:
        groups = {"all": run.records, **_by_class(run.records)}
        for name, group in groups.items():
            means = mean_scores(record.values for record in group)
            rows.append([run.label, name, *map(_figure, means.values())])
    return (Table("Scores, each 0 to 1", rows),)


def _by_class(records: Iterable[Record]) -> dict[str, list[Record]]:
    groups: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        groups[record.category].append(record)
    return dict(sorted(groups.items()))


def plan_tables(suite: str, runs: Sequence[FinishedRun]) -> tuple[Table, ...]:
    """Plans of a day as TravelPlanner tells them; none for other suites."""
    if suite != "travelplans":
        return ()
    rows = [["method", "delivered", "possible", "hard micro", "hard macro", "final", "infeasible said"]]
    for run in runs:
        told = run.summary["metrics"]
        shares = [told[name] for name in ("delivery", "possible", "hard_micro", "hard_macro")]
        shares += [told[name]["share"] for name in ("final", "infeasible_said")]
        rows.append([run.label, *map(percent, shares)])
    return (Table("Plans", rows),)


def own_tables(suite: str, runs: Sequence[FinishedRun]) -> tuple[Table, ...]:
    """The suite's own tables for some runs; none for suites without."""
    tables = (spatial_tables, recommend_tables, mobility_tables, plan_tables)
    return tuple(table for made in tables for table in made(suite, runs))
