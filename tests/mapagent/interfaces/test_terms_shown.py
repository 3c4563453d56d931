"""Credits, base maps and warnings are carried with the answer and shown by text and JSON."""

import asyncio
import json

import pytest

from map_tools.types import TravelMode
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer
from mapagent.interfaces.cli.show import as_json, as_text
from tests.map_tools.testing.contract.world import WORLD, Kit

BETA = "Walking directions are in beta: use caution."
ON_FOOT = "How long does it take to walk from Harbour Gate to Old Station?"
BY_CAR = "How long does it take to drive from Harbour Gate to Old Station?"


def ask(text: str, **terms: object) -> Answer:
    async def asked() -> Answer:
        provider = Kit()
        provider.terms = provider.terms.model_copy(update=terms)
        async with MapAgent(provider=provider) as agent:
            return await agent.ask(text)

    return asyncio.run(asked())


def test_a_credit_and_nothing_more() -> None:
    answer = ask(BY_CAR)
    shown = as_text(answer).splitlines()
    assert (shown[0], shown[-1]) == ("5 min", WORLD["attribution"])
    assert [line for line in shown if WORLD["attribution"] in line] == [WORLD["attribution"]]
    assert (answer.warnings, answer.base_map) == ((), "any")


def test_a_base_map_is_named() -> None:
    answer = ask(BY_CAR, base_map="Harbour")
    assert as_text(answer).endswith("© The kit's mapmakers (to be drawn over Harbour maps only)")
    assert json.loads(as_json(answer))["base_map"] == "Harbour"


def test_the_warning_of_a_mode_stands_with_its_answers_alone() -> None:
    warnings = {TravelMode.WALKING: BETA}
    walking, driving = ask(ON_FOOT, travel_warnings=warnings), ask(BY_CAR, travel_warnings=warnings)
    assert walking.warnings.count(BETA) == 1
    assert f"Note: {BETA}" in as_text(walking)
    assert BETA in json.loads(as_json(walking))["warnings"]
    assert BETA not in driving.warnings


@pytest.mark.parametrize("text", ["Which road do I take to drive from Harbour Gate to Old Station?"])
def test_the_warnings_of_a_route(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ferry = "This route includes a ferry."
    (driving, *others) = WORLD["routes"]
    (best, *rest) = driving["routes"]
    warned = {**driving, "routes": [{**best, "warnings": [ferry]}, *rest]}
    monkeypatch.setitem(WORLD, "routes", [warned, *others])
    answer = ask(text)
    assert answer.warnings == (ferry,)
    assert f"Note: {ferry}" in as_text(answer)
