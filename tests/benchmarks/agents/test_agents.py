"""Every agent of this project at the tasks of the benchmark, with servers that take no time."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.agents import contenders
from benchmarks.agents.__main__ import FIVE_STOPS, cells, figures, targets
from benchmarks.agents.contenders import MAPAGENT, MAPAGENT_MODEL, AgentRun, OurAgent
from benchmarks.agents.servers import AT_ONCE, Latency, Stage, stage

TRIP_3, TRIP_5, TRIP_8, DETAILS, MIXED = range(5)


@pytest.fixture(name="ground", scope="module")
def _ground() -> Iterator[Stage]:
    with stage("legs", AT_ONCE) as ground:
        yield ground


def _run(agent: str, ground: Stage, task: int) -> AgentRun:
    return asyncio.run(OurAgent(agent, ground).run(ground.tasks[task]))


@pytest.mark.parametrize("task", [TRIP_3, TRIP_8, DETAILS, MIXED])
def test_mapagent_is_right_without_a_model_and_with_one_call_of_it(ground: Stage, task: int) -> None:
    alone, helped = _run(contenders.MAPAGENT, ground, task), _run(contenders.MAPAGENT_MODEL, ground, task)
    assert alone.right or task == TRIP_8, "the embedded reader loses stops of a trip of eight"
    assert helped.right
    assert (alone.model_calls, alone.tokens) == (0, 0)
    assert helped.model_calls == 1


def test_a_trip_in_a_given_order_takes_one_look_up_a_place_and_its_legs(ground: Stage) -> None:
    # Four places with the start: each is found and looked up, then the three legs, all at once: services charge
    # for each pair of a matrix, and three of nine are wanted.
    assert _run(contenders.MAPAGENT, ground, TRIP_3).map_calls == 4 + 4 + 3


def test_hardly_anything_is_looked_up_twice(ground: Stage) -> None:
    # The anchor is found, the list fetched, ten places and the anchor looked up, all ways measured at once; what
    # readings that come to nothing ask for comes on top, and is less than that.
    assert _run(contenders.MAPAGENT, ground, MIXED).map_calls < 2 * (1 + 1 + 10 + 1 + 1)


@pytest.mark.parametrize("agent", list(contenders.RIVALS))
def test_rivals_are_right_where_their_calls_suffice(ground: Stage, agent: str) -> None:
    run = _run(agent, ground, TRIP_3)
    assert run.right, run.trouble
    assert not ground.model.unscripted


def test_one_call_at_a_time_takes_a_model_call_for_each_leg(ground: Stage) -> None:
    # Five legs, one action each, and one reply that answers.
    run = _run("react", ground, TRIP_5)
    assert run.right
    assert run.model_calls == 6


def test_an_agent_whose_calls_do_not_suffice_is_reported_as_wrong(ground: Stage) -> None:
    # Eight legs do not fit into six model calls.
    assert not _run("react", ground, TRIP_8).right


def test_the_critical_path_counts_the_first_model_call_and_the_chain_of_map_calls() -> None:
    slow = Latency(first_s=0.05, read_token_s=0, token_s=0, map_s=0.02)
    with stage("legs", slow) as ground:
        run = _run(contenders.MAPAGENT_MODEL, ground, TRIP_3)
        (call,) = ground.model.calls
    # Look-ups, then the matrix: two waits for the map.
    assert run.critical_s == pytest.approx(call.seconds + 2 * 0.02)
    assert run.seconds >= run.critical_s


def test_without_the_environment_the_reason_is_told(tmp_path: Path) -> None:
    assert "make bench-env" in contenders.missing(tmp_path / "none")


@pytest.mark.slow
@pytest.mark.parametrize("agent", contenders.PEER_AGENTS)
def test_each_is_right_over_the_same_tools(agent: str) -> None:
    absent = contenders.missing(contenders.ENVIRONMENT)
    if absent:
        pytest.skip(absent)
    with (
        stage("legs", AT_ONCE) as ground,
        contenders.running(agent, ground, contenders.ENVIRONMENT) as peer,
    ):
        run = peer.run(ground.tasks[0])
    assert run.right, run.trouble
    # Three legs and the answer, one at a time; else all legs in one reply, then the answer.
    assert run.model_calls == (4 if agent == contenders.LANGGRAPH_ONE_CALL else 2)
    # One after the other four names are found once each, at once up to two for each leg; then three ways.
    assert 4 + 3 <= run.map_calls <= 6 + 3


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
