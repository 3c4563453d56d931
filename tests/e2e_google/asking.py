"""Opens providers over an emulator, and asks many questions of one."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from pydantic import SecretStr

from map_tools.clock import FrozenClock
from map_tools.providers.base import Provider, ProviderSetting
from map_tools.providers.google.provider import GoogleProvider
from map_tools.providers.google.service import GoogleService
from map_tools.providers.google_common.terms import google_wire
from map_tools.providers.google_legacy.client import LegacyClient, judge
from map_tools.providers.google_legacy.provider import GoogleLegacyProvider
from map_tools.wire import Wire
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer
from mapagent.runtime.config import Settings
from tests.e2e_google.questions import Asked

NOW = FrozenClock(datetime(2026, 5, 6, 9, 0, tzinfo=UTC))
"""A Wednesday; noon on the clocks of Helsinki."""
KEY = SecretStr("AIzaAnything")


async def _at_once(seconds: float) -> None:
    """Waits for nothing: an emulator has no quota."""


def google(base: str) -> Provider:
    """The provider `google` with the emulator in Google's place."""
    wire = _unpaced(google_wire(ProviderSetting(name="google")))
    return GoogleProvider(GoogleService(wire, KEY, base_url=base), clock=NOW)


def google_legacy(base: str) -> Provider:
    """The provider `google-legacy` with the emulator in Google's place."""
    wire = _unpaced(google_wire(ProviderSetting(name="google-legacy"), judge))
    return GoogleLegacyProvider(LegacyClient(wire, KEY, base_url=base, sleep=_at_once), clock=NOW)


def _unpaced(wire: Wire) -> Wire:
    """A wire of the same policy that neither keeps Google's pace nor waits between attempts."""
    return Wire(replace(wire.policy, requests_per_s=None), sleep=_at_once)


async def ask_all(provider: Provider, data_home: Path, questions: Iterable[Asked]) -> Mapping[Asked, Answer]:
    """The answers to the questions; the provider is closed."""
    async with MapAgent(Settings(data_home=data_home), provider=provider, clock=NOW) as agent:
        return {
            asked: await agent.ask(asked.text, options=asked.options, near=asked.near, at=asked.at)
            for asked in questions
        }
