import pytest

from mapagent.plan import Plan
from mapagent.ports import Account
from mapagent.question import Question
from modules.llm.conversation import Conversation
from modules.llm.planning import FreePlanner, modules_for
from tests.modules.llm.words import OUTLINE, outline
from tests.support.scripted_model import Reply, ScriptedModel

pytestmark = pytest.mark.anyio

QUESTION = Question(text="Plan a day in the old town with two museums and lunch.")


async def planned(*replies: Reply) -> tuple[Plan | None, ScriptedModel, Account]:
    model, account = ScriptedModel(*replies), Account()
    plan = await FreePlanner(Conversation(model)).plan(QUESTION, account)
    return plan, model, account


async def test_an_outline_becomes_a_plan() -> None:
    plan, model, _ = await planned(OUTLINE)
    assert plan is not None
    assert [(step.id, step.module, step.depends_on) for step in plan.steps] == [
        ("s1", "map_service", ()),
        ("s2", "solution_generator", ("s1",)),
        ("s3", "answer_generator", ("s2",)),
    ]
    assert "- map_service: Fetches" in model.asked[0][0].text


async def test_all_that_is_fetched_is_one_step() -> None:
    plan, _, _ = await planned(
        outline(
            ("Museums", "map_service", ()),
            ("Lunch", "map_service", (1,)),
            ("Choose", "solution_generator", (1, 2)),
            ("Answer", "answer_generator", (3,)),
        )
    )
    assert plan is not None
    assert [(step.id, step.subgoal, step.depends_on) for step in plan.steps] == [
        ("s1", "Museums; Lunch", ()),
        ("s3", "Choose", ("s1",)),
        ("s4", "Answer", ("s3",)),
    ]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (outline(("Find", "museum_finder", ()), ("Answer", "answer_generator", (1,))), "'museum_finder'"),
        (outline(("Find", "map_service", (2,)), ("Answer", "answer_generator", (1,))), "wait for each other"),
        (outline(("Find", "map_service", (9,)), ("Answer", "answer_generator", (1,))), "'s9'"),
        (outline(("Find", "map_service", ())), "no answer step"),
        (outline(("Solve", "solution_generator", ()), ("Answer", "answer_generator", (1,))), "no facts"),
        (outline(("Find", "map_service", ()), ("Answer", "answer_generator", (1,))), "no solution"),
    ],
)
async def test_a_plan_that_cannot_run_is_told_what_is_wrong(wrong: str, told: str) -> None:
    plan, model, account = await planned(wrong, OUTLINE)
    assert plan is not None
    assert told in model.prompt(2)
    (refused,) = [span for span in account.trace.spans if span.name == "plan.refused"]
    assert told in refused.attributes["reason"]


async def test_two_wrong_plans_leave_the_kernel_its_own() -> None:
    wrong = outline(("Find", "museum_finder", ()), ("Answer", "answer_generator", (1,)))
    plan, model, account = await planned(wrong, wrong)
    assert plan is None
    assert model.left == 0
    assert len([span for span in account.trace.spans if span.name == "plan.refused"]) == 2


async def test_words_that_are_no_plan_leave_the_kernel_its_own() -> None:
    plan, _, account = await planned("I would go to the museum first.")
    assert plan is None
    assert [span.name for span in account.trace.spans] == ["plan.fallback"]


def test_the_inventory_holds_what_can_serve_the_question() -> None:
    over_a_map = modules_for(QUESTION)
    over_text = modules_for(QUESTION.model_copy(update={"context": "Old Mill is open."}))
    assert "map_service" in over_a_map
    assert "context_reader" not in over_a_map
    assert "context_reader" in over_text
    assert "map_service" not in over_text
