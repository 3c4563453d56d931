"""Runs: asking, progress, workers of a Ray cluster."""

import io
import json
import os
import re
import subprocess
import sys
import time
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from benchmarks.kills.killing import kill_a_worker
from evals.ports import EvalContext, Item, Method
from evals.runner import run
from evals.runner.folder import RunFolder, read_results, read_trace
from evals.runner.records import Record
from evals.runner.run import Job, LocalAsker, Progress, budget_of, run_job
from map_tools.errors import ConfigError, LimitError, MapAgentError, ModelError, ModelReplyError, PlanError
from map_tools.providers.base import Provider
from map_tools.providers.recorded import RecordedProvider
from map_tools.providers.world import World
from mapagent.runtime.config import Settings
from mapagent.runtime.distributed import Budget
from tests.evals.support import Failing, First, Plain, items, run_record


def job(method: Method, n: int = 4, *, max_usd: float | None = None, concurrency: int = 1) -> Job:
    return Job(
        asker=LocalAsker(Plain(n), method, EvalContext(Settings())),
        items=items(n),
        limits=Settings().limits(),
        budget=Budget(max_usd, concurrency),
        concurrency=concurrency,
    )


def do(work: Job, path: Path, *, resume: bool = False) -> None:
    async def main() -> None:
        with RunFolder.open(path, run_record(items=len(work.items)), resume=resume) as folder:
            await run_job(
                replace(work, budget=budget_of(work.budget.max_usd, work.concurrency, folder.done.values())),
                folder,
                Progress("test", len(work.items), None),
            )

    anyio.run(main)


def test_every_item_gets_its_record_in_order(tmp_path: Path) -> None:
    do(job(First()), tmp_path)
    records = read_results(tmp_path)
    assert [record.id for record in records] == ["0", "1", "2", "3"]
    assert all(
        record.correct and record.tool_calls == 1 and record.status == "answered" for record in records
    )


def test_only_what_is_missing_is_asked_when_a_run_is_resumed(tmp_path: Path) -> None:
    do(job(First(), 2), tmp_path)
    (tmp_path / "run.json").write_text(run_record(items=4).model_dump_json())
    method = First()
    do(job(method, 4), tmp_path, resume=True)
    assert method.asked == 2
    assert [record.id for record in read_results(tmp_path)] == ["0", "1", "2", "3"]


@pytest.mark.parametrize(
    "error", [ModelReplyError("It rambles."), PlanError("No step."), LimitError("Too long.")]
)
def test_an_error_of_the_method_is_its_answer(tmp_path: Path, error: MapAgentError) -> None:
    do(job(Failing(error), 2), tmp_path)
    assert [(record.error, record.correct, record.invalid) for record in read_results(tmp_path)] == [
        (error.code, False, True)
    ] * 2


@pytest.mark.parametrize("error", [ConfigError("No key."), ModelError("The server is gone.")])
def test_what_is_no_answer_stops_the_run_and_leaves_no_record(tmp_path: Path, error: MapAgentError) -> None:
    with pytest.raises(type(error)):
        do(job(Failing(error), 2), tmp_path)
    assert read_results(tmp_path) == ()


def test_as_many_at_once_as_allowed(tmp_path: Path) -> None:
    method = First()
    do(job(method, 12, concurrency=3), tmp_path)
    assert method.most_at_once == 3
    assert len(read_results(tmp_path)) == 12


def test_the_budget_of_a_run_is_hard_and_a_larger_one_goes_on(tmp_path: Path) -> None:
    with pytest.raises(LimitError, match=r"budget of 0\.2500 USD is spent.*--resume"):
        do(job(First(cost_usd=0.1), 4, max_usd=0.25), tmp_path)
    assert len(read_results(tmp_path)) == 2
    do(job(First(cost_usd=0.1), 4, max_usd=0.45), tmp_path, resume=True)
    records = read_results(tmp_path)
    assert len(records) == 4
    assert sum(record.cost_usd for record in records) == pytest.approx(0.4)


def test_several_at_once_never_spend_more_than_the_budget(tmp_path: Path) -> None:
    with pytest.raises(LimitError):
        do(job(First(cost_usd=0.1), 20, max_usd=0.95, concurrency=4), tmp_path)
    assert sum(record.cost_usd for record in read_results(tmp_path)) <= 0.95


def test_what_costs_nothing_needs_no_budget(tmp_path: Path) -> None:
    do(job(First(), 3, max_usd=0.0), tmp_path)
    assert len(read_results(tmp_path)) == 3


def test_a_limit_of_the_question_itself_is_recorded(tmp_path: Path) -> None:
    settings = Settings(max_tool_calls=0)
    asker = LocalAsker(Plain(2), First(), EvalContext(settings))
    work = replace(job(First(), 2, max_usd=1.0), asker=asker, limits=settings.limits())
    do(work, tmp_path)
    assert [record.error for record in read_results(tmp_path)] == ["limit", "limit"]


def test_the_trace_keeps_what_the_record_leaves_out(tmp_path: Path) -> None:
    do(job(First(), 1), tmp_path)
    trace = read_trace(tmp_path, "0")
    assert trace is not None
    assert (trace["question"], trace["gold"], trace["answer"]["text"]) == ("Which?", 0, "yes")
    assert "Which?" not in json.dumps([record.id for record in read_results(tmp_path)])
    assert read_trace(tmp_path, "absent") is None


def test_two_runs_that_do_the_same_have_the_same_digests(tmp_path: Path) -> None:
    for name in ("one", "two"):
        do(job(First(), 3), tmp_path / name)
    digests = [[record.trace_sha256 for record in read_results(tmp_path / name)] for name in ("one", "two")]
    assert digests[0] == digests[1]


class _OwnMaps(Plain):
    def __init__(self) -> None:
        super().__init__(3)
        self.closed = 0

    def map_of(self, item: Item) -> Provider:
        suite = self

        class Closing(RecordedProvider):
            async def close(self) -> None:
                suite.closed += 1

        return Closing(World(name=item.id))


def test_a_suite_may_bring_a_map_for_each_item_and_each_is_closed(tmp_path: Path) -> None:
    suite = _OwnMaps()
    do(replace(job(First(), 3), asker=LocalAsker(suite, First(), EvalContext(Settings()))), tmp_path)
    assert suite.closed == 3


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time that the test sets, in seconds; a machine that has been up for a while."""
    now = [5000.0]
    monkeypatch.setattr(run, "monotonic", lambda: now[0])
    return now


def record(number: int, *, correct: bool = True) -> Record:
    return Record(id=str(number), category="a", correct=correct, cost_usd=0.01)


def progress_of(total: int, stream: io.StringIO, clock: list[float]) -> Progress:
    return Progress("town react", total, stream, _start=clock[0])


@pytest.mark.usefixtures("clock")
def test_nothing_is_told_to_nobody() -> None:
    silent = Progress("town react", 2, None)
    silent.add(record(1))
    assert silent.done == 1


def test_share_money_and_time(clock: list[float]) -> None:
    told = progress_of(8, io.StringIO(), clock)
    assert told.line() == "town react: 0/8, right –, 0.0000 USD, 0.0 s"
    told.start([record(1), record(2, correct=False)])
    told.add(record(3))
    clock[0] += 12.5
    assert told.line() == "town react: 3/8, right 66.7%, 0.0300 USD, 12.5 s"


def test_a_log_has_a_line_for_each_tenth(clock: list[float]) -> None:
    log = io.StringIO()
    told = progress_of(200, log, clock)
    for number in range(200):
        told.add(record(number))
    counts = re.findall(r"^town react: (\d+)/200", log.getvalue(), re.MULTILINE)
    assert counts == [str(20 * step) for step in range(1, 11)]


def test_a_terminal_shows_one_line_now_and_then_and_its_end(clock: list[float]) -> None:
    screen = Screen()
    told = progress_of(4, screen, clock)
    for number, wait_s in enumerate((0.1, 0.05, 0.2, 0.05)):
        clock[0] += wait_s
        told.add(record(number))
    shown = screen.getvalue().split("\r\x1b[K")
    assert [line.partition(",")[0] for line in shown] == [
        "",
        "town react: 1/4",
        "town react: 3/4",
        "town react: 4/4",
    ]
    assert screen.getvalue().count("\n") == 1
    assert screen.getvalue().endswith(" s\n")


TOLD = Path(__file__).parents[2] / "e2e" / "told"
LONGEST_S = 240


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A quarter of the questions over invented texts, in the form of MapEval's file."""
    tables = sorted(TOLD.glob("*.toml"))
    cases = [case for table in tables for case in tomllib.loads(table.read_text(encoding="utf-8"))["case"]]
    records: list[dict[str, Any]] = []
    for number, case in enumerate(cases[::4]):
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
    command = [sys.executable, "-m", "mapagent.interfaces.cli.main", "eval", "mapeval-textual"]
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
