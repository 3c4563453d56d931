"""Tables of recommendations from records and traces written by hand."""

from argparse import Namespace
from pathlib import Path

import pytest

from evals.report.own_tables import (
    failure_rows,
    group_rows,
    paired_rows,
    pooled,
    ranking_rows,
    rate_rows,
    recommend_tables,
    token_rows,
    whole_rows,
)
from evals.report.page import page, report
from evals.report.runs import FinishedRun
from evals.runner.records import Record
from tests.evals.finished import finished, record, span

SUITE = "recommend"


def judged(number: int, ndcg: float, category: str = "point", **more: float) -> Record:
    values = {"ndcg@10": ndcg, "delivered": 1.0, "lies": 1.0, "apart": 0.0, **more}
    return record(number, category, correct=ndcg == 1, values=values)


def run(folder: Path, method: str, provider: str, *records: Record, suite: str = SUITE) -> FinishedRun:
    return finished(folder, *records, method=method, provider=provider, suite=suite)


@pytest.fixture
def runs(tmp_path: Path) -> list[FinishedRun]:
    return [
        run(tmp_path, "sort-by-distance", "osm:a", judged(1, 0.0), judged(2, 0.5, "route")),
        run(
            tmp_path, "mapagent", "osm:a", judged(1, 1.0), judged(2, 0.5, "route"), judged(3, 0.0, apart=1.0)
        ),
        run(tmp_path, "mapagent", "osm:b", judged(4, 0.0, **{"failure:ranking": 1.0})),
    ]


def test_maps_are_pooled_and_ours_comes_first(runs: list[FinishedRun]) -> None:
    ours, other = pooled(runs)
    assert (ours.label, other.label) == ("mapagent · offline", "sort-by-distance · offline")
    assert [one.id for one in ours.records] == ["1", "2", "4"]  # what stands apart does not count


def test_ndcg_by_map_and_by_family(runs: list[FinishedRun]) -> None:
    assert group_rows(pooled(runs)) == [
        ["method", "osm:a", "osm:b", "point", "route", "all"],
        ["mapagent · offline", "0.750", "0.000", "0.500", "0.500", "0.500"],
        ["sort-by-distance · offline", "0.250", "–", "0.000", "0.500", "0.250"],
    ]


def test_differences_are_over_common_questions(runs: list[FinishedRun]) -> None:
    (_, row) = paired_rows(pooled(runs))
    assert row[:3] == ["sort-by-distance · offline", "2", "+0.500"]
    assert row[4] == "no"  # of two questions one is equal: an interval from 0 to 1
    assert paired_rows(pooled(runs[:1])) == paired_rows([])


def test_measures_at_k_and_of_the_whole_list(tmp_path: Path) -> None:
    values = {f"{kind}@{k}": 0.25 for kind in ("precision", "recall", "f1", "ndcg") for k in (1, 3, 5, 10)}
    methods = pooled([run(tmp_path, "mapagent", "osm:a", judged(1, 0.25, "around", **values, precision=0.5))])
    header, row = ranking_rows(methods)
    assert (header[2], header[-1], row[1:]) == ("P@1", "NDCG@10", ["1", *["0.250"] * 16])
    header, row = whole_rows(methods, published=False)
    assert (header[1], row[1:3]) == ("around P", ["0.500", "0.000"])


def test_printed_figures_stand_beside_ours_where_there_are_any(tmp_path: Path) -> None:
    one = run(tmp_path, "mapagent", "osm:w", judged(1, 1.0, "adjacent"), suite="recommend-mapqa")
    (table,) = [t for t in recommend_tables("recommend-mapqa", [one]) if t.title.startswith("The whole")]
    assert ["Spatial-RAG (published)", "0.506", "0.782", "0.562", "0.739"] in table.rows


def test_rates_are_of_what_was_delivered(tmp_path: Path) -> None:
    refused = record(2, "point", correct=False, values={"delivered": 0.0, "apart": 0.0})
    broken = record(3, "point", correct=False, error="provider")
    methods = pooled([run(tmp_path, "mapagent", "osm:a", judged(1, 1.0), refused, broken)])
    assert rate_rows(methods)[1] == ["mapagent · offline", "33.3 %", "100.0 %", "–", "–"]


def test_failures_by_class(runs: list[FinishedRun]) -> None:
    assert failure_rows(pooled(runs))[:2] == [["method", "ranking"], ["mapagent · offline", "1"]]


def test_tokens_by_stage_come_from_the_traces(tmp_path: Path) -> None:
    spans = {
        "1": [
            span("model", label="where", prompt_tokens=100, completion_tokens=20),
            span("model", label="rerank"),
        ]
    }
    records = (judged(1, 1.0), judged(2, 1.0))
    asked = finished(tmp_path, *records, spans=spans, suite=SUITE)
    assert token_rows(pooled([asked])) == [
        ["method", "rerank", "where"],
        ["mapagent · offline", "0 + 0", "50 + 10"],
    ]


def test_other_suites_have_no_such_tables_and_the_reports_have_them(runs: list[FinishedRun]) -> None:
    assert recommend_tables("gsqa", runs) == ()
    folders = [one.path for one in runs]
    assert "NDCG@10 by map and by family" in report(Namespace(folders=folders, html=None))
    assert "paired bootstrap" in page(runs)
