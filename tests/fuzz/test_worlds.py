"""Recorded worlds with mistakes: refused by name, or every question over them ends with a status."""

import asyncio
import json
from pathlib import Path
from typing import Any

from hypothesis import given

from map_tools.errors import InputFileError
from map_tools.providers.recorded import RecordedProvider
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, Status
from mapagent.runtime.config import Settings
from tests.fuzz.damage import damaged, mistaken
from tests.fuzz.refusals import assert_told
from tests.support.effort import effort

HARBOUR = Path(__file__).resolve().parents[1] / "fixtures" / "worlds" / "harbour.json"
WORLD = json.loads(HARBOUR.read_text(encoding="utf-8"))
WORLD["routes"][0]["routes"][0]["steps"][2]["notes"] = ["Toll road"]
QUESTIONS = (
    "What is the address of Lighthouse Museum?",
    "Is Lighthouse Museum open at 6 pm on Friday?",
    "Which restaurant is nearest to Customs House?",
    "How many restaurants are within 1 km of Customs House?",
    "How long does it take to drive from Customs House to Lighthouse Museum?",
    "What is the first step of the drive from Customs House to Lighthouse Museum?",
    "Starting at Customs House, in which order should I visit Salt & Smoke and Lighthouse Museum by car?",
)


def opened(path: Path) -> RecordedProvider | None:
    """The world, or None if it is refused as it should be."""
    try:
        return RecordedProvider.open(path)
    except InputFileError as error:
        assert_told(error, str(path))
        return None


async def ask_all(provider: RecordedProvider) -> list[Answer]:
    async with MapAgent(Settings(), provider=provider) as agent:
        return [await agent.ask(question, options=("12 min", "Green Bowl", "No")) for question in QUESTIONS]


@effort(3)
@given(mistaken(WORLD))
def test_mistakes_in_a_world(tmp_path: Path, world: Any) -> None:
    path = tmp_path / "town.json"
    path.write_text(json.dumps(world), encoding="utf-8")
    opened(path)


@effort(0.3)
@given(mistaken(WORLD))
def test_questions_over_a_world_with_mistakes(tmp_path: Path, world: Any) -> None:
    path = tmp_path / "town.json"
    path.write_text(json.dumps(world), encoding="utf-8")
    provider = opened(path)
    if provider is None:
        return
    for answer in asyncio.run(ask_all(provider)):
        assert answer.status in {Status.ANSWERED, Status.UNANSWERABLE, Status.AMBIGUOUS}
        assert answer.text or answer.reason


@effort()
@given(damaged(HARBOUR.read_bytes()))
def test_damaged_worlds(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "town.json"
    path.write_bytes(content)
    opened(path)
