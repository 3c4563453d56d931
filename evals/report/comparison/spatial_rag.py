"""Spatial-RAG: tables 2 to 4."""

from collections.abc import Iterator, Sequence

from evals.report.comparison.grids import (
    Section,
    ShownRun,
    columns_grid,
    not_measured,
    own_row,
    rows_grid,
    text,
)
from evals.report.table import paper

PAPER = "spatial_rag"
METHODS = ("mapagent", "sort-by-distance", "text-embedding", "spatial-text", "naive-rag", "geollm", "react")
ABLATIONS = (
    "mapagent:no-sparse-spatial",
    "mapagent:no-dense-spatial",
    "mapagent:no-dense-semantic",
    "mapagent:no-reranking",
    "mapagent:no-pareto",
)
MODEL_ABLATIONS = ("text-to-sql", "direct")
"""“Scratch” and “w/o RAG”."""
TOURISM, WISHES, MAPQA = "recommend-tourismqa", "recommend", "recommend-mapqa"
WISH_FAMILIES = frozenset({"point", "route", "region"})
"""Families of wishes; the suite has sets of places beside a place too."""
FAMILIES = {"MapQA-ADJ": "adjacent", "MapQA-AME": "around"}
DIGITS = 4


def sections(runs: Sequence[ShownRun]) -> Iterator[Section]:
    """The paper's tables in its order."""
    travel = [run for run in runs if _is_travel(run)]
    ablated = {run.source for run in travel if run.about.method in ABLATIONS}
    yield table_2([run for run in travel if run.source not in ablated])
    yield table_3([run for run in runs if run.about.suite == MAPQA])
    yield table_4([run for run in travel if run.source in ablated])


def table_2(runs: Sequence[ShownRun]) -> Section:
    """Ranking of recommendations."""
    table = paper(PAPER).table("Table 2")
    own = (own_row(run, (run.about.provider, run.about.method), table.columns, _at) for run in runs)
    return Section("Table 2", (rows_grid(table, own),), (*table.notes, *not_measured(runs, METHODS)))


def table_3(runs: Sequence[ShownRun]) -> Section:
    """Places beside and around a place."""
    table = paper(PAPER).table("Table 3")
    return Section("Table 3", (columns_grid(table, runs, _whole),), not_measured(runs, METHODS))


def table_4(runs: Sequence[ShownRun]) -> Section:
    """Ablations: runs of one file of results, the whole recommender among them."""
    table = paper(PAPER).table("Table 4")
    own = (own_row(run, (f"{run.about.method} ({run.about.provider})",), table.columns, _at) for run in runs)
    missing = not_measured(runs, (*ABLATIONS, *MODEL_ABLATIONS))
    return Section("Table 4", (rows_grid(table, own),), missing)


def _is_travel(run: ShownRun) -> bool:
    wishes = run.about.suite == WISHES and run.summary["by_category"].keys() <= WISH_FAMILIES
    return wishes or run.about.suite == TOURISM


def _at(run: ShownRun, column: str) -> str:
    """A cell such as “NDCG @10”."""
    measure, _, k = column.partition(" @")
    return text(run.figure("metrics", "headline", "at", k, measure.lower()), DIGITS)


def _whole(run: ShownRun, label: tuple[str, ...]) -> str:
    """A measure of the whole list, of one family."""
    family, measure = label
    return text(run.figure("metrics", "by_family", FAMILIES[family], "whole", measure.lower()), DIGITS)
