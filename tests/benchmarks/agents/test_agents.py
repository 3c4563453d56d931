"""Every agent of this project at the tasks of the benchmark, with servers that take no time.

First the agents and their figures, then the invented city, the tasks over it, and what the scripted model does about
them.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.agents import contenders
from benchmarks.agents.__main__ import FIVE_STOPS, cells, figures, targets
from benchmarks.agents.contenders import MAPAGENT, MAPAGENT_MODEL, AgentRun, OurAgent
from benchmarks.agents.scripts import (
    DetailsScript,
    QuickestScript,
    WalkScript,
    info_call,
    listed,
    nearby_call,
    route_call,
    sunday_min,
    trip_call,
    walking_min,
)
from benchmarks.agents.servers import AT_ONCE, Latency, Stage, slow_map, stage
from benchmarks.agents.tasks import city
from map_tools.types import NearbyPlace, TravelMode

TRIP_3, TRIP_5, TRIP_8, DETAILS, MIXED = range(5)
LEG = "walking from A House to B Tower: via Canal Street (10.5 min, 750 m)\n"
CELL = "walking from B Tower to C (old) Gate: 4.0 min, 300 m\n"
LIST = (
    "2 × cafe around A House within 700 m, nearest first:\n"
    "1. Red Cup, cafe, 10 Canal Street, at 52.0,4.0, 108 m away\n"
    "2. Bean & Co, cafe, at 52.0,4.1, 142 m away\n"
)
RED = "“Red Cup” is Red Cup, cafe, hours Mo-Sa 08:00-18:00; Su 09:00-13:30, at 52.0,4.0\n"
BEAN = "“Bean & Co” is Bean & Co, cafe, hours Mo-Sa 08:00-18:00; Su 10:00-21:00, at 52.0,4.1\n"
STOPS = ("A House", "B Tower", "C (old) Gate")
TOTALS = {"6 minutes": 6, "15 minutes": 15}
OFFLINE = AgentRun(MAPAGENT, FIVE_STOPS, "legs", True, 0.21, 0.01, 0, 0, 13, critical_s=0.2)
MODEL = AgentRun(MAPAGENT_MODEL, FIVE_STOPS, "legs", True, 0.9, 0.02, 1, 2000, 13, critical_s=0.85)
REACT = AgentRun("react", FIVE_STOPS, "legs", True, 5.4, 0.1, 6, 14_000, 15)
OTHER = AgentRun("langgraph", FIVE_STOPS, "legs", True, 1.5, 0.1, 2, 5000, 15)
RUNS = (OFFLINE, MODEL, REACT, OTHER)


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


def test_walks_go_along_the_grid() -> None:
    # From (0, 0) to (450, 300) it is 750 m along the grid: 600 s at 1.25 m/s.
    assert city().walk_m("Harbour Museum", "Linden Theatre") == 750
    assert city().walk_s("Harbour Museum", "Linden Theatre") == 600


def test_what_lies_around_is_nearest_first() -> None:
    around = city().around("Harbour Museum", "cafe", 150)
    # Amber Cup is √(60² + 90²) = 108 m away, Blue Kettle √(120² + 75²) = 142 m, the next one 218 m.
    assert [spot.name for spot in around] == ["Amber Cup", "Blue Kettle"]


def test_hours_of_a_sunday_are_read_and_a_day_of_rest_is_refused() -> None:
    assert city().places["Elm Roastery"].closes_on_sunday_min == 19 * 60 + 30
    with pytest.raises(ValueError, match="Marble Library"):
        _ = city().places["Marble Library"].closes_on_sunday_min


def test_the_map_tells_the_same_ways_and_distances() -> None:
    async def asked() -> tuple[float | None, tuple[NearbyPlace, ...]]:
        provider = slow_map(city().world(), 0)
        (start,) = await provider.find_place("Harbour Museum", limit=1)
        (end,) = await provider.find_place("Linden Theatre", limit=1)
        matrix = await provider.matrix((start.place,), (end.place,), mode=TravelMode.WALKING)
        near = await provider.nearby(start.place, radius_m=150, categories=("cafe",))
        return matrix.rows[0][0].duration_s, near

    seconds, near = asyncio.run(asked())
    assert seconds == 600
    assert [(item.place.name, round(item.distance_m or 0)) for item in near] == [
        ("Amber Cup", 108),
        ("Blue Kettle", 142),
    ]


def test_lists_leave_out_hours_and_details_tell_them() -> None:
    async def asked() -> tuple[object, object, dict[str, int]]:
        provider = slow_map(city().world(), 0)
        (anchor,) = await provider.find_place("Harbour Museum", limit=1)
        (first, *_) = await provider.nearby(anchor.place, radius_m=150, categories=("cafe",))
        details = await provider.place_details(first.place.id)
        return first.place.hours, details.hours, dict(provider.calls)

    listed, detailed, calls = asyncio.run(asked())
    assert listed is None
    assert detailed is not None
    assert calls == {"find_place": 1, "nearby": 1, "place_details": 1}


def test_minutes_are_read_from_a_route_and_from_a_matrix() -> None:
    assert walking_min(LEG, "A House", "B Tower") == 10.5
    assert walking_min(CELL, "B Tower", "C (old) Gate") == 4.0
    assert walking_min(LEG, "B Tower", "A House") is None


def test_names_and_hours_are_read_from_lists_and_details() -> None:
    assert listed(LIST, "cafe", "A House") == ("Red Cup", "Bean & Co")
    assert listed(LIST, "cafe", "B Tower") == ()
    assert sunday_min(BEAN, "Bean & Co") == (600, 1260)
    assert sunday_min(BEAN, "Red Cup") is None


def test_legs_are_asked_for_until_all_are_known() -> None:
    script = WalkScript(STOPS, "legs", TOTALS)
    assert script.calls("") == (route_call("A House", "B Tower"), route_call("B Tower", "C (old) Gate"))
    assert script.calls(LEG) == (route_call("B Tower", "C (old) Gate"),)
    assert script.calls(LEG + CELL) == ()


def test_a_trip_that_was_cut_is_completed_leg_by_leg() -> None:
    script = WalkScript(STOPS, "trip", TOTALS)
    assert script.calls("") == (trip_call(STOPS),)
    assert script.calls(CELL) == (route_call("A House", "B Tower"),)


def test_the_sum_decides_and_without_all_legs_nothing_does() -> None:
    script = WalkScript(STOPS, "legs", TOTALS)
    assert script.conclude(LEG + CELL).option == "15 minutes"  # 10.5 + 4.0 = 14.5
    assert script.conclude(LEG).option is None


def test_a_list_is_looked_up_place_by_place() -> None:
    script = DetailsScript("A House", "cafe", 700)
    assert script.calls("") == (nearby_call("cafe", "A House", 700),)
    assert script.calls(LIST) == (info_call("Red Cup"), info_call("Bean & Co"))
    assert script.calls(LIST + RED) == (info_call("Bean & Co"),)
    assert script.conclude(LIST + RED).option is None
    assert script.conclude(LIST + RED + BEAN).option == "Bean & Co"


def test_only_ways_to_open_places_are_measured() -> None:
    script = QuickestScript("A House", "cafe", 700, 18 * 60, "legs")
    known = LIST + RED + BEAN
    assert script.calls(known) == (route_call("A House", "Bean & Co"),)
    assert script.conclude(known).option is None
    way = "walking from A House to Bean & Co: via Canal Street (3.2 min, 240 m)\n"
    assert script.conclude(known + way).option == "Bean & Co"
