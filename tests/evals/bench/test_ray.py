"""What is made of runs with one and two workers; the runs themselves are scripted."""

from typing import Any, ClassVar, cast

import pytest

from evals.bench import ray
from evals.bench.kills.commands import Ground

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
