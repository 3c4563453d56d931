"""LLMCompiler: plans, references, joins, new plans."""

import asyncio
from typing import Any

import pytest

from evals.methods.llm_compiler import LlmCompiler, read_plan, references, resolve, wants_replan
from map_tools.errors import MapStoreError, PlanError
from map_tools.facts import Fact
from map_tools.providers.recorded import RecordedProvider
from mapagent.core.answer import Status
from tests.evals.methods.context import WORLD, calls_of, harbour, run, task
from tests.support.chat import ScriptedModel
from tests.support.evidence import (
    failure_fact,
    nearby_fact,
    place,
    place_fact,
    route,
    routes_fact,
    travel_fact,
)

MILL = place("Alder Mill", -12.5, 130.75, address="1 Pier Road", rating=4.5, id="m1")
RESULTS: dict[int, tuple[Fact, ...]] = {
    1: (place_fact(MILL),),
    2: (place_fact(MILL), nearby_fact("Alder Mill", "cafe", [(place("Tide"), 120.0), (place("Ebb"), 340.0)])),
    3: (routes_fact("Alder Mill", "Quay", [route("Pier Road", 12, 3800)]),),
    4: (failure_fact("Nowhere", "No place called 'Nowhere' is on the map."),),
    5: (travel_fact("Alder Mill", "Quay", 7, 2100),),
}


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("$1.name", "Alder Mill"),
        ("$1.id", "id:m1"),
        ("$1.location", "-12.500000,130.750000"),
        ("$2.items[1].name", "Ebb"),
        ("$2.items.0.name", "Tide"),
        ("${2.items[0].name}", "Tide"),
        ("$2.items[1].distance_m", 340.0),
        ("$3.routes[0].duration_s", 720.0),
        ("$5.legs[0].distance_m", 2100.0),
        ("cafe near $2.items[0].name, Quay", "cafe near Tide, Quay"),
        (["$1.name", "Quay"], ["Alder Mill", "Quay"]),
        ({"a": ["$2.items[0].name"], "n": 3}, {"a": ["Tide"], "n": 3}),
        ("costs 5 $", "costs 5 $"),
    ],
)
def test_replaces_references(argument: object, value: object) -> None:
    assert resolve(argument, RESULTS) == value


@pytest.mark.parametrize(
    ("argument", "told"),
    [
        ("$9.name", "names no call"),
        ("$1.phone", "leads nowhere"),
        ("$2.items[7].name", "leads nowhere"),
        ("$4.items[0].name", "No place called 'Nowhere' is on the map."),
        ("$2", "not a single value"),
        ("$2.items", r"\$2.items\[0\]"),
        ("a café near $2.items[7].name", "leads nowhere"),
    ],
)
def test_what_leads_nowhere_is_an_error_and_never_a_text(argument: str, told: str) -> None:
    with pytest.raises(PlanError, match=told):
        resolve(argument, RESULTS)


def test_finds_the_calls_referred_to() -> None:
    assert references({"a": ["$1.name", {"b": "x $12.items[0].name"}], "c": 4}) == {1, 12}


WALK = task(
    "How long is the walk from Customs House to the restaurant nearest to it?", "2 min", "5 min", "9 min"
)
PLAN = """Thought: first the restaurant, then the way.
1. Nearby({"query": "restaurant", "location": "Customs House", "radius": 1000})
2. PlaceInfo({"location_address": "Customs House"})
3. Trip({"current_location": "$2.name", "visiting_places": ["$1.items[0].name"], "travel_mode": "walking"})
4. join()"""


class _Meeting(RecordedProvider):
    """Looks up a place only once as many look-ups are under way as are awaited."""

    expected = 0

    def prepare(self, expected: int) -> None:
        self.expected = expected
        self.under_way = 0
        self.all_here = asyncio.Event()

    async def find_place(self, text: str, **more: Any) -> Any:
        self.under_way += 1
        if self.under_way == self.expected:
            self.all_here.set()
        await self.all_here.wait()
        return await super().find_place(text, **more)


def test_a_plan_with_references_runs_and_the_joiner_finishes() -> None:
    model = ScriptedModel(PLAN, "Thought: 5.0 min.\nAction: Finish[^^2^^]")
    answer, request_context = run(LlmCompiler(), WALK, model, provider=harbour())
    assert (answer.status, answer.option_index) == (Status.ANSWERED, 1)
    made = dict(calls_of(request_context))
    assert made["Trip"] == {
        "current_location": "Customs House",
        "visiting_places": ["Salt & Smoke"],
        "travel_mode": "walking",
    }
    assert "walking from Customs House to Salt & Smoke: 5.0 min, 350 m" in model.prompt(2)
    assert answer.usage.llm_calls == 2


def test_independent_calls_are_under_way_at_once() -> None:
    names = ("Old Light", "Green Bowl", "Salt & Smoke")
    plan = "\n".join(
        f'{n}. PlaceInfo({{"location_address": "{name}"}})' for n, name in enumerate(names, start=1)
    )
    provider = _Meeting.open(WORLD)
    provider.prepare(len(names))
    model = ScriptedModel(f"{plan}\n4. join()", "Action: Finish[^^1^^]")
    # Each look-up waits for the others: one after another they would never end, and the deadline would pass.
    answer, request_context = run(LlmCompiler(), WALK, model, provider=provider, deadline_s=20)
    assert answer.status is Status.ANSWERED
    assert len(calls_of(request_context)) == len(names)


class _Damaged(RecordedProvider):
    """Its map cannot be read any more."""

    async def find_place(self, text: str, **more: Any) -> Any:
        raise MapStoreError("The map is damaged.")


def test_what_stops_the_run_comes_out_as_itself() -> None:
    with pytest.raises(MapStoreError, match="damaged"):
        run(LlmCompiler(), WALK, ScriptedModel(PLAN), provider=_Damaged.open(WORLD))


def test_a_replan_sees_the_old_plan_and_may_refer_to_it() -> None:
    model = ScriptedModel(
        '1. Nearby({"query": "restaurant", "location": "Customs House", "radius": 1000})\n2. join()',
        "Thought: the way is missing.\nAction: Replan[walking time]",
        '3. Trip({"current_location": "Customs House", "visiting_places": ["$1.items[0].name"]})',
        "Action: Finish[^^2^^]",
    )
    answer, request_context = run(LlmCompiler(), WALK, model, provider=harbour())
    assert answer.option_index == 1
    assert "3 × restaurant around Customs House within 1000 m, nearest first:" in model.prompt(3)
    assert "Replan[walking time]" in model.prompt(3)
    assert calls_of(request_context)[1][1]["visiting_places"] == ["Salt & Smoke"]


def test_an_unresolved_reference_is_shown_to_the_planner_and_never_called() -> None:
    model = ScriptedModel(
        '1. Route({"origin": "$7.name", "destination": "Quay"})\n2. PlaceInfo({"location_address": "$3.id"})',
        PLAN,
        "Action: Finish[^^2^^]",
    )
    answer, request_context = run(LlmCompiler(), WALK, model, provider=harbour())
    # Nothing could be called, so the planner is asked again at once, without the joiner.
    assert model.labels[:2] == ["llm-compiler.llm_compiler_plan"] * 2
    assert "Observation of 1: Not run. The reference $7.name names no call that was made." in model.prompt(2)
    assert "$7.name" not in str(calls_of(request_context))
    assert answer.option_index == 1


def test_a_failed_call_fails_those_that_refer_to_it() -> None:
    plan = (
        '1. Nearby({"query": "cafe", "location": "Nowhere"})\n'
        '2. PlaceInfo({"location_address": "$1.items[0].name"})\n3. join()'
    )
    model = ScriptedModel(plan, "Thought: not on the map.\nAction: Finish[^^0^^]")
    answer, request_context = run(LlmCompiler(), WALK, model, provider=harbour())
    assert answer.status is Status.UNANSWERABLE
    assert [name for name, _ in calls_of(request_context)] == ["Nearby"]
    assert "Observation of 2: Not run. The reference $1.items[0].name leads nowhere" in model.prompt(2)


def test_rounds_are_bounded_and_the_last_one_may_not_replan() -> None:
    plans = [f'{n}. PlaceInfo({{"location_address": "Nowhere {n}"}})\n9. join()' for n in (1, 2, 3)]
    replan = "Action: Replan[more]"
    model = ScriptedModel(plans[0], replan, plans[1], replan, plans[2], "^^0^^")
    answer, _ = run(LlmCompiler(), WALK, model, provider=harbour())
    assert model.labels[-1] == "llm-compiler.last"
    assert model.left == 0
    assert answer.status is Status.UNANSWERABLE


def test_a_plan_of_repeats_ends_the_run() -> None:
    model = ScriptedModel(PLAN, "Action: Replan[look again]", PLAN, "^^2^^")
    answer, request_context = run(LlmCompiler(), WALK, model, provider=harbour())
    assert "only repeats calls" in model.prompt(4)
    assert len(calls_of(request_context)) == 3
    assert answer.option_index == 1


def test_numbers_used_again_mean_the_new_calls() -> None:
    second = (
        '1. PlaceInfo({"location_address": "$7.name"})\n'
        '2. PlaceInfo({"location_address": "$1.items[0].name"})\n'
        '3. PlaceInfo({"location_address": "Green Bowl"})'
    )
    model = ScriptedModel(PLAN, "Action: Replan[more]", second, "Action: Finish[^^2^^]")
    _, request_context = run(LlmCompiler(), WALK, model, provider=harbour())
    # The second plan's call 1 fails, so its call 2 must not fall back to call 1 of the first plan.
    assert [arguments.get("location_address") for _, arguments in calls_of(request_context)[3:]] == [
        "Green Bowl"
    ]
    assert "Observation of 2: Not run. The reference $1.items[0].name names no call" in model.prompt(4)


def test_rubbish_and_invented_tools_are_told() -> None:
    model = ScriptedModel(
        "I would rather not.",
        "Action: Replan[a plan]",
        '1. Teleport({"to": "Mars"})\n2. Nearby({"query": ',
        "Action: Finish[^^1^^]",
    )
    answer, _ = run(LlmCompiler(), WALK, model, provider=harbour())
    assert "The plan has no calls." in model.prompt(2)
    assert "There is no map tool 'Teleport'" in model.prompt(4)
    assert answer.option_index == 0


def test_reads_plans() -> None:
    nodes = read_plan(PLAN)
    assert [(node.number, node.call.tool) for node in nodes] == [(1, "Nearby"), (2, "PlaceInfo"), (3, "Trip")]
    assert read_plan("1. join()\n2. PlaceInfo({})") == ()


def test_reads_the_joiners_action() -> None:
    assert wants_replan("Thought: no\nAction: Replan[more]")
    assert wants_replan("replan(more)")
    assert not wants_replan("Action: Finish[1]\nAction: Replan[more]")
    assert not wants_replan("I do not know")
