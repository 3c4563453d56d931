"""What `mapagent ask` says beside its answers: what they would cost, credits and warnings, what is not served."""

import asyncio
import json
from pathlib import Path

import pytest

from map_tools.providers.base import Provider
from map_tools.providers.osm import OsmProvider
from map_tools.types import TravelMode
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, Status
from mapagent.interfaces.cli.show import as_json, as_text
from tests.map_tools.providers.worlds import harbour
from tests.map_tools.testing.contract.world import WORLD, Kit
from tests.support.cli import CommandLine
from tests.support.maps import demo_map
from tests.support.sample_provider import FOLDER, install

OWN = ("--base-url", "http://127.0.0.1:9/v1")
OPEN_ROUTE = ("--base-url", "https://models.example/v1")


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ((), "This question costs nothing: the embedded model and a map of your own are free."),
        (("--model", "cascade:small", *OWN), "The model 'small' runs on a server of your own"),
        # https://openai.com/api/pricing/, August 2025: 0.15 USD read, 0.60 USD written
        (("--model", "gpt-4o-mini"), "0.15 USD for a million tokens read and 0.6 for a million written"),
        (("--model", "gpt-4o-mini", *OPEN_ROUTE), "What the model 'gpt-4o-mini' costs is not known"),
        (("--provider", "google"), "The embedded model costs nothing.\nGoogle bills each request"),
        (("--provider", "osm-web"), "Public OpenStreetMap servers charge nothing."),
        (("--provider", "mine"), "What the provider 'mine' charges is not known."),
    ],
)
def test_what_is_said(mapagent: CommandLine, flags: tuple[str, ...], words: str) -> None:
    ran = mapagent("ask", "Where is it?", "--estimate", *flags)
    assert (ran.code, ran.err) == (0, "")
    assert words in ran.out


def test_prices_of_the_settings_win(mapagent: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAPAGENT_PRICE_IN", "3")
    monkeypatch.setenv("MAPAGENT_PRICE_OUT", "7.5")
    ran = mapagent("ask", "Where is it?", "--estimate", "--model", "gpt-4o-mini")
    assert "costs 3 USD for a million tokens read and 7.5 for a million written (settings)" in ran.out


BETA = "Walking directions are in beta: use caution."
ON_FOOT = "How long does it take to walk from Harbour Gate to Old Station?"
BY_CAR = "How long does it take to drive from Harbour Gate to Old Station?"


def _outcome(text: str, **terms: object) -> Answer:
    async def asked() -> Answer:
        provider = Kit()
        provider.terms = provider.terms.model_copy(update=terms)
        async with MapAgent(provider=provider) as agent:
            return await agent.ask(text)

    return asyncio.run(asked())


def test_a_credit_and_nothing_more() -> None:
    answer = _outcome(BY_CAR)
    shown = as_text(answer).splitlines()
    assert (shown[0], shown[-1]) == ("5 min", WORLD["attribution"])
    assert [line for line in shown if WORLD["attribution"] in line] == [WORLD["attribution"]]
    assert (answer.warnings, answer.base_map) == ((), "any")


def test_a_part_that_is_refused_stands_beside_what_is_answered() -> None:
    async def asked() -> Answer:
        async with MapAgent(provider=Kit()) as agent:
            way = 'travel("Harbour Gate", "Old Station", "drive").duration'
            return await agent.query(f'answer({way}, call=unanswerable("a map calls nobody"))')

    shown = as_text(asyncio.run(asked())).splitlines()
    assert shown[:2] == ["5 min", "Not answered: call: a map calls nobody"]


def test_a_base_map_is_named() -> None:
    answer = _outcome(BY_CAR, base_map="Harbour")
    assert as_text(answer).endswith("© The kit's mapmakers (to be drawn over Harbour maps only)")
    assert json.loads(as_json(answer))["base_map"] == "Harbour"


def test_the_warning_of_a_mode_stands_with_its_answers_alone() -> None:
    warnings = {TravelMode.WALKING: BETA}
    walking, driving = _outcome(ON_FOOT, travel_warnings=warnings), _outcome(BY_CAR, travel_warnings=warnings)
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
    answer = _outcome(text)
    assert answer.warnings == (ferry,)
    assert f"Note: {ferry}" in as_text(answer)


def ask(provider: Provider, text: str) -> Answer:
    async def asked() -> Answer:
        async with MapAgent(provider=provider) as agent:
            return await agent.ask(text)

    return asyncio.run(asked())


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("How long does it take from Kiasma to Ateneum by bus?", "no transit timetable"),
        (
            "How do I get from Kiasma to Ateneum by public transport?",
            "It serves driving, walking, bicycling.",
        ),
        ("What is the rating of Ateneum?", "The rating of Ateneum is not stated."),
        ("What is the price level of Ateneum?", "The price of Ateneum is not stated."),
    ],
)
def test_osm(text: str, reason: str) -> None:
    answer = ask(OsmProvider.open(demo_map()), text)
    assert answer.status is Status.UNANSWERABLE
    assert reason in answer.reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "How long does it take to cycle from Customs House to Lighthouse Museum?",
            "nothing about bicycling",
        ),
        (
            "How long does it take from Customs House to Lighthouse Museum by bus?",
            "It serves driving, walking.",
        ),
        ("What is the email address of Lighthouse Museum?", "The email of Lighthouse Museum is not stated."),
    ],
)
def test_recorded(text: str, reason: str) -> None:
    answer = ask(harbour(), text)
    assert answer.status is Status.UNANSWERABLE
    assert reason in answer.reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("How long does it take to cycle from Lighthouse Museum to Old Station?", "no routes for bicycling"),
        ("What is the phone number of Old Station?", "The phone of Old Station is not stated."),
        ("How many parks are within 1 km of Old Station?", "no kind for park"),
    ],
)
def test_somebody_elses(text: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(FOLDER, tmp_path / "site", monkeypatch)
    from atlas.provider import AtlasProvider
    from atlas.stand_in import StandIn

    answer = ask(AtlasProvider(StandIn()), text)
    assert answer.status is Status.UNANSWERABLE
    assert reason in answer.reason
