"""A question gets the same answer from the map and from Google's services emulated over that map."""

import asyncio
from pathlib import Path

import pytest

from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, Status
from mapagent.runtime.config import Settings
from tests.e2e_google.asking import KEY, NOW
from tests.e2e_google.conftest import Answers, Emulated
from tests.e2e_google.questions import NOTHING, QUESTIONS, Asked


def shown(answer: Answer) -> tuple[Status, str, str | None]:
    return answer.status, answer.text, answer.option


@pytest.mark.parametrize("asked", QUESTIONS, ids=str)
def test_the_answers_are_equal(asked: Asked, direct: Answers, emulated: Emulated) -> None:
    assert shown(emulated.answers[asked]) == shown(direct[asked]), emulated.answers[asked].reason


def test_the_questions_are_sixty_and_mostly_answered(direct: Answers) -> None:
    """Equality of refusals alone would prove nothing."""
    assert len({asked.text for asked in QUESTIONS}) == 60
    answered = [asked for asked in QUESTIONS if direct[asked].status is Status.ANSWERED]
    assert len(answered) >= 54
    assert not any(direct[asked].status is Status.ANSWERED for asked in NOTHING[:2])


@pytest.mark.parametrize("provider", ["google", "google-legacy"])
def test_the_settings_lead_to_the_emulator(provider: str, base: str, folder: Path) -> None:
    settings = Settings(provider=provider, google_key=KEY, google_base_url=base, data_home=folder)

    async def ask() -> Answer:
        async with MapAgent(settings, clock=NOW) as agent:
            return await agent.ask("What is the address of Hotel Arthur?")

    answer = asyncio.run(ask())
    assert (answer.text, answer.provider) == ("Vuorikatu 19, 00100 Helsinki", provider)


def test_google_s_terms_come_with_the_answer(emulated: Emulated) -> None:
    answer = next(iter(emulated.answers.values()))
    assert "Google" in answer.attribution
    assert answer.base_map == "Google"
