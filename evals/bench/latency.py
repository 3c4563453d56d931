"""A provider with latency: counts its calls and delays each one, to show how parallel the tools are."""

import asyncio
from collections import Counter

from map_tools.providers.base import Provider
from map_tools.providers.passing import PassingProvider


class SlowProvider(PassingProvider):
    """Passes every call on to another provider after `latency_s` seconds.

    Attributes:
        latency_s: May be changed between calls.
        calls: How often each call was made.
    """

    def __init__(self, inner: Provider, latency_s: float) -> None:
        super().__init__(inner)
        self.latency_s = latency_s
        self.calls: Counter[str] = Counter()
        self.capabilities = inner.capabilities.model_copy(update={"cheap_names": False})

    async def _before(self, call: str) -> None:
        self.calls[call] += 1
        await asyncio.sleep(self.latency_s)
