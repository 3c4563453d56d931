"""What an agent holds is closed at its end: all of it, also where a part fails to close."""

import asyncio

import pytest

from map_tools.facts import NoteFact
from map_tools.providers.passing import PassingProvider
from map_tools.providers.recorded import RecordedProvider
from mapagent.core.agent import MapAgent
from mapagent.core.evidence import Evidence, Source
from mapagent.core.plan import Step
from mapagent.core.ports import Run
from mapagent.runtime.config import Settings
from modules.query.interpreter.requests import ModuleRequest
from modules.query.operators.base import Context, Operator, Text, operator
from tests.support.awkward import WORLD


@operator(module="stuck", phrase="what both hold", name="stuck_words")
def stuck_words(context: Context) -> Text:
    """What two modules say."""
    for name in ("stuck", "tidy"):
        context.need(ModuleRequest(name, "words", ()))
    return "all of it"


class Held:
    """A module that holds something; `fails`: it cannot let go of it."""

    description = "Holds something."
    operators: tuple[Operator, ...] = ()

    def __init__(self, name: str, closed: list[str], *, fails: bool = False) -> None:
        self.name = name
        self._closed = closed
        self._fails = fails
        if fails:
            self.operators = (stuck_words,)

    async def fetch(self, request: ModuleRequest, step: Step, run: Run) -> tuple[Evidence, ...]:
        return (run.evidence_of(step, NoteFact(text=self.name), Source(tool=self.name)),)

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
        modules={"stuck": Held("stuck", closed, fails=True), "tidy": Held("tidy", closed)},
    )

    async def ask_and_close() -> None:
        async with agent:
            answer = await agent.query('answer(stuck_words(), address=place("Customs House").address)')
            assert answer.text == "all of it"

    with pytest.raises(RuntimeError, match="cannot be closed"):
        asyncio.run(ask_and_close())
    assert sorted(closed) == ["provider", "stuck", "tidy"]
    asyncio.run(agent.close())  # a second time closes nothing twice
    assert sorted(closed) == ["provider", "stuck", "tidy"]
