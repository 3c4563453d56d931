"""The conversation with a model: how a question ends, and what a finish is held against (numbers, units, lines)."""

import asyncio
import json
from pathlib import Path

import pytest

from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, Status
from mapagent.core.question import Question, Turn
from mapagent.llm.chat import ChatMessage, ChatReply, ToolUse
from mapagent.runtime.config import Settings
from modules.planner.finishing import Known, objection_to
from modules.planner.planner import ModelPlanner
from modules.planner.prompting import Finish
from tests.support.chat import ScriptedModel

WORLD = Path(__file__).resolve().parents[2] / "fixtures" / "worlds" / "harbour.json"
TEXT = "Mole Cafe stands at 1 Quay. Travel time from Mole Cafe to Quay: by car 9 mins (3 km)."
QUIET = Question(text="Which way is quiet?", options=("Via Quay", "Via Mole"), context=TEXT)
SAID = "From the Casino to the hotel: 4603 m by car, 385 s. The bank: 08:30-11:55,13:35-16:30. Rated 4.26 by 1,204."


def calling(tool: str, **arguments: object) -> str:
    return json.dumps({"name": tool, "arguments": arguments})


def told(question: Question, *replies: str) -> tuple[Answer, ScriptedModel]:
    model = ScriptedModel(*replies)
    agent = MapAgent(Settings(provider=f"recorded:{WORLD}"), planner=ModelPlanner(model))
    return asyncio.run(agent.ask(question)), model


GUESS = calling("finish", outcome="other", answer="A", evidence=["1 Quay"])


def test_a_guess_is_asked_once_whether_it_is_known() -> None:
    answer, model = told(QUIET, GUESS, calling("finish", outcome="unanswerable", reason="not stated"))
    assert (answer.status, answer.reason) == (Status.UNANSWERABLE, "not stated")
    assert "no program computed it" in model.prompt(2)


def test_what_the_model_stands_by_is_given_with_a_warning() -> None:
    answer, model = told(QUIET, GUESS, GUESS)
    assert (answer.status, answer.option, model.left) == (Status.ANSWERED, "A", 0)
    assert "no program computed it" in " ".join(answer.warnings)


def test_a_computed_answer_is_asked_nothing() -> None:
    program = 'answer(place("Lighthouse Museum").name)'
    answer, model = told(Question(text="Which museum?"), calling("run_query", program=program))
    assert (answer.text, model.left) == ("Lighthouse Museum", 0)


class AtOnce(ScriptedModel):
    """Calls all tools of a reply at once, each under the id that is told."""

    async def converse(self, messages: tuple[ChatMessage, ...], *_: object, **__: object) -> ChatReply:
        self.asked.append(messages)
        uses = (ToolUse.model_validate(use) for use in json.loads(str(self._replies.popleft())))
        return ChatReply(text="", calls=tuple(uses))


GUESSED = {"name": "finish", "arguments": {"outcome": "other", "answer": "A", "evidence": ["1 Quay"]}}
RUN = {"name": "run_query", "arguments": {"program": 'answer(place("Quay").name)'}}


@pytest.mark.parametrize("ids", [("one", "two"), ("one", "one"), ("", "")])
@pytest.mark.parametrize("uses", [(GUESSED, GUESSED), (RUN, GUESSED), (RUN, RUN)])
def test_each_of_several_calls_is_told_its_own(
    ids: tuple[str, str], uses: tuple[dict[str, object], ...]
) -> None:
    first = json.dumps([use | {"id": name} for use, name in zip(uses, ids, strict=True)])
    model = AtOnce(first, json.dumps([GUESSED | {"id": "three"}]), json.dumps([GUESSED | {"id": "four"}]))
    agent = MapAgent(Settings(provider=f"recorded:{WORLD}"), planner=ModelPlanner(model))
    answer = asyncio.run(agent.ask(QUIET))
    assert answer.status is Status.ANSWERED
    replies = [message for message in model.asked[1] if message.role == "tool"]
    assert [message.call_id for message in replies] == list(ids)
    assert all(message.text for message in replies)


@pytest.mark.parametrize("program", ["", 'answer(place("Mole Cafe"))'])
def test_earlier_turns_are_told(program: str) -> None:
    question = Question(text="And its phone?", earlier=(Turn(text="Where is Mole Cafe?", program=program),))
    _, model = told(question, calling("finish", outcome="unanswerable", reason="not stated"))
    assert "- Where is Mole Cafe?" in model.prompt(1)
    assert ("place(" in model.prompt(1)) == bool(program)


def objection(answer: str) -> str:
    """What is said against an answer that rests on the text."""
    known = Known(Question(text="How far is it, and when is the bank open?", context=SAID), (), ())
    return objection_to(Finish(outcome="other", answer=answer, evidence=[SAID]), known)


@pytest.mark.parametrize(
    "answer",
    [
        "4603 m",
        "4.6 km",
        "4.603 km",
        "about 5 km",
        "6 min",
        "6.4 min",
        "until 11:55, again from 13:35",
        "4.3 stars",
        "1,204",
    ],
)
def test_numbers_of_the_evidence_stand_rounded_and_in_larger_units_too(answer: str) -> None:
    assert objection(answer) == ""


@pytest.mark.parametrize(
    "answer", ["4.7 km", "4602 m", "7 min", "until 12:00", "4.4 stars", "1,205", "13:30", "46 km"]
)
def test_other_numbers_are_sent_back(answer: str) -> None:
    assert "stands in none of the evidence" in objection(answer)
