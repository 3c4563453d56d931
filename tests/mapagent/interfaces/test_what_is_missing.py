"""What a provider does not serve is said in a clear sentence; nothing else is answered in its place."""

import asyncio
from pathlib import Path

import pytest

from map_tools.providers.base import Provider
from map_tools.providers.osm import OsmProvider
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, Status
from tests.map_tools.providers.worlds import harbour
from tests.support.maps import demo_map
from tests.support.sample_provider import FOLDER, install


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
