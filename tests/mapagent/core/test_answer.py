"""Plans and answers: what is valid, and what a source failed to tell or its routes warn of is told with them."""

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from map_tools.errors import PlanError
from map_tools.facts import Fact, PlaceFact, RoutesFact, TravelFact
from map_tools.providers.base import Terms
from map_tools.providers.osm import OsmProvider
from map_tools.types import Place, Route, TravelMode
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, Evidence, Plan, Source, Status, Step
from mapagent.core.outcome import travel_notices, with_losses
from mapagent.runtime.config import Settings
from tests.support.evidence import evidence, failure_fact, place, place_fact
from tests.support.maps import demo_map

MODULES = frozenset({"context_reader", "map_service", "sequencer", "solution_generator", "answer_generator"})


def step(name: str, *after: str, module: str = "sequencer") -> Step:
    return Step(id=name, subgoal=name, module=module, depends_on=after)


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ((), "no steps"),
        ((step("a"), step("a")), "two steps with the id 'a'"),
        ((step("a", module="telepathy"),), "unknown module 'telepathy'"),
        ((step("a", "b"),), "depends on 'b'"),
        ((step("a", "b"), step("b", "a")), "wait for each other"),
    ],
)
def test_a_broken_plan_is_told_what_is_wrong(steps: tuple[Step, ...], words: str) -> None:
    with pytest.raises(PlanError, match=words):
        Plan(steps=steps).check(MODULES)


@given(st.data())
def test_order_puts_every_step_after_what_it_depends_on(data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 8))
    steps = []
    for index in range(count):
        before = data.draw(st.sets(st.integers(0, index - 1)) if index else st.just(set()))
        steps.append(step(f"s{index}", *(f"s{number}" for number in sorted(before))))
    shuffled = data.draw(st.permutations(steps))
    ordered = [item.id for item in Plan(steps=tuple(shuffled)).order()]
    assert sorted(ordered) == sorted(item.id for item in steps)
    for item in steps:
        assert all(ordered.index(needed) < ordered.index(item.id) for needed in item.depends_on)


def test_a_statement_is_a_subgoal_and_belongs_to_the_module_of_its_operator(home: Path) -> None:
    program = """
    museum = nearest("museum", to=place("Ateneum"))  # the museum to begin at
    way = travel("Kiasma", museum, "walk")
    answer(way.duration, direct=distance("Kiasma", museum))
    """

    async def ask() -> Answer:
        async with MapAgent(Settings(data_home=home), provider=OsmProvider.open(demo_map())) as agent:
            return await agent.query("\n".join(map(str.strip, program.splitlines())))

    answer = asyncio.run(ask())
    assert answer.plan is not None
    answer.plan.check(MODULES)
    museum, way, last = answer.plan.steps
    assert [museum.module, way.module, last.module] == ["map_service", "map_service", "answer_generator"]
    assert [museum.depends_on, way.depends_on, last.depends_on] == [(), ("museum",), ("way", "museum")]
    assert museum.subgoal == "the museum to begin at"
    assert way.subgoal == "the way from Kiasma to museum on foot"
    assert {item.step_id for item in answer.evidence} <= {"museum", "way", "answer"}
    assert Plan.model_validate_json(answer.plan.model_dump_json()) == answer.plan


DOWN = "Google Maps did not answer within 10 s, tried 5 times."
ANSWERED = Answer(status=Status.ANSWERED, text="Quay Inn", warnings=("It rains.",))
REFUSED = Answer(status=Status.UNANSWERABLE, text="", reason="Nothing is known of the Mill.")


def test_a_lost_fact_is_named_with_what_it_is_about() -> None:
    found = evidence(
        place_fact(place("Quay Inn")),
        failure_fact("Mill → Quay", DOWN, code="provider"),
        failure_fact("Mill", DOWN, code="provider"),
        failure_fact("Mill", DOWN, code="provider"),
    )
    answer = with_losses(ANSWERED, found)
    assert answer.warnings == ("It rains.", f"{DOWN} This concerns: Mill → Quay; Mill.")
    assert answer.text == "Quay Inn"


def test_many_are_counted() -> None:
    found = evidence(*(failure_fact(f"Mill {number}", DOWN, code="provider") for number in range(5)))
    assert with_losses(ANSWERED, found).warnings[1].endswith("Mill 0; Mill 1; Mill 2 and 2 more.")
    assert with_losses(ANSWERED, found[:3]).warnings[1].endswith("This concerns: Mill 0; Mill 1; Mill 2.")


def test_what_the_answer_says_already_is_not_repeated() -> None:
    told = REFUSED.model_copy(update={"reason": f"Too bad: {DOWN}"})
    assert with_losses(told, evidence(failure_fact("Mill", DOWN, code="provider"))) == told


def test_a_place_that_is_not_on_the_map_is_no_loss_beside_an_answer() -> None:
    missing = evidence(failure_fact("Mill", "No place called 'Mill' is on the map."))
    assert with_losses(ANSWERED, missing) == ANSWERED
    assert with_losses(REFUSED, missing).warnings == ("No place called 'Mill' is on the map.",)


def test_an_id_that_its_own_source_does_not_know_is_a_loss() -> None:
    gone = evidence(failure_fact("id:ChIJx", "Google has no place with the id 'ChIJx'."))
    assert with_losses(ANSWERED, gone).warnings[1:] == ("Google has no place with the id 'ChIJx'.",)


def test_questions_that_are_not_understood_lost_nothing() -> None:
    unclear = Answer(status=Status.NOT_UNDERSTOOD, text="", reason="Which one?")
    assert with_losses(unclear, evidence(failure_fact("Mill", DOWN, code="provider"))) == unclear


TERMS = Terms(attribution="©", travel_warnings={TravelMode.WALKING: "Mind the kerb."})


def provided(*facts: Fact, provider: str = "maps") -> tuple[Evidence, ...]:
    source = Source(tool="Route", provider=provider)
    return tuple(
        Evidence(id=str(number), step_id="s", value=fact, source=source) for number, fact in enumerate(facts)
    )


def routes(mode: TravelMode, *warnings: str) -> RoutesFact:
    route = Route(summary="", distance_m=1, duration_s=1, warnings=warnings)
    return RoutesFact(origin="a", destination="b", mode=mode, routes=(route,))


def travel(mode: TravelMode) -> TravelFact:
    return TravelFact(origin="a", destination="b", mode=mode, duration_s=1, distance_m=1)


def test_warnings_come_once_and_in_order() -> None:
    found = provided(
        routes(TravelMode.DRIVING, "Toll road", "Ferry"),
        routes(TravelMode.WALKING, "Ferry"),
        travel(TravelMode.WALKING),
    )
    assert travel_notices(found, TERMS) == ("Toll road", "Ferry", "Mind the kerb.")


def test_a_matrix_alone_brings_the_warning_of_its_mode() -> None:
    assert travel_notices(provided(travel(TravelMode.WALKING)), TERMS) == ("Mind the kerb.",)
    assert travel_notices(provided(travel(TravelMode.DRIVING)), TERMS) == ()


def test_supplied_text_is_under_nobodys_terms() -> None:
    found = provided(routes(TravelMode.WALKING, "Steep"), provider="")
    assert travel_notices(found, TERMS) == ("Steep",)
    assert travel_notices(found, None) == ("Steep",)


def test_places_need_no_warning() -> None:
    assert travel_notices(provided(PlaceFact(query="x", place=Place(id="1", name="x"))), TERMS) == ()
