"""The order in which a map's replies come in decides nothing: answer, evidence and its ids are the same."""

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from map_tools.clock import FrozenClock
from map_tools.providers.recorded import RecordedProvider
from mapagent.core.agent import MapAgent
from mapagent.runtime.config import Settings
from tests.fuzz.worlds import NOON, write_town
from tests.support.effort import effort

ROUND = (
    "Starting at Quay House, in which order should I visit Old Light, Salt Cellar and Green Bowl by car to "
)
STAY = (
    "I drive from Quay House to Old Light, stay there for 1 hour and then drive to Green Bowl. How long does "
)
QUESTIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (f"{ROUND}take the least time?", ()),
    (f"{STAY}it take in total?", ("1 h 24 min", "1 h 30 min")),
    ("Which is closer to Quay House: Old Light or Green Bowl?", ()),
    ("Which has the higher rating, Old Light, Salt Cellar or Green Bowl?", ("Green Bowl", "Old Light")),
    ("Which restaurant open on Friday at 8 pm is nearest to Quay House?", ()),
    ("Is it faster to walk or to cycle from Quay House to Salt Cellar?", ()),
    ("How long does it take to drive from Quay House to Nowhere and then to Old Light?", ()),
)
CALLS = ("find_place", "place_details", "nearby", "inside", "directions", "matrix")


class Dawdling(RecordedProvider):
    """Takes its time over every call, as the dice say."""

    dice: Random

    def __getattribute__(self, name: str) -> Any:
        value = super().__getattribute__(name)
        if name not in CALLS:
            return value

        async def late(*arguments: Any, **named: Any) -> Any:
            for _ in range(self.dice.randrange(6)):
                await asyncio.sleep(0)
            return await value(*arguments, **named)

        return late


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The world of the questions."""
    return write_town(tmp_path_factory.mktemp("town") / "town.json")


def asked(provider: RecordedProvider, question: str, options: tuple[str, ...]) -> dict[str, Any]:
    """The answer with all its evidence, without what it took."""

    async def ask() -> dict[str, Any]:
        agent = MapAgent(Settings(), provider=provider, clock=FrozenClock(NOON))
        answer = await agent.ask(question, options=options)
        await agent.close_modules()
        return answer.model_dump(mode="json", exclude={"usage": {"latency_s"}})

    return asyncio.run(ask())


@pytest.mark.parametrize(("question", "options"), QUESTIONS, ids=[question[:40] for question, _ in QUESTIONS])
def test_late_replies_change_nothing(town: Path, question: str, options: tuple[str, ...]) -> None:
    expected = asked(RecordedProvider.open(town), question, options)
    assert expected["evidence"]
    slow = Dawdling.open(town)

    @effort(0.1)
    @given(st.randoms(use_true_random=False))
    def late(dice: Random) -> None:
        slow.dice = dice
        assert asked(slow, question, options) == expected

    late()
