"""The embedded reasoner as the kernel sees it."""

import asyncio

from modules.offline.reasoner import OfflineReasoner, calibration

from mapagent.answer import Status
from mapagent.ports import Reasoner, Understanding
from mapagent.question import Question
from modules.offline.intents import OpenIntent


def plan(text: str) -> Understanding:
    reasoner: Reasoner = OfflineReasoner()
    return asyncio.run(reasoner.plan(Question(text=text), names=None))


def test_a_question_becomes_an_intent_with_a_confidence() -> None:
    understanding = plan("Is Kiasma open on Sunday?")
    assert isinstance(understanding.intent, OpenIntent)
    assert 0 < understanding.confidence <= calibration()["open"]


def test_what_is_not_understood_says_so() -> None:
    understanding = plan("Tell me a joke.")
    assert understanding.status is Status.NOT_UNDERSTOOD
    assert understanding.reason
    solution = asyncio.run(
        OfflineReasoner().conclude(Question(text="Tell me a joke."), understanding, (), closed=True)
    )
    assert solution.status is Status.NOT_UNDERSTOOD


def test_the_first_round_asks_for_the_place() -> None:
    question = Question(text="Is Kiasma open on Sunday?")
    understanding = plan(question.text)
    calls = asyncio.run(OfflineReasoner().next_calls(question, understanding, ()))
    assert [(call.tool, call.arguments["location_address"]) for call in calls] == [("PlaceInfo", "Kiasma")]


def test_without_facts_the_question_is_unanswerable() -> None:
    question = Question(text="Is Kiasma open on Sunday?")
    solution = asyncio.run(OfflineReasoner().conclude(question, plan(question.text), (), closed=True))
    assert solution.status is Status.UNANSWERABLE
    assert "Kiasma" in solution.reason
