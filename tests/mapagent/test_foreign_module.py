"""A module from outside that has nothing to do with maps, registered in process and by entry point."""

import asyncio
import sys
from pathlib import Path

import pytest

from map_tools.facts import ComputedFact
from mapagent.agent import MapAgent
from mapagent.answer import Answer, Status
from mapagent.config import Settings
from mapagent.evidence import Source
from mapagent.plan import Plan, Step
from mapagent.plugins import Plugins
from mapagent.ports import Run, StepResult

PACKAGE = """
from mapagent.answer import Answer, Status
from mapagent.ports import StepResult


class Shout:
    name = "shout"
    description = "Says the question loudly."

    async def run(self, step, run):
        return StepResult(answer=Answer(status=Status.ANSWERED, text=run.question.text.upper()))
"""


class Abacus:
    """Adds the numbers in its step's inputs."""

    name = "abacus"
    description = "Adds numbers."

    async def run(self, step: Step, run: Run) -> StepResult:
        total = sum(step.inputs["numbers"])
        fact = ComputedFact(label="total", value=str(total))
        return StepResult(evidence=(run.evidence_of(step, fact, Source(tool=self.name)),))


class Reporter:
    """Answers with what the abacus found."""

    name = "reporter"
    description = "Reports a total."

    async def run(self, step: Step, run: Run) -> StepResult:
        (total,) = [item.value.value for item in run.evidence if isinstance(item.value, ComputedFact)]
        return StepResult(answer=Answer(status=Status.ANSWERED, text=f"It is {total}."))


class Parrot:
    """Says what it was made with; made from settings it says nothing of use."""

    name = "parrot"
    description = "Says one thing."

    def __init__(self, words: str) -> None:
        self._words = words

    @classmethod
    def from_settings(cls, settings: Settings) -> "Parrot":
        return cls("made from settings")

    async def run(self, step: Step, run: Run) -> StepResult:
        return StepResult(answer=Answer(status=Status.ANSWERED, text=self._words))


def settings(home: Path) -> Settings:
    return Settings(data_home=home)


def test_a_module_registered_in_process_works_in_a_plan(home: Path) -> None:
    plan = Plan(
        steps=(
            Step(id="add", subgoal="add up", module="abacus", inputs={"numbers": [2, 3, 37]}),
            Step(id="say", subgoal="report", module="reporter", depends_on=("add",)),
            Step(id="end", subgoal="pass on", module="answer_generator", depends_on=("say",)),
        )
    )
    modules = {"abacus": Abacus(), "reporter": Reporter()}

    async def ask() -> Answer:
        async with MapAgent(settings(home), modules=modules) as agent:
            return await agent.ask("What is the sum?", plan=plan, use_provider=False)

    answer = asyncio.run(ask())
    assert (answer.status, answer.text) == (Status.ANSWERED, "It is 42.")
    assert [item.id for item in answer.evidence] == ["add.1"]


def test_a_module_of_an_installed_package_is_found_by_its_entry_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shouting.py").write_text(PACKAGE)
    info = tmp_path / "shouting-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: shouting\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[mapagent.modules]\nshout = shouting:Shout\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    try:
        plugins = Plugins("mapagent.modules", "module")
        assert "shout" in plugins.names()
        assert plugins.load("shout").description == "Says the question loudly."
    finally:
        sys.modules.pop("shouting", None)


@pytest.mark.parametrize(
    ("given", "words"),
    [(Parrot("as it is"), "as it is"), (Parrot, "made from settings")],
    ids=["object", "class"],
)
def test_an_object_is_used_as_it_is_and_a_class_is_made_from_the_settings(
    home: Path, given: Parrot, words: str
) -> None:
    plan = Plan(
        steps=(
            Step(id="say", subgoal="say it", module="parrot"),
            Step(id="answer", subgoal="answer", module="answer_generator", depends_on=("say",)),
        )
    )
    agent = MapAgent(settings(home), modules={"parrot": given})
    assert asyncio.run(agent.ask("Well?", plan=plan, use_provider=False)).text == words
