"""Which questions the embedded reasoner sends to the recommender."""

import asyncio

import pytest
from modules.offline.reasoner import OfflineReasoner

from mapagent.ports import Understanding
from mapagent.question import Question
from modules.recommender.wish import Wish


def plan(text: str, **more: tuple[str, ...]) -> Understanding:
    return asyncio.run(OfflineReasoner().plan(Question(text=text, **more)))


def modules_of(understanding: Understanding) -> list[str]:
    return [] if understanding.plan is None else [step.module for step in understanding.plan.steps]


@pytest.mark.parametrize(
    "text",
    [
        "Somewhere cosy for dinner near Tar Harbour",
        "Recommend a quiet cafe on the way from Old Station to Tar Harbour",
        "Looking for a romantic, traditional restaurant in Linden Quarter, not a chain",
    ],
)
def test_wishes_go_to_the_recommender(text: str) -> None:
    understanding = plan(text)
    assert modules_of(understanding) == ["recommender", "answer_generator"]
    assert understanding.intent is None
    assert understanding.confidence > 0.75


def test_the_plan_holds_the_whole_wish() -> None:
    understanding = plan("Somewhere cosy for dinner near Tar Harbour, not a chain")
    assert understanding.plan is not None
    wish = Wish.model_validate(understanding.plan.steps[0].inputs["wish"])
    assert (wish.anchors, wish.no_chain, wish.semantic_words) == (("Tar Harbour",), True, ("cosy",))


@pytest.mark.parametrize(
    "text",
    [
        "Which cafe is nearest to Tar Harbour?",
        "Restaurants near Tar Harbour open at 9 pm on Sunday",
        "How long does it take to walk from Old Station to Tar Harbour?",
        "What is the best rated restaurant near Tar Harbour?",
    ],
)
def test_other_questions_keep_their_intents(text: str) -> None:
    understanding = plan(text)
    assert understanding.plan is None
    assert understanding.intent is not None


def test_options_keep_their_intents() -> None:
    text = "Which quiet and cosy cafe near Tar Harbour would you recommend?"
    assert modules_of(plan(text, options=("Cafe A", "Cafe B"))) == []


def test_what_is_surer_as_an_intent_stays_one() -> None:
    # One word of taste and nobody asks for advice: the list of nearby places answers it as before.
    assert plan("Which quiet cafes are near Tar Harbour?").intent is not None
