"""What an agent holds is closed at its end: all of it, also where a part fails to close."""

import asyncio

import pytest
from mapagent.no_reasoner import NoReasoner

from map_tools.providers.passing import PassingProvider
from map_tools.providers.recorded import RecordedProvider
from mapagent.agent import MapAgent
from mapagent.answer import Answer, Status
from mapagent.config import Settings
from mapagent.plan import Plan, Step
from mapagent.ports import Run, StepResult
from tests.support.awkward import WORLD

PLAN = Plan(
    steps=(
        Step(id="stuck", subgoal="Say it", module="stuck"),
        Step(id="tidy", subgoal="Say it too", module="tidy", depends_on=("stuck",)),
        Step(id="answer", subgoal="Answer", module="answer_generator", depends_on=("tidy",)),
    )
)


class Said:
    """A module that holds something; `fails`: it cannot let go of it."""

    description = "Says one thing."

    def __init__(self, name: str, closed: list[str], *, fails: bool = False) -> None:
        self.name = name
        self._closed = closed
        self._fails = fails

    async def run(self, step: Step, run: Run) -> StepResult:
        return StepResult(answer=Answer(status=Status.ANSWERED, text=self.name))

    async def close(self) -> None:
        self._closed.append(self.name)
        if self._fails:
            raise RuntimeError("it cannot be closed")


class Provider(PassingProvider):
    """Tells when it is closed."""

    def __init__(self, closed: list[str]) -> None:
        super().__init__(RecordedProvider.open(WORLD))
        self._closed = closed

    async def close(self) -> None:
        await super().close()
        self._closed.append("provider")


def test_everything_is_closed_though_a_module_fails_to() -> None:
    closed: list[str] = []
    agent = MapAgent(
        Settings(),
        provider=Provider(closed),
        reasoner=NoReasoner(),
        modules={"stuck": Said("stuck", closed, fails=True), "tidy": Said("tidy", closed)},
    )

    async def ask_and_close() -> None:
        async with agent:
            await agent.ask("Who are you?", plan=PLAN)

    with pytest.raises(RuntimeError, match="cannot be closed"):
        asyncio.run(ask_and_close())
    assert sorted(closed) == ["provider", "stuck", "tidy"]
    asyncio.run(agent.close())  # a second time closes nothing twice
    assert sorted(closed) == ["provider", "stuck", "tidy"]
