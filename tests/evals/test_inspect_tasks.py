"""Suites as tasks of Inspect: the same questions, answers and judgements, in a log of its own.

Inspect is in no group of dependencies: where it is not installed (`make inspect` does that), another stands in for it.
"""

import importlib
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from map_tools.errors import MapAgentError, UsageError
from tests.evals import inspect_stand_in
from tests.evals.outside import register
from tests.evals.support import LITTLE

# Inspect leaves streams of its own open.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Unclosed <MemoryObject:ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture
def tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module, loaded where another distribution has a suite and a method of its own."""
    if find_spec("inspect_ai") is None:
        inspect_stand_in.install(monkeypatch)
    register(tmp_path / "site", monkeypatch)
    return importlib.reload(importlib.import_module("evals.inspect_tasks"))


def ran(task: Any, folder: Path) -> Any:
    """The log of a run."""
    from inspect_ai import eval as run

    (log,) = run(task, log_dir=str(folder), display="none", log_realtime=False)
    return log


def test_every_suite_is_a_task(tasks: ModuleType) -> None:
    assert {"everyday", "mapeval-textual", "recommend", "capitals"} <= set(tasks.TASKS)


def test_samples_are_judged_by_the_suite(tasks: ModuleType, tmp_path: Path) -> None:
    data = tmp_path / "capitals.txt"
    data.write_text("Norway;Oslo\nPeru;Lima.\n")  # the parrot drops the full stop, so it is wrong
    log = ran(tasks.TASKS["capitals"](data=str(data), method="parrot"), tmp_path)
    assert log.status == "success"
    right, wrong = log.samples
    assert (right.id, right.target, right.output.completion) == ("Norway", "Oslo", "Oslo")
    assert [sample.scores["judged"].value for sample in (right, wrong)] == ["C", "I"]
    assert right.scores["judged"].metadata["values"] == {"letters": 4.0}
    figures = log.results.scores[0].metrics
    assert (figures["accuracy"].value, figures["capital"].value) == (0.5, 0.5)


def test_the_trace_is_in_the_transcript(tasks: ModuleType, tmp_path: Path) -> None:
    log = ran(tasks.TASKS["mapeval-textual"](data=str(LITTLE), limit=1), tmp_path)
    (sample,) = log.samples
    begun = {event.name: event for event in sample.events if event.event == "span_begin"}
    assert {"ask", "plan", "program", "tool"} <= set(begun)
    assert begun["tool"].parent_id == begun["program"].id
    told = [event.data for event in sample.events if event.event == "info"]
    assert told[-1]["answer"]["text"] == sample.output.completion == "14 mins"
    assert {item["tool"] for item in told[-1]["answer"]["evidence"]} >= {"Trip"}


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        ({"resume": True}, "inspect eval-retry"),
        ({"max_usd": 1}, "mapagent eval --max-usd"),
        ({"method": "mapagent,random"}, "has one method"),
        ({"data": "absent.json"}, "no file or folder absent.json"),
        ({"nope": 1}, "--nope"),
        ({"nope": True}, "--nope"),
        ({"help": True}, "--help"),
        ({"limit": "x"}, "--limit: 'x' is not a whole number from 1"),
        ({"limit": -1}, "--limit: '-1' is not a whole number from 1"),
        ({"protocol": "loose"}, "--protocol"),
        ({"exclude_defective": "maybe"}, "--exclude-defective"),
        ({"resum": True}, "--resum"),
    ],
)
def test_what_a_task_does_not_take(
    tasks: ModuleType, capfd: pytest.CaptureFixture[str], flags: dict[str, Any], says: str
) -> None:
    with pytest.raises(MapAgentError, match=says):
        tasks.TASKS["mapeval-textual"](**{"data": str(LITTLE), **flags})
    assert capfd.readouterr() == ("", "")


def test_a_flag_that_is_false_is_not_given(tasks: ModuleType) -> None:
    task = tasks.TASKS["mapeval-textual"](data=str(LITTLE), resume=False, exclude_defective=False, limit=2)
    assert len(task.dataset) == 2


def test_money_in_the_environment_is_not_passed_over(
    tasks: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAPAGENT_MAX_USD", "1")
    with pytest.raises(UsageError, match="max_usd"):
        tasks.TASKS["mapeval-textual"](data=str(LITTLE))
