"""Plans: validity, order, and what a broken plan is told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mapagent.planner import default_plan, make_plan

from map_tools.errors import PlanError
from mapagent.answer import Status
from mapagent.plan import Plan, Step
from mapagent.ports import Understanding
from mapagent.question import Question
from mapagent.trace import Trace

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


def test_the_default_plan_reads_the_text_before_it_asks_the_map() -> None:
    question = Question(text="Where is it?", context="A text.")
    plan = default_plan(question, Understanding(), has_provider=True)
    modules = [item.module for item in plan.order()]
    expected = ["context_reader", "map_service", "sequencer", "solution_generator", "answer_generator"]
    assert modules == expected


def test_what_is_not_understood_asks_no_map() -> None:
    understanding = Understanding(status=Status.NOT_UNDERSTOOD, reason="no verb")
    plan = default_plan(Question(text="Gibberish"), understanding, has_provider=True)
    assert "map_service" not in [item.module for item in plan.steps]


def test_an_invalid_plan_of_a_reasoner_is_replaced_and_the_trace_says_why() -> None:
    trace = Trace()
    bad = Plan(steps=(step("a", module="telepathy"),))
    plan = make_plan(
        Question(text="Where?"),
        Understanding(plan=bad),
        has_provider=True,
        modules=MODULES,
        trace=trace,
    )
    assert plan.steps[-1].module == "answer_generator"
    (refused,) = [span for span in trace.spans if span.name == "plan.refused"]
    assert "telepathy" in refused.attributes["reason"]


def test_a_plan_without_an_answer_step_is_refused() -> None:
    trace = Trace()
    make_plan(
        Question(text="Where?"),
        Understanding(plan=Plan(steps=(step("a"),))),
        has_provider=False,
        modules=MODULES,
        trace=trace,
    )
    assert "no answer step" in trace.spans[0].attributes["reason"]


def test_a_plan_survives_being_saved_and_read_again() -> None:
    plan = default_plan(Question(text="Where?"), Understanding(), has_provider=True)
    assert Plan.model_validate_json(plan.model_dump_json()) == plan
