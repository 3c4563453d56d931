"""Who is asked of the two embedded planners, and whose refusal is told."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

import pytest

from map_tools.providers.recorded import RecordedProvider
from mapagent.agent import MapAgent
from mapagent.answer import Answer, Status
from mapagent.config import Settings
from mapagent.ports import Run
from mapagent.question import Question
from modules.planner.embedded import EmbeddedPlanner

WORLD = Path(__file__).resolve().parents[2] / "fixtures" / "worlds" / "harbour.json"


@dataclass(eq=False)
class Planned:
    """A planner that runs a program or has none, and counts how often it is asked."""

    name: str
    program: str = ""
    asked: int = 0

    async def answer(self, run: Run) -> Answer:
        self.asked += 1
        if not self.program:
            return Answer(status=Status.NOT_UNDERSTOOD, text="", reason=f"{self.name} has none")
        return await run.execute(self.program)


YES, OTHER = 'answer(place("Lighthouse Museum").name)', 'answer(place("Customs House").name)'
NOWHERE = 'answer(place("Zyxwvut").name)'


def told(
    reader: Planned, grammar: Planned, question: Question, provider: RecordedProvider | None = None
) -> Answer:
    planner = EmbeddedPlanner(reader, grammar)
    agent = MapAgent(Settings(provider=f"recorded:{WORLD}"), planner=planner)
    return asyncio.run(agent.ask(question))


OPEN = Question(text="Which?")
CHOICE = Question(text="Which?", options=("Lighthouse Museum", "Customs House"))


@pytest.mark.parametrize("question", [OPEN, CHOICE])
def test_what_the_reader_answers_is_given(question: Question) -> None:
    reader, grammar = Planned("reader", YES), Planned("grammar", OTHER)
    assert told(reader, grammar, question).text == "Lighthouse Museum"
    assert (reader.asked, grammar.asked) == (1, 0)


def test_behind_it_the_grammar_is_asked_where_there_are_options() -> None:
    reader, grammar = Planned("reader"), Planned("grammar", OTHER)
    assert told(reader, grammar, CHOICE).option == "B"
    assert (reader.asked, grammar.asked) == (1, 1)
    assert told(reader, grammar, OPEN).reason == "reader has none"
    assert (reader.asked, grammar.asked) == (2, 1)


def test_the_refusal_of_the_one_that_understood_is_told() -> None:
    assert told(Planned("reader"), Planned("grammar"), CHOICE).reason == "grammar has none"
    assert "Zyxwvut" in told(Planned("reader", NOWHERE), Planned("grammar"), CHOICE).reason
    assert "Zyxwvut" in told(Planned("reader"), Planned("grammar", NOWHERE), CHOICE).reason


def test_over_a_database_the_grammar_is_asked_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("modules.planner.embedded.HasEngine", RecordedProvider)
    reader, grammar = Planned("reader", YES), Planned("grammar", OTHER)
    assert told(reader, grammar, OPEN).text == "Customs House"
    assert (reader.asked, grammar.asked) == (0, 1)
    assert told(reader, Planned("grammar"), OPEN).text == "Lighthouse Museum"
