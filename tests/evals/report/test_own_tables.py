"""The tables of the spatial suites and of recommendations."""

from argparse import Namespace
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evals.report.own_tables import (
    ablation_rows,
    activation_rows,
    cost_rows,
    failure_rows,
    group_rows,
    paired_rows,
    pooled,
    query_rows,
    ranking_rows,
    rate_rows,
    recommend_tables,
    spatial_tables,
    token_rows,
    tolerance_rows,
    whole_rows,
)
from evals.report.page import page, report
from evals.report.runs import OTHER, FinishedRun, error_class
from evals.report.table import paired_rows as paired_run_rows
from evals.runner.records import Record
from map_tools.errors import MapAgentError, QueryError, QueryRefusedError
from map_tools.spatial_db.duckdb_db import DuckDBDatabase
from map_tools.spatial_db.pool import too_slow
from tests.evals.finished import finished, record, span

COLUMN = "There is no column nam here."


def query(rows: int = 1, message: str = "") -> dict[str, Any]:
    return span("sql", sql="SELECT 1", rows=rows, error="query" if message else "", message=message)


def test_tolerance_counts_questions_without_a_number_as_wrong(tmp_path: Path) -> None:
    run = finished(
        tmp_path,
        record(1, "T23", values={"relative_error": 0.0}),
        record(2, "T25", values={"relative_error": 0.1}),
        record(3, "T27", values={"relative_error": 0.18}),
        record(4, "T28", correct=False),
        record(5, "T1", values={"relative_error": 0.0}),
    )
    header, row = tolerance_rows([run])
    cells = dict(zip(header, row, strict=True))
    assert cells["n"] == "4"
    assert [cells[f"τ = {tau}"] for tau in ("0", "0.05", "0.1", "0.15", "0.2")] == [
        "25.0 %",
        "25.0 %",
        "50.0 %",
        "50.0 %",
        "75.0 %",
    ]


def test_tools_are_counted_in_right_answers_only(tmp_path: Path) -> None:
    sql, place = span("tool", tool="GenerateSQL"), span("tool", tool="ResolveLocation")
    run = finished(
        tmp_path,
        record(1, "T2"),
        record(2, "T2"),
        record(3, "T2", correct=False),
        record(4, "T10"),
        spans={"1": [sql, place, sql], "2": [sql], "3": [place], "4": [place]},
    )
    assert activation_rows(run) == [
        ["tool", "T2", "T10", "all"],
        ["GenerateSQL", "100.0 %", "0.0 %", "66.7 %"],
        ["ResolveLocation", "50.0 %", "100.0 %", "66.7 %"],
    ]


def test_queries_by_what_became_of_them(tmp_path: Path) -> None:
    run = finished(
        tmp_path,
        record(1, "T1"),
        record(2, "T1"),
        spans={"1": [query(3), query(0), query(message=COLUMN)], "2": [query(message="Odd.")]},
        method="raise",
    )
    header, row = query_rows([run])
    cells = dict(zip(header, row, strict=True))
    assert (cells["queries"], cells["ran"], cells["ran and found rows"]) == ("4", "50.0 %", "25.0 %")
    assert (cells["unknown column"], cells["no rows"], cells["other"]) == ("1", "1", "1")


def test_ablation_in_the_papers_order_with_what_is_lost(tmp_path: Path) -> None:
    right = [record(n, category) for n, category in enumerate(("T1", "T2", "T23", "T24"))]
    worse = [*right[:2], record(2, "T23", correct=False), right[3]]
    runs = [
        finished(tmp_path, *worse, method="mapagent:no-calculate-metric"),
        finished(tmp_path, *right, method="mapagent:step-by-step"),
        finished(tmp_path, *right, method="mapagent:no-parse-question"),
    ]
    assert ablation_rows(runs) == [
        ["variant", "entity", "Δ", "numeric", "Δ"],
        ["step-by-step", "100.0 %", "+0.0", "100.0 %", "+0.0"],
        ["no-parse-question", "100.0 %", "+0.0", "100.0 %", "+0.0"],
        ["no-calculate-metric", "100.0 %", "+0.0", "50.0 %", "-50.0"],
    ]
    assert len(ablation_rows(runs[:1])) == 1


def test_runs_over_other_files_are_not_compared(tmp_path: Path) -> None:
    ours, theirs = (finished(tmp_path, record(1, "T1"), method=name) for name in ("mapagent", "react"))
    other = replace(theirs, run=theirs.run.model_copy(update={"data_sha256": "another file"}))
    assert len(paired_run_rows([ours, theirs])) == 2
    assert len(paired_run_rows([ours, other])) == 1


def test_costs_are_means_over_questions(tmp_path: Path) -> None:
    run = finished(
        tmp_path,
        record(1, "T1", prompt_tokens=90, completion_tokens=10),
        record(2, "T1", prompt_tokens=300),
        record(3, "T23", prompt_tokens=50),
    )
    rows = cost_rows([run], lambda one: float(one.tokens), 0)
    assert rows == [["method", "T1", "T23", "all"], [run.label, "200", "50", "150"]]
    assert len(cost_rows([run], lambda one: one.cost_usd, 5)) == 1


def test_the_report_shows_them_and_leaves_other_suites_alone(tmp_path: Path) -> None:
    from argparse import Namespace

    run = finished(tmp_path, record(1, "T23", values={"relative_error": 0.0}), spans={"1": [query()]})
    told = report(Namespace(folders=[tmp_path], html=None))
    assert "Numeric accuracy over the tolerance τ" in told
    assert "Queries: valid execution and errors by class" in told
    assert "<h3>Numeric accuracy over the tolerance τ</h3>" in page([run])
    assert spatial_tables("mapeval-api", [run]) == ()


@pytest.mark.parametrize(
    ("sql", "name"),
    [
        ("SELECT 1 FROM cafes", "unknown table"),
        ("SELECT nam FROM pois", "unknown column"),
        ("SELECT id FROM pois a, parks b", "unknown column"),
        ("SELECT FROM WHERE", "syntax"),
        ("SELECT 'a", "syntax"),
        ("DROP TABLE pois", "not a query"),
        ("SELECT 1; SELECT 2", "not a query"),
        ("SELECT pg_sleep(1)", "function"),
        ("SELECT ST_Buffer(geometry, 10) FROM pois", "function"),
        ("SELECT amenity, count(*) FROM pois", "types"),
        ("SELECT poi_name + 1 FROM pois", "types"),
    ],
)
def test_classes_of_what_the_database_really_says(sql_world: DuckDBDatabase, sql: str, name: str) -> None:
    import asyncio

    with pytest.raises((QueryError, QueryRefusedError)) as raised:
        asyncio.run(sql_world.query(sql))
    error: MapAgentError = raised.value
    assert error_class(error.message) == name, error.message


def test_a_time_out_and_the_unknown() -> None:
    assert error_class(too_slow(60).message) == "too slow"
    assert error_class("Something else.") == OTHER


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
