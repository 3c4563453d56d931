"""Plans: validity, order, and what a broken plan is told."""

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from map_tools.errors import PlanError
from map_tools.providers.osm import OsmProvider
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, Plan, Step
from mapagent.runtime.config import Settings
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
