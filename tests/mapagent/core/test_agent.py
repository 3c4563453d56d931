"""Agents with modules and operators from outside, in process and by entry point; all they hold is closed at the end."""

import asyncio
import sys
from pathlib import Path

import pytest

from map_tools.errors import ConfigError
from map_tools.facts import ComputedFact, NoteFact
from map_tools.providers.recorded import RecordedProvider
from map_tools.providers.wrappers import PassingProvider
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, Evidence, Source, Status, Step
from mapagent.core.ports import Run
from mapagent.runtime.config import Settings
from mapagent.runtime.plugins import Plugins
from modules.query.interpreter.context import ModuleRequest
from modules.query.operators.base import Context, Number, Operator, Text, operator
from modules.query.values.amount import Amount
from modules.query.values.unknown import Unknown
from tests.support.awkward import WORLD

PACKAGE = '''
from modules.query.operators.base import Context, Text, operator


@operator(module="shout", phrase="{words}, loudly", name="shout_words")
def shout_words(context: Context, words: Text) -> Text:
    """The words, loudly."""
    return words.upper()


class Shout:
    name = "shout"
    description = "Says things loudly."
    operators = (shout_words,)
'''


@operator(module="abacus", phrase="the letters of {words}")
def abacus_letters(context: Context, words: Text) -> Number | Unknown:
    """How many letters words have, as the abacus counts them."""
    reply = context.need(ModuleRequest("abacus", "letters", (("words", words),)))
    return Amount.of(float(reply.fact[0].value.value))


class Abacus:
    """Counts letters; made from settings it says how many there are and one."""

    name = "abacus"
    description = "Counts letters."
    operators = (abacus_letters,)

    def __init__(self, more: int = 0) -> None:
        self._more = more

    @classmethod
    def from_settings(cls, settings: Settings) -> "Abacus":
        return cls(more=1)

    async def fetch(self, request: ModuleRequest, step: Step, run: Run) -> tuple[Evidence, ...]:
        count = len(str(request.argument("words"))) + self._more
        return (
            run.evidence_of(step, ComputedFact(label="letters", value=str(count)), Source(tool=self.name)),
        )


def query(home: Path, program: str, module: object) -> Answer:
    async def run() -> Answer:
        async with MapAgent(Settings(data_home=home), modules={"abacus": module}) as agent:  # type: ignore[dict-item]
            return await agent.query(program, use_provider=False)

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("module", "text"),
    [(Abacus(), "5"), (Abacus, "6")],
    ids=["an object as it is", "a class from the settings"],
)
def test_a_module_registered_in_process_works_in_a_program(home: Path, module: object, text: str) -> None:
    answer = query(home, 'many = abacus_letters("abcde")\nanswer(many)', module)
    assert (answer.status, answer.text) == (Status.ANSWERED, text)
    assert [(item.id, item.step_id) for item in answer.evidence] == [("many.1", "many")]
    assert answer.plan is not None
    assert [step.module for step in answer.plan.steps] == ["abacus", "answer_generator"]
    assert answer.understood == "the letters of abcde."


def test_what_no_second_evaluation_can_check_is_said(home: Path) -> None:
    answer = query(home, 'answer(abacus_letters("abcde"))', Abacus())
    assert any("Not checked" in warning and "abacus_letters" in warning for warning in answer.warnings)


def test_an_operator_without_a_prefix_is_refused(home: Path) -> None:
    @operator(module="abacus", phrase="more")
    def more(context: Context, words: Text) -> Text:
        """More."""
        return words

    class Greedy(Abacus):
        operators = (more,)

    with pytest.raises(ConfigError, match="'more' cannot be added"):
        query(home, "answer(1)", Greedy)


def test_a_module_of_an_installed_package_is_found_by_its_entry_point(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shouting.py").write_text(PACKAGE)
    info = tmp_path / "shouting-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: shouting\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[mapagent.modules]\nshout = shouting:Shout\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    try:
        assert Plugins("mapagent.modules", "module").load("shout").description == "Says things loudly."
        assert query(home, 'answer(shout_words("tea"))', Abacus()).text == "TEA"
    finally:
        sys.modules.pop("shouting", None)


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
