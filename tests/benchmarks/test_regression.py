"""A planted regression is caught: more work, one more call of the map, more tokens."""

import asyncio
import sys
from pathlib import Path

import pytest

from benchmarks import history, regression
from benchmarks.agents.tasks import city
from benchmarks.imports import Budget, Ground, budgets, loaded, prepare
from benchmarks.measure import Row, counted, figures
from benchmarks.regression import Baseline, Change, compared
from map_tools.errors import InputFileError
from map_tools.providers.recorded import RecordedProvider
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer
from mapagent.core.ports import Run
from mapagent.runtime.config import Settings
from modules.planner.embedded import EmbeddedPlanner

QUESTION = regression.questions()["world"]["nearest"]
EMBEDDED = EmbeddedPlanner.from_settings(Settings())


class TwicePlanner(EmbeddedPlanner):
    """Answers every question twice: the planted regression."""

    async def answer(self, run: Run) -> Answer:
        await super().answer(run)
        return await super().answer(run)


def _work(planner: EmbeddedPlanner, home: Path) -> dict[str, float]:
    async def measured() -> dict[str, float]:
        provider = RecordedProvider(city().world())
        async with MapAgent(Settings(data_home=home), provider=provider, planner=planner) as agent:
            return await regression.work(agent, QUESTION)

    return {f"ask/{name}": value for name, value in asyncio.run(measured()).items()}


def _regressed(before: dict[str, float], now: dict[str, float]) -> set[str]:
    changes = compared(Baseline(python="3.12", figures=before), now, "3.12")
    return {change.name for change in changes if change.regressed}


def test_the_same_work_gives_the_same_counts(tmp_path: Path) -> None:
    assert _work(EMBEDDED, tmp_path) == _work(EmbeddedPlanner.from_settings(Settings()), tmp_path)


def test_work_done_twice_is_caught(tmp_path: Path) -> None:
    before, now = (
        _work(EMBEDDED, tmp_path),
        _work(TwicePlanner.from_settings(Settings()), tmp_path),
    )
    assert _regressed(before, now) == {"ask/lines", "ask/calls"}


def test_lines_and_calls_of_this_project_are_counted_and_no_others() -> None:
    with counted() as nothing:
        sorted(range(1000), key=lambda number: -number)
    assert (nothing.lines, nothing.calls) == (0, 0)
    with counted() as something:
        Change("x", 1, 2).regressed  # noqa: B018 (asked for its work alone)
    # `regressed` has two lines that are executed, `_tolerance` and `_is` one each; the calls are
    # `_tolerance`, `_is`, `rpartition` and `startswith`.
    assert (something.lines, something.calls) == (4, 4)


@pytest.mark.parametrize(
    ("name", "before", "now", "expected"),
    [
        ("a/map calls", 9, 10, True),
        ("a/map calls", 9, 9, False),
        ("a/model calls", 1, 2, True),
        ("a/wrong", 0, 1, True),
        ("a/tokens", 1000, 1101, True),
        ("a/tokens", 1000, 1100, False),
        ("a/lines", 1000, 1101, True),
        ("start-up/modules of an offline ask", 600, 661, True),
        ("start-up/modules of an offline ask", 600, 650, False),
    ],
)
def test_growth_is_judged_by_what_it_costs(name: str, before: float, now: float, *, expected: bool) -> None:
    assert Change(name, before, now).regressed is expected


def test_a_figure_that_is_no_longer_measured_is_a_regression_and_a_new_one_is_none() -> None:
    assert _regressed({"a/tokens": 10}, {"b/tokens": 10}) == {"a/tokens"}


def test_an_improvement_is_told() -> None:
    assert Change("a/tokens", 1000, 800).improved
    assert not Change("a/tokens", 1000, 950).improved


@pytest.mark.parametrize(
    ("before", "now", "told"),
    [
        (1000, 800, "a/tokens: 1000 → 800 (0.80 ×)"),
        (0, 3, "a/tokens: 0 → 3"),
        (None, 800, "a/tokens: new"),
        (1000, None, "a/tokens: no longer measured"),
    ],
)
def test_a_change_in_words(before: float | None, now: float | None, told: str) -> None:
    assert str(Change("a/tokens", before, now)) == told
    assert Change("a/tokens", before, now).improved is (now == 800 and before is not None)


def test_the_version_of_python_has_two_parts() -> None:
    assert regression.python_version() == f"{sys.version_info.major}.{sys.version_info.minor}"


def test_counts_of_another_python_are_not_compared() -> None:
    baseline = Baseline(python="3.12", figures={"a/lines": 10, "a/tokens": 10})
    assert [change.name for change in compared(baseline, {"a/lines": 99, "a/tokens": 10}, "3.13")] == [
        "a/tokens"
    ]


def test_the_committed_baseline_has_every_question(tmp_path: Path) -> None:
    figures = regression.read_baseline().figures
    for place, questions in regression.questions().items():
        assert all(f"ask/{place}/{name}/lines" in figures for name in questions)
    assert not any(value for name, value in figures.items() if name.endswith("/wrong"))
    copy = tmp_path / "baseline.json"
    regression.write_baseline(figures, copy)
    assert Baseline.model_validate_json(copy.read_text()).figures == figures


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


HEAVY, COMMANDS = budgets()


@pytest.fixture(name="ground", scope="module")
def _ground(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    return prepare(tmp_path_factory.mktemp("small"))


@pytest.mark.parametrize("budget", COMMANDS, ids=lambda budget: " ".join(budget.arguments[:2]))
def test_a_command_keeps_to_its_budget(ground: Ground, budget: Budget) -> None:
    found = loaded(budget, HEAVY, ground)
    assert not found.faults(budget), "\n".join(found.faults(budget))


def test_a_heavy_package_is_named_with_the_way_it_came_in(ground: Ground) -> None:
    # Listing providers opens all of them; those over the network import their client at the top of a file.
    lean = Budget(("provider", "list"), near=False, needs=frozenset(), modules=10_000)
    faults = loaded(lean, HEAVY, ground).faults(lean)
    (told,) = [fault for fault in faults if "imports requests" in fault]
    chain = told.partition(": ")[2].split(" → ")
    assert chain[0].startswith("mapagent/interfaces/cli/main.py:")
    file, _, line = chain[-1].partition(":")
    source = Path(__file__).resolve().parents[2].joinpath(file).read_text(encoding="utf-8").splitlines()
    assert source[int(line) - 1].startswith(("import requests", "from requests"))


def test_too_many_modules_are_told(ground: Ground) -> None:
    lean = Budget(("--help",), near=False, needs=frozenset(), modules=10)
    assert any("more than 10" in fault for fault in loaded(lean, HEAVY, ground).faults(lean))
