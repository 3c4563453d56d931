"""The ways a question can be answered in a soak, each with its servers behind proxies that let them fail."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import SecretStr

from evals.chaos import oracle
from evals.chaos.faults import ServerKind, kinds_at
from evals.chaos.plan import ChaosPlan
from evals.chaos.proxy import ChaosProxy
from evals.chaos.questions import NOW
from map_tools.clock import FrozenClock
from map_tools.emulate.backend import Backend
from map_tools.emulate.server import Emulator
from map_tools.providers.base import Provider, ProviderSetting
from map_tools.providers.google.provider import GoogleProvider
from map_tools.providers.google.service import GoogleService
from map_tools.providers.google_common.opened import google_wire
from map_tools.providers.google_legacy.client import LegacyClient
from map_tools.providers.google_legacy.provider import GoogleLegacyProvider
from map_tools.providers.google_legacy.session import judge
from map_tools.providers.osm import OsmProvider
from map_tools.wire import Wire
from mapagent.agent import MapAgent
from mapagent.config import Settings

KEY = SecretStr("AIza-of-an-emulator")
CLOCK = FrozenClock(NOW)


@dataclass(frozen=True, slots=True)
class Way:
    """How questions are answered.

    Attributes:
        name: What the tables call it.
        provider: Where map facts come from; "osm" asks no server.
        model: Whether a model server reads the questions.
    """

    name: str
    provider: str
    model: bool = False


WAYS = (
    Way("google", "google"),
    Way("osm, model", "osm", model=True),
    Way("google-legacy", "google-legacy"),
    Way("google, model", "google", model=True),
)


@dataclass(frozen=True, slots=True)
class Weather:
    """What the servers are like.

    Attributes:
        share: The share of requests that are struck.
        recoverable: Only faults that asking again makes good.
        seed: Equal seeds draw equal faults.
        attempt_s: How long the clients wait for one reply; replies that drip in take twice as long.
    """

    share: float
    recoverable: bool
    seed: int
    attempt_s: float

    def proxy(self, upstream: str, server: ServerKind) -> ChaosProxy:
        """A proxy of this weather before a server."""
        plan = ChaosPlan(kinds_at(server, recoverable=self.recoverable), self.share, self.seed)
        return ChaosProxy(upstream, plan, drip_s=2 * self.attempt_s)


@dataclass(frozen=True, slots=True)
class Ground:
    """What stands while weathers change: the map, and sound servers over it."""

    folder: Path
    emulator: str
    oracle: str


@asynccontextmanager
async def open_ground(folder: Path) -> AsyncIterator[Ground]:
    """The map's folder, with an emulator of Google over it and a model server beside it."""
    world = OsmProvider.open(folder)
    emulator = Emulator(Backend(world, CLOCK, token_delay_s=0))
    async with AsyncExitStack() as stack:
        stack.push_async_callback(world.close)
        stack.push_async_callback(emulator.close)
        reader = MapAgent(Settings(), provider=world, clock=CLOCK)
        stack.push_async_callback(reader.close_modules)
        address = await stack.enter_async_context(oracle.running_oracle(reader))
        yield Ground(folder, await emulator.start(), address)


@asynccontextmanager
async def opened(
    way: Way, ground: Ground, weather: Weather, settings: Settings
) -> AsyncIterator[tuple[MapAgent, Sequence[ChaosProxy]]]:
    """An agent that goes this way, and the proxies between it and its servers."""
    async with AsyncExitStack() as stack:
        proxies: list[ChaosProxy] = []

        async def before(server: ServerKind, upstream: str) -> str:
            proxies.append(weather.proxy(upstream, server))
            return await stack.enter_async_context(proxies[-1].running())

        provider: Provider
        if way.provider == "osm":
            provider = OsmProvider.open(ground.folder)
        else:
            base_url = await before(ServerKind.MAP, ground.emulator)
            provider = google_provider(way.provider, base_url, weather.attempt_s)
        if way.model:
            base_url = f"{await before(ServerKind.MODEL, ground.oracle)}/v1"
            update = {"base_url": base_url, "model": oracle.NAME, "model_timeout_s": weather.attempt_s}
            settings = settings.model_copy(update=update)
        agent = MapAgent(settings, provider=provider, clock=CLOCK)
        yield await stack.enter_async_context(agent), proxies


def google_provider(
    name: str, base_url: str, attempt_s: float, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
) -> Provider:
    """One of the two Google providers as it is, but for the time of an attempt and for the map's clock.

    Args:
        name: "google" or "google-legacy".
        base_url: Where it asks.
        attempt_s: Time for one reply.
        sleep: Waits between attempts.
    """
    setting = ProviderSetting(name=name, base_url=base_url)
    if name == "google":
        service = GoogleService(_timed(google_wire(setting), attempt_s, sleep), KEY, base_url=base_url)
        return GoogleProvider(service, clock=CLOCK)
    wire = _timed(google_wire(setting, judge), attempt_s, sleep)
    return GoogleLegacyProvider(LegacyClient(wire, KEY, base_url=base_url, sleep=sleep), clock=CLOCK)


def _timed(wire: Wire, attempt_s: float, sleep: Callable[[float], Awaitable[None]]) -> Wire:
    return Wire(replace(wire.policy, timeout_s=attempt_s), sleep=sleep)
