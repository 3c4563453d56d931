"""The conversation with a model: how a question ends."""

import asyncio
import json
from pathlib import Path

import pytest

from mapagent.agent import MapAgent
from mapagent.answer import Answer, Status
from mapagent.config import Settings
from mapagent.question import Question, Turn
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


@pytest.mark.parametrize("program", ["", 'answer(place("Mole Cafe"))'])
def test_earlier_turns_are_told(program: str) -> None:
    question = Question(text="And its phone?", earlier=(Turn(text="Where is Mole Cafe?", program=program),))
    _, model = told(question, calling("finish", outcome="unanswerable", reason="not stated"))
    assert "- Where is Mole Cafe?" in model.prompt(1)
    assert ("place(" in model.prompt(1)) == bool(program)
