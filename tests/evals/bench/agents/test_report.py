"""What the table and the targets say of measured runs."""

from dataclasses import replace

from evals.bench.agents.__main__ import FIVE_STOPS, cells, figures, targets
from evals.bench.agents.contenders import MAPAGENT, MAPAGENT_MODEL, AgentRun

OFFLINE = AgentRun(MAPAGENT, FIVE_STOPS, "legs", True, 0.21, 0.01, 0, 0, 13, critical_s=0.2)
MODEL = AgentRun(MAPAGENT_MODEL, FIVE_STOPS, "legs", True, 0.9, 0.02, 1, 2000, 13, critical_s=0.85)
REACT = AgentRun("react", FIVE_STOPS, "legs", True, 5.4, 0.1, 6, 14_000, 15)
OTHER = AgentRun("langgraph", FIVE_STOPS, "legs", True, 1.5, 0.1, 2, 5000, 15)
RUNS = (OFFLINE, MODEL, REACT, OTHER)


def test_a_cell_shows_time_and_counts() -> None:
    table = cells((REACT, replace(OTHER, right=False)), "legs")
    assert "| react | 5.40 s · 6 · 14,000 · 15 |" in table
    assert "| langgraph | wrong (1.50 s · 2 · 5,000 · 15) |" in table


def test_runs_of_another_habit_stand_in_another_table() -> None:
    assert "react" not in cells((OTHER, replace(REACT, habit="trip")), "legs")


def test_all_targets_are_met() -> None:
    rows = list(targets(RUNS, "legs"))
    assert all(row.ok for row in rows)
    # 0.9 / 5.4 is less than a fifth, 2,000 tokens are less than 5,000.
    assert {round(row.value, 3) for row in rows} >= {1.05, 0.167, 0.4}


def test_each_missed_target_is_named() -> None:
    missed = {
        "critical path": (replace(OFFLINE, seconds=0.25), MODEL, REACT, OTHER),
        "time / react's": (OFFLINE, replace(MODEL, seconds=1.1), REACT, OTHER),
        "tokens": (OFFLINE, MODEL, REACT, replace(OTHER, tokens=1900)),
        "wrong answers": (OFFLINE, replace(MODEL, right=False), REACT, OTHER),
    }
    for name, runs in missed.items():
        assert any(name in row.what for row in targets(runs, "legs") if not row.ok), name


def test_a_wrong_answer_in_few_tokens_is_no_rival() -> None:
    runs = (*RUNS, replace(OTHER, agent="smolagents", tokens=100, right=False))
    assert all(row.ok for row in targets(runs, "legs"))


def test_figures_are_named_by_agent_task_and_habit() -> None:
    assert figures((REACT,))[f"react/{FIVE_STOPS}/legs/tokens"] == 14_000
