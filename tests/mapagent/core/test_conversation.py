"""Conversations: what a planner is told of earlier turns, choices, bounds."""

import asyncio
from pathlib import Path

import pytest

from map_tools.errors import UsageError
from mapagent import Conversation, MapAgent
from mapagent.core.answer import Answer, Status
from mapagent.core.conversation import MOST_TURNS, TOLD_TURNS
from mapagent.core.ports import Run
from mapagent.core.question import Question
from mapagent.runtime.config import Settings

WORLD = Path(__file__).resolve().parents[2] / "fixtures" / "worlds" / "harbour.json"


class Echo:
    """Answers with the number of earlier turns; "twice" is ambiguous until a choice is made."""

    name = "echo"

    def __init__(self) -> None:
        self.asked: list[Question] = []

    async def answer(self, run: Run) -> Answer:
        self.asked.append(run.question)
        if run.question.text == "twice" and not run.question.choice:
            return Answer(status=Status.AMBIGUOUS, reason="two")
        text = str(len(run.question.earlier))
        return Answer(status=Status.ANSWERED, text=text, program=f"answer({text})")


@pytest.fixture
def planner() -> Echo:
    return Echo()


@pytest.fixture
def conversation(planner: Echo) -> Conversation:
    return Conversation(MapAgent(Settings(provider=f"recorded:{WORLD}"), planner=planner))


def test_a_follow_up_comes_with_what_was_said_before(conversation: Conversation, planner: Echo) -> None:
    for text in ("first", "second"):
        asyncio.run(conversation.ask(text))
    told = planner.asked[-1].earlier
    assert [(one.text, one.program, one.answer) for one in told] == [("first", "answer(0)", "0")]


def test_a_choice_replaces_the_open_turn(conversation: Conversation, planner: Echo) -> None:
    assert asyncio.run(conversation.ask("twice")).status is Status.AMBIGUOUS
    assert asyncio.run(conversation.choose(2)).status is Status.ANSWERED
    assert planner.asked[-1].choice == (2,)
    assert [one.text for one in conversation.turns] == ["twice"]
    with pytest.raises(UsageError, match="nothing to choose"):
        asyncio.run(conversation.choose(1))


def test_a_choice_that_cannot_be_made_leaves_all_as_it_was(conversation: Conversation, planner: Echo) -> None:
    for text in ("first", "twice"):
        asyncio.run(conversation.ask(text))
    with pytest.raises(UsageError, match="count from 1"):
        asyncio.run(conversation.choose(0))
    assert [one.text for one in conversation.turns] == ["first", "twice"]
    assert conversation.choosing
    asyncio.run(conversation.choose(1))
    assert [(one.text, one.choice, one.open) for one in conversation.turns] == [
        ("first", (), False),
        ("twice", (1,), False),
    ]
    assert [one.text for one in planner.asked[-1].earlier] == ["first"], "not the question itself"


def test_who_does_not_choose_asks_on(conversation: Conversation, planner: Echo) -> None:
    for text in ("twice", "something else", "twice"):
        asyncio.run(conversation.ask(text))
    assert [one.text for one in planner.asked[-1].earlier] == ["twice", "something else"]
    assert [one.text for one in conversation.turns] == ["twice", "something else", "twice"]


def test_turns_are_bounded_and_forgotten_for_good(conversation: Conversation, planner: Echo) -> None:
    for number in range(MOST_TURNS + 5):
        asyncio.run(conversation.ask(str(number)))
    assert [one.text for one in conversation.turns] == [str(one) for one in range(5, MOST_TURNS + 5)]
    assert len(planner.asked[-1].earlier) == TOLD_TURNS
    conversation.forget()
    asyncio.run(conversation.ask("anew"))
    assert planner.asked[-1].earlier == ()
