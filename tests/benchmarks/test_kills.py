"""The harness of kills sees what is lost, doubled or damaged: here somebody is careless on purpose."""

import subprocess
import sys
from pathlib import Path
from typing import Any, ClassVar, cast

import pytest

from benchmarks import ray
from benchmarks.kills.commands import Ground
from benchmarks.kills.killing import kill_often
from benchmarks.kills.writers import (
    ModelReplies,
    Recordings,
    Replies,
    identity_of,
    model_reply,
    model_request,
    reply_to,
)
from map_tools.clock import FrozenClock
from map_tools.wire.cache import ReplyCache
from map_tools.wire.policy import DataKind, Retention
from map_tools.wire.recording import Entry, Recorder
from mapagent.llm.cache import ModelCache
from tests.support.replies import NOON


class Sleeper:
    """A program that sleeps, or ends at once, and leaves a fault each time."""

    name = "sleeper"
    longest_s = 0.01

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def start(self) -> "subprocess.Popen[bytes]":
        program = f"import time; time.sleep({self._seconds})"
        return subprocess.Popen([sys.executable, "-c", program], start_new_session=True)

    def begun(self) -> bool:
        return True

    def check(self) -> list[str]:
        return ["a spoon"]

    def finish(self) -> list[str]:
        return ["a fork"]


def test_faults_are_told_with_the_kill_they_came_of() -> None:
    toll = kill_often(Sleeper(600), 2, 0)
    assert (toll.killed, toll.too_late) == (2, 0)
    assert toll.broken == (
        "sleeper, kill 1: a spoon",
        "sleeper, kill 2: a spoon",
        "sleeper, at the end: a fork",
    )


def test_a_kill_that_comes_too_late_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Sleeper, "begun", lambda _: False)
    toll = kill_often(Sleeper(0), 1, 0)
    assert (toll.killed, toll.too_late) == (0, 1)


def test_a_lost_reply_is_seen(tmp_path: Path) -> None:
    store = Replies(tmp_path)
    cache = ReplyCache(store.path, FrozenClock(NOON))
    for number in (0, 1):
        cache.put(identity_of(number), DataKind.PAYLOAD, Retention.for_ever(), reply_to(number))
    cache.close()
    assert store.faults(range(2)) == []
    assert store.faults(range(2, 3)) == ["reply 2 is lost", "1 replies are lost"]


def test_a_damaged_cache_is_seen(tmp_path: Path) -> None:
    store = ModelReplies(tmp_path)
    ModelCache(store.path).put(model_request(0), model_reply(0), now=NOON)
    assert store.faults(range(1)) == []
    content = store.path.read_bytes()
    store.path.write_bytes(content[:4096] + b"\x55" * (len(content) - 4096))
    assert any("model.sqlite" in fault for fault in store.faults(range(1)))


def test_a_lost_entry_and_a_lost_part_are_seen(tmp_path: Path) -> None:
    store = Recordings(tmp_path)
    recorder = Recorder(store.path)
    recorder.add(Entry(identity_of(0), NOON, reply=reply_to(0)))
    assert store.faults(range(2)) == ["entry 1 is there 0 times, or another"]
    recorder.close()
    assert "the part is gone" in store.faults(range(1))
    assert store.finish() == ["1 parts are gone"]


RATES = {"local": 50.0, "1": 40.0, "2": 70.0}


class Scripted:
    """Answers as `ray.Bench`, at the rate of the last flag."""

    summary_after_a_kill: ClassVar[dict[str, Any]] = {"accuracy": 0.9}

    def __init__(self, ground: Ground, questions: int) -> None:
        self._slower = 0.0

    def rate(self, *flags: str, kill: bool = False) -> tuple[float, dict[str, Any]]:
        if kill:
            return 1.0, self.summary_after_a_kill
        self._slower += 1.0
        return RATES[flags[-1]] - self._slower, {"accuracy": 0.9}


def measured(runs: int) -> ray.Outcome:
    return ray.measure(cast("Ground", None), questions=10, runs=runs)


def test_rates_are_medians_and_the_killed_run_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray, "Bench", Scripted)
    found = measured(3)
    assert found.per_s == {"no cluster": 50.0 - 4, "one worker": 40.0 - 5, "two workers": 70.0 - 6}
    assert found.gain == pytest.approx(64 / 35)
    assert found.faults == ()


def test_other_results_after_a_kill_are_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray, "Bench", Scripted)
    monkeypatch.setattr(Scripted, "summary_after_a_kill", {"accuracy": 0.8})
    assert measured(1).faults == ("two workers, one killed: other results",)
