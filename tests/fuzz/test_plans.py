"""Plans of a careless planner: run exactly if they are whole and have no cycle, which networkx judges too."""

from typing import Any

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st
from mapagent.planner import make_plan
from modules.llm.planning import Outline
from pydantic import ValidationError

from map_tools.errors import PlanError
from mapagent.plan import Plan, Step
from mapagent.ports import Understanding
from mapagent.question import Question
from mapagent.trace import Trace
from tests.fuzz.damage import mistaken
from tests.fuzz.refusals import assert_told
from tests.support.effort import effort

MODULES = frozenset({"context_reader", "map_service", "sequencer", "solution_generator", "answer_generator"})
IDS = st.sampled_from(("a", "b", "c", "d", "e"))
STEPS = st.builds(
    lambda name, module, needs: Step(id=name, subgoal="", module=module, depends_on=tuple(needs)),
    IDS,
    st.sampled_from((*sorted(MODULES), *sorted(MODULES), "telepathy")),
    st.lists(IDS, max_size=2),
)
OUTLINE = {
    "steps": [
        {"subgoal": "Find the museums", "module": "map_service", "after": []},
        {"subgoal": "Find the ways", "module": "map_service", "after": [1]},
        {"subgoal": "Choose", "module": "solution_generator", "after": [1, 2]},
        {"subgoal": "Answer", "module": "answer_generator", "after": [3]},
    ]
}


def can_run(plan: Plan) -> bool:
    """Judged on the graph, without the code under test."""
    ids = [step.id for step in plan.steps]
    graph = nx.DiGraph((needed, step.id) for step in plan.steps for needed in step.depends_on)
    whole = bool(ids) and len(set(ids)) == len(ids) and set(graph.nodes) <= set(ids)
    return whole and nx.is_directed_acyclic_graph(graph) and {step.module for step in plan.steps} <= MODULES


@effort(3)
@given(st.lists(STEPS, max_size=5))
def test_a_plan_runs_if_it_is_whole_and_has_no_cycle(steps: list[Step]) -> None:
    plan = Plan(steps=tuple(steps))
    try:
        plan.check(MODULES)
    except PlanError as error:
        assert_told(error, remedy=False)
        assert not can_run(plan)
        return
    assert can_run(plan)
    done: set[str] = set()
    for step in plan.order():
        assert done.issuperset(step.depends_on)
        done.add(step.id)


@effort(2)
@given(st.lists(STEPS, max_size=5))
def test_whatever_a_reasoner_plans_a_plan_that_runs_comes_of_it(steps: list[Step]) -> None:
    plan = make_plan(
        Question(text="Where?"),
        Understanding(plan=Plan(steps=tuple(steps))),
        has_provider=True,
        modules=MODULES,
        trace=Trace(),
    )
    assert can_run(plan)
    assert "answer_generator" in {step.module for step in plan.steps}


@effort(2)
@given(mistaken(OUTLINE))
def test_an_outline_with_mistakes(written: Any) -> None:
    try:
        plan = Outline.model_validate(written).plan()
        plan.check(MODULES)
    except (ValidationError, PlanError):
        return
    assert can_run(plan)
