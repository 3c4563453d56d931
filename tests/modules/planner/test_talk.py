"""The conversation with a model: how a question ends."""

import asyncio
import json
from pathlib import Path

import pytest

from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, Status
from mapagent.core.question import Question, Turn
from mapagent.llm.chat import ChatMessage, ChatReply, ToolUse
from mapagent.runtime.config import Settings
from modules.planner.planner import ModelPlanner
from tests.support.scripted_model import ScriptedModel

WORLD = Path(__file__).resolve().parents[2] / "fixtures" / "worlds" / "harbour.json"
TEXT = "Mole Cafe stands at 1 Quay. Travel time from Mole Cafe to Quay: by car 9 mins (3 km)."
QUIET = Question(text="Which way is quiet?", options=("Via Quay", "Via Mole"), context=TEXT)


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
