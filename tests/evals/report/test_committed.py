"""Figures of runs to be committed."""

import json
import os
import sys
from pathlib import Path

import pytest

from evals.report import committed
from evals.report.committed import measured
from tests.evals.finished import finished, record, span
from tests.evals.support import LITTLE, little
from tests.support.cli import CommandLine


def test_figures_ids_and_no_words(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAPAGENT_DATA_HOME", str(home))
    methods = "mapagent,mapagent:one-round"
    arguments = ("eval", "mapeval-api", "--data", LITTLE, "--method", methods, "--out", tmp_path / "runs")
    assert CommandLine(capsys)(*arguments).code == 0
    monkeypatch.setattr(
        sys, "argv", ["committed", str(tmp_path / "runs"), "--out", str(tmp_path / "results" / "x")]
    )
    assert committed.main() == 0
    data = json.loads((tmp_path / "results" / "x.json").read_text("utf-8"))
    text = (tmp_path / "results" / "x.md").read_text("utf-8")
    whole, stated = data["runs"]
    assert (whole["run"]["method"], stated["run"]["method"]) == ("mapagent", "mapagent:one-round")
    assert sorted([*whole["right"], *whole["wrong"]]) == [str(number) for number in range(1, 9)]
    assert stated["wrong"]["3"] == "failed"
    assert "| mapagent | offline | recorded:mapeval | 8 | 100.0 %" in text
    written = text + json.dumps(data)
    words = {word for record in little() for word in (record["question"], *record["answer"]["options"])}
    assert not [word for word in words if len(word) > 4 and word in written]
    assert "Tidal Museum" not in written


def test_a_folder_without_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["committed", str(tmp_path), "--out", str(tmp_path / "x")])
    assert committed.main() == 2
    assert "no run in or below" in capsys.readouterr().err


def test_means_by_category(tmp_path: Path) -> None:
    run = finished(
        tmp_path,
        record(1, "T1", latency_s=1.0, llm_calls=2, prompt_tokens=30, completion_tokens=10),
        record(
            2, "T1", latency_s=3.0, values={"executed": 1.0, "recall": 0.5, "f1": 0.25, "similarity": 1.0}
        ),
        record(3, "T23", latency_s=5.0, values={"executed": 1.0, "relative_error": 0.07}),
    )
    found = measured(run)
    assert found["latency_mean_s"] == 3.0
    assert found["by_category"]["T1"] == {
        "latency_s": 2.0,
        "llm_calls": 1.0,
        "tokens": 20.0,
        "executed": 0.5,
        "recall": 0.25,
        "f1": 0.125,
        "contained": 0.5,
    }
    assert found["by_category"]["T23"] == {"latency_s": 5.0, "llm_calls": 0.0, "tokens": 0.0, "executed": 1.0}


def test_accuracy_over_the_tolerance(tmp_path: Path) -> None:
    run = finished(
        tmp_path,
        record(1, "T1", values={"similarity": 0.75}),
        record(2, "T1", values={"similarity": 1.0}),
        record(3, "T23", values={"relative_error": 0.07}),
        record(4, "T24", correct=False),
    )
    found = measured(run)["sensitivity"]
    assert (found["entity"]["0.7"], found["entity"]["0.8"]) == (1.0, 0.5)
    assert (found["numeric"]["0.05"], found["numeric"]["0.1"], found["numeric"]["0.5"]) == (0.0, 0.5, 0.5)


def test_tools_of_right_answers_and_queries_by_class(tmp_path: Path) -> None:
    tool, other = span("tool", tool="GenerateSQL"), span("tool", tool="ResolveLocation")
    ran = span("sql", rows=2, error="", message="")
    empty = span("sql", rows=0, error="", message="")
    failed = span("sql", rows=0, error="query", message="There is no column nam here.")
    run = finished(
        tmp_path,
        record(1, "T1"),
        record(2, "T2"),
        record(3, "T2", correct=False),
        spans={"1": [tool, ran], "2": [tool, other, empty], "3": [other, failed]},
    )
    found = measured(run)
    assert found["tools"] == {
        "T1": {"GenerateSQL": 1.0},
        "T2": {"GenerateSQL": 1.0, "ResolveLocation": 1.0},
        "all": {"GenerateSQL": 1.0, "ResolveLocation": 0.5},
    }
    assert found["queries"] == {"n": 3, "no rows": 1, "unknown column": 1}


def test_what_no_record_tells_is_left_out(tmp_path: Path) -> None:
    run = finished(tmp_path, record(1, "poi"), suite="mapeval-api")
    day = 86_400 * 365  # one year of 365 days after 1 January 1970
    os.utime(run.path / "results.jsonl", (day, day))
    assert measured(run) == {
        "finished": "1971-01-01",
        "latency_mean_s": 0.0,
        "by_category": {"poi": {"latency_s": 0.0, "llm_calls": 0.0, "tokens": 0.0}},
    }


def test_no_records_give_no_figures(tmp_path: Path) -> None:
    found = measured(finished(tmp_path))
    assert found["latency_mean_s"] is None
    assert found["by_category"] == {}
