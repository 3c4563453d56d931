"""The cascade: a sure reading costs no call, of unsure ones a model chooses, and only then it answers itself."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from map_tools.errors import ModelError
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, Status
from mapagent.core.ports import Run
from mapagent.core.question import Question
from mapagent.runtime.config import Settings
from modules.planner.cascade import CascadePlanner
from modules.planner.planner import ModelPlanner
from tests.support.chat import Reply, ScriptedModel

WORLD = Path(__file__).resolve().parents[2] / "fixtures" / "worlds" / "harbour.json"
MUSEUM, CUSTOMS, NOWHERE = (
    f'answer(place("{name}").name)' for name in ("Lighthouse Museum", "Customs House", "Atlantis")
)
ITSELF = json.dumps({"name": "run_query", "arguments": {"program": 'answer(place("Green Bowl").name)'}})


class Unsure:
    """A reader that is sure of nothing, or of its first reading."""

    name = "unsure"

    def __init__(self, *programs: str, confidence: float = 0.0) -> None:
        self._programs = programs
        self._confidence = confidence

    async def answer(self, run: Run) -> Answer:
        if not self._confidence:
            return Answer(status=Status.NOT_UNDERSTOOD, text="", reason="unsure")
        found = await run.execute(self._programs[0])
        return found.model_copy(update={"confidence": self._confidence})

    async def offered(self, run: Run, most: int) -> Sequence[Answer]:
        return [await run.execute(program) for program in self._programs[:most]]


def asked(reader: Unsure, *replies: Reply) -> tuple[Answer, ScriptedModel]:
    model = ScriptedModel(*replies)
    planner = CascadePlanner(reader, ModelPlanner(model), model=model)
    agent = MapAgent(Settings(provider=f"recorded:{WORLD}"), planner=planner)
    return asyncio.run(agent.ask(Question(text="Which one is it?"))), model


def chosen(letter: str) -> str:
    return json.dumps({"choice": letter})


def test_a_sure_reading_asks_no_model() -> None:
    answer, model = asked(Unsure(MUSEUM, confidence=0.9))
    assert (answer.text, model.asked) == ("Lighthouse Museum", [])


def test_of_unsure_readings_the_chosen_one_is_given() -> None:
    answer, model = asked(Unsure(MUSEUM, CUSTOMS), chosen("B"))
    assert (answer.text, model.labels) == ("Customs House", ["planner.choose"])
    assert "A. the name of Lighthouse Museum\nB. the name of Customs House" in model.prompt(1)


@pytest.mark.parametrize("reply", [chosen("none"), chosen("C"), "<html>no</html>"])
def test_where_none_is_chosen_the_model_answers_itself(reply: str) -> None:
    answer, model = asked(Unsure(MUSEUM, CUSTOMS), reply, ITSELF)
    assert (answer.text, model.left) == ("Green Bowl", 0)


def test_a_chosen_reading_without_an_answer_is_not_the_end() -> None:
    answer, model = asked(Unsure(MUSEUM, NOWHERE), chosen("B"), ITSELF)
    assert (answer.text, model.left) == ("Green Bowl", 0)


def test_readings_of_the_same_words_are_offered_once() -> None:
    _, model = asked(Unsure(MUSEUM, MUSEUM, CUSTOMS), chosen("A"))
    assert model.prompt(1).count("Lighthouse Museum") == 1


def test_without_its_model_an_unsure_answer_says_so() -> None:
    answer, _ = asked(Unsure(MUSEUM, confidence=0.5), ModelError("The server is down.", "Start it."))
    assert answer.text == "Lighthouse Museum"
    assert "Not checked by the language model: The server is down." in answer.warnings


def test_a_sure_refusal_asks_no_model() -> None:
    answer, model = asked(Unsure('unanswerable("price")', confidence=0.9))
    assert (answer.status, model.asked) == (Status.UNANSWERABLE, [])


@pytest.mark.parametrize("program", [MUSEUM, 'unanswerable("price")'])
def test_what_was_read_stays_where_the_model_comes_to_nothing(program: str) -> None:
    answer, model = asked(Unsure(program, confidence=0.6), chosen("none"), *["I do not know."] * 12)
    assert model.asked
    assert answer.program == program
    assert answer.confidence == 0.6
