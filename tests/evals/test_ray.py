"""The Ray executor on a real cluster of this machine: the results are those of one process."""

import json
import os
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest

from evals.bench.kills.killing import kill_a_worker

TOLD = Path(__file__).parents[2] / "e2e" / "told"
COPIES = 2
LONGEST_S = 240


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The questions over invented texts, several times, in the form of MapEval's file."""
    cases = tomllib.loads((TOLD / "questions.toml").read_text(encoding="utf-8"))["case"]
    records: list[dict[str, Any]] = []
    for number in range(COPIES * len(cases)):
        case = cases[number % len(cases)]
        right = case["right"]
        records.append(
            {
                "id": number,
                "question": case["text"],
                "context": (TOLD / "contexts" / f"{case['context']}.txt").read_text(encoding="utf-8"),
                "classification": None if right == "none" else "poi",
                "answer": {
                    "type": "mcq",
                    "options": case["options"],
                    "correct": -1 if right == "none" else "ABCDEF".index(right),
                },
            }
        )
    file = tmp_path_factory.mktemp("ray") / "dataset.json"
    file.write_text(json.dumps(records), encoding="utf-8")
    return file


def started(data: Path, out: Path, *more: str) -> "subprocess.Popen[bytes]":
    """`mapagent eval` in a process of its own."""
    command = [sys.executable, "-m", "mapagent.faces.cli.main", "eval", "mapeval-textual"]
    with log_of(out).open("wb") as log:
        return subprocess.Popen(
            [*command, "--data", str(data), "--out", str(out), *more],
            env=os.environ | {"MAPAGENT_DATA_HOME": str(out.parent / "home")},
            stderr=log,
            stdout=log,
        )


def log_of(out: Path) -> Path:
    return out.with_suffix(".log")


def records(out: Path) -> dict[str, dict[str, Any]]:
    """What is written so far, without the times."""
    file = out / "results.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True) if file.exists() else []
    found = [json.loads(line) for line in lines if line.endswith("\n")]
    return {one["id"]: one | {"latency_s": 0} for one in found}


def figures(out: Path) -> dict[str, Any]:
    """The summary, without the times."""
    summary: dict[str, Any] = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    return summary | {"latency_s": None}


def test_a_killed_worker_changes_nothing(data: Path, tmp_path: Path) -> None:
    local = started(data, tmp_path / "local")
    assert local.wait(LONGEST_S) == 0, log_of(tmp_path / "local").read_text()
    spread = started(data, tmp_path / "ray", "--executor", "ray", "--concurrency", "2")
    deadline = time.monotonic() + LONGEST_S
    while len(records(tmp_path / "ray")) < 5 and spread.poll() is None and time.monotonic() < deadline:
        time.sleep(0.002)
    kill_a_worker(spread.pid, "Worker")
    at_kill = len(records(tmp_path / "ray"))
    assert spread.wait(LONGEST_S) == 0, log_of(tmp_path / "ray").read_text()
    assert at_kill < len(records(tmp_path / "ray")) == len(records(tmp_path / "local"))
    assert records(tmp_path / "ray") == records(tmp_path / "local")
    assert figures(tmp_path / "ray") == figures(tmp_path / "local")
