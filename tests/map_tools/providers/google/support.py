"""Opens the two providers over a scripted server, without pace and pauses, at a fixed moment."""

import asyncio
import json
from collections.abc import Coroutine
from datetime import UTC, datetime
from typing import Any

from pydantic import SecretStr

from map_tools.providers.google.provider import GoogleProvider
from map_tools.providers.google.service import GoogleService
from map_tools.providers.google_legacy.client import LegacyClient, judge
from map_tools.providers.google_legacy.provider import GoogleLegacyProvider
from map_tools.types import LatLng, Place
from map_tools.wire import CallMeter, Wire, WirePolicy, metered
from tests.support.loopback import Asked

KEY = "AQ.made-up-key-of-another-form"
NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)
PIER = LatLng(lat=-12.4634, lng=130.8456)
"""Asymmetric: swapped, it is no position on Earth."""
PIER_PLACE = Place(id="ChIJpier0000000000", name="Old Pier", location=PIER)
MILL_PLACE = Place(id="ChIJmill0000000000", name="Wind Mill", location=LatLng(lat=-12.45, lng=130.84))


class Frozen:
    """A clock that stands still."""

    def now(self) -> datetime:
        return NOW


class Naps:
    """Notes how long somebody wanted to sleep, and does not."""

    def __init__(self) -> None:
        self.taken: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.taken.append(seconds)


def google(url: str, **options: Any) -> GoogleProvider:
    """The provider `google` asking this server."""
    wire = Wire(WirePolicy(name="google", first_wait_s=0.0, attempts=2), sleep=Naps())
    return GoogleProvider(GoogleService(wire, SecretStr(KEY), base_url=url), clock=Frozen(), **options)


def legacy(url: str, naps: Naps | None = None, **options: Any) -> GoogleLegacyProvider:
    """The provider `google-legacy` asking this server."""
    wire = Wire(WirePolicy(name="google-legacy", first_wait_s=0.0, attempts=2, judge=judge), sleep=Naps())
    client = LegacyClient(wire, SecretStr(KEY), base_url=url, sleep=naps or Naps())
    return GoogleLegacyProvider(client, clock=Frozen(), **options)


def ask[T](
    provider: GoogleProvider | GoogleLegacyProvider, call: Coroutine[Any, Any, T]
) -> tuple[T, CallMeter]:
    """What a call brings and what it cost; the provider is closed behind it, whatever happens."""

    async def whole() -> tuple[T, CallMeter]:
        try:
            with metered() as meter:
                return await call, meter
        finally:
            await provider.close()

    return asyncio.run(whole())


def body_of(asked: Asked) -> dict[str, Any]:
    """The JSON that was sent."""
    sent: dict[str, Any] = json.loads(asked.body)
    return sent


def mask_of(asked: Asked) -> set[str]:
    """The field mask that was sent."""
    return set(asked.headers["x-goog-fieldmask"].split(","))
