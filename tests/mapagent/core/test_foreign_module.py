"""Modules and operators from outside, registered in process and by entry point."""

import asyncio
import sys
from pathlib import Path

import pytest

from map_tools.errors import ConfigError
from map_tools.facts import ComputedFact
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, Status
from mapagent.core.evidence import Evidence, Source
from mapagent.core.plan import Step
from mapagent.core.ports import Run
from mapagent.runtime.config import Settings
from mapagent.runtime.plugins import Plugins
from modules.query.interpreter.requests import ModuleRequest
from modules.query.operators.base import Context, Number, Text, operator
from modules.query.values.amount import Amount
from modules.query.values.unknown import Unknown

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
