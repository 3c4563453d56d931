"""The tables of recommendations, one function each; rows of text with their header first."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evals.metrics.ranking import CUTS
from evals.metrics.statistics import mean, mean_interval
from evals.report.printed import paper
from evals.report.runs import FinishedRun
from evals.report.spatial.tables import Rows, Table
from evals.report.table import NONE, percent
from evals.runner.folder import read_trace
from evals.runner.records import Record
from evals.suites.scoring.recommend import APART, RATES, figures

SUITES = frozenset({"recommend", "recommend-mapqa", "recommend-tourismqa"})
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
    if suite not in SUITES:
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
