"""Every agent of this project at the tasks of the benchmark, with servers that take no time."""

import asyncio
from collections.abc import Iterator

import pytest

from evals.bench.agents import contenders
from evals.bench.agents.contenders import AgentRun, OurAgent
from evals.bench.agents.servers import AT_ONCE, Latency, Stage, stage

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
    assert alone.right
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
