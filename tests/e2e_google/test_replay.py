"""A recorded run is answered again from the recording alone, to the byte, with no server and no key."""

import asyncio
from collections.abc import Iterable
from pathlib import Path

import pytest

from map_tools.errors import ConfigError, UsageError
from map_tools.providers.osm import OsmProvider
from map_tools.testing.emulate.backend import Backend
from map_tools.testing.emulate.server import running
from mapagent.core.agent import MapAgent
from mapagent.interfaces.cli.show import as_json
from mapagent.runtime.config import Settings
from tests.e2e_google.asking import KEY, NOW
from tests.e2e_google.questions import QUESTIONS, Asked

ASKED = QUESTIONS[:4] + QUESTIONS[20:24]
PROVIDERS = ("google", "google-legacy")


def run(settings: Settings, questions: Iterable[Asked] = ASKED) -> list[str]:
    """The answers as the command line prints them, without how long they took."""

    async def asked() -> list[str]:
        async with MapAgent(settings, clock=None if settings.replay else NOW) as agent:
            answers = [
                await agent.ask(one.text, options=one.options, near=one.near, at=one.at) for one in questions
            ]
        return [
            as_json(answer.model_copy(update={"usage": answer.usage.model_copy(update={"latency_s": 0.0})}))
            for answer in answers
        ]

    return asyncio.run(asked())


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_recorded_run_is_replayed_to_the_byte(osm: OsmProvider, tmp_path: Path, provider: str) -> None:
    common = Settings(data_home=tmp_path / "home", provider=provider)
    with running(Backend(osm, NOW, token_delay_s=0)) as base:
        online = common.model_copy(
            update={"google_base_url": base, "google_key": KEY, "record_payloads": True}
        )
        first = run(online.model_copy(update={"record": tmp_path / "first.jsonl"}))
        run(online.model_copy(update={"record": tmp_path / "again.jsonl"}))
    replayed = run(common.model_copy(update={"google_base_url": base, "replay": tmp_path / "first.jsonl"}))
    assert replayed == first
    assert any('"status": "answered"' in line for line in first)
    assert (tmp_path / "first.jsonl").read_bytes() == (tmp_path / "again.jsonl").read_bytes()
    assert KEY.get_secret_value() not in (tmp_path / "first.jsonl").read_text("utf-8")


def test_what_was_not_recorded_is_said(osm: OsmProvider, tmp_path: Path) -> None:
    common = Settings(data_home=tmp_path / "home", provider="google")
    with running(Backend(osm, NOW, token_delay_s=0)) as base:
        update = {"google_base_url": base, "google_key": KEY, "record_payloads": True}
        run(common.model_copy(update={**update, "record": tmp_path / "run.jsonl"}), ASKED[:1])
    replay = common.model_copy(update={"google_base_url": base, "replay": tmp_path / "run.jsonl"})
    (other,) = run(replay, ASKED[4:5])
    assert "is not in the recording" in other


def test_recording_a_service_that_forbids_it_needs_the_user_s_word(tmp_path: Path) -> None:
    settings = Settings(data_home=tmp_path, provider="google", google_key=KEY, record=tmp_path / "run.jsonl")
    with pytest.raises(UsageError, match="do not allow keeping"):
        run(settings, ASKED[:1])


def test_a_run_is_recorded_or_replayed(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="either recorded or replayed"):
        MapAgent(Settings(data_home=tmp_path, record=tmp_path / "a", replay=tmp_path / "b"))
