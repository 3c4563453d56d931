"""Committed results hold figures and ids, and not a word of a benchmark."""

import json
import sys
from pathlib import Path

import pytest

from evals.report import committed
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
