"""The history of benchmarks: a line a run, read back, the last two beside each other."""

from pathlib import Path

import pytest

from evals.bench import history
from evals.bench.measure import Row, figures
from map_tools.errors import InputFileError


def test_runs_are_added_and_read_back(tmp_path: Path) -> None:
    file = tmp_path / "results" / "history.jsonl"
    first = history.append(file, "agents", {"a/s": 1.5})
    second = history.append(file, "agents", {"a/s": 1.0})
    assert history.read(file) == (first, second)
    assert first.id != second.id
    assert len(first.code_sha256) == 64


def test_only_figures_of_the_same_benchmark_are_compared(tmp_path: Path) -> None:
    file = tmp_path / "history.jsonl"
    for bench, told in (("agents", {"a": 2.0, "b": 1.0}), ("engine", {"a": 9.0}), ("agents", {"a": 3.0})):
        history.append(file, bench, told)
    assert list(history.changes(history.read(file), "agents")) == [("a", 2.0, 3.0)]
    assert list(history.changes(history.read(file), "engine")) == []


def test_without_a_file_there_is_no_history(tmp_path: Path) -> None:
    assert history.read(tmp_path / "none.jsonl") == ()


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    file = tmp_path / "history.jsonl"
    history.append(file, "agents", {})
    with file.open("a") as stream:
        stream.write('{"half": \n')
    with pytest.raises(InputFileError, match=r"line 2"):
        history.read(file)


def test_rows_have_names_that_tell_the_units() -> None:
    rows = (Row("ask", 5.5, "ms", 10.0, 3), Row("index", 1.25, "MB", None, 1))
    assert figures(rows) == {"ask, ms": 5.5, "index, MB": 1.25}
