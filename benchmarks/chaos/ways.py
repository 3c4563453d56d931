"""What is asked in a soak, and the ways it can be answered, each with its servers behind proxies that let them fail.

The questions are about the demo map, and their right answers were found without the product. The model server
has no model: it writes the programs that the embedded planner writes, and takes their results.

The model server speaks Chat Completions (https://platform.openai.com/docs/api-reference/chat). Asked for anything
but the next turn of a planner's conversation it has nothing to say.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from benchmarks.chaos.proxy import ChaosPlan, ChaosProxy, ServerKind, kinds_at
from benchmarks.smoke.questions import NOON, is_right, questions
from evals.generate.mapeval.generator import Generator
from evals.ports import Item, Task
from evals.suites.mapeval import MapEvalRecord, score_choice
from map_tools.clock import FrozenClock
from map_tools.providers.base import Provider, ProviderSetting
from map_tools.providers.google.provider import GoogleProvider
from map_tools.providers.google.service import GoogleService
from map_tools.providers.google_common.terms import google_wire
from map_tools.providers.google_legacy.client import LegacyClient, judge
from map_tools.providers.google_legacy.provider import GoogleLegacyProvider
from map_tools.providers.osm import OsmProvider
from map_tools.testing.emulate.backend import Backend
from map_tools.testing.emulate.http import HttpServer, Reply, Request
from map_tools.testing.emulate.server import Emulator
from map_tools.wire import Wire
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer
from mapagent.core.question import Question
from mapagent.runtime.config import Settings

NOW = datetime(2026, 11, 23, 10, 0, tzinfo=UTC)
"""The moment of every clock in a soak: `NOON` in Helsinki."""


@dataclass(frozen=True)
class SoakQuestion:
    """A question and its judge."""

    id: str
    question: Question
    is_right: Callable[[Answer], bool]


def soak_questions(folder: Path, *, written: int, generated: int, seed: int) -> tuple[SoakQuestion, ...]:
    """Hand-written questions (`benchmarks.smoke`) and generated ones (`evals.generate.mapeval`).

    Args:
        folder: The demo map.
        written: At most so many of the hand-written ones.
        generated: So many generated ones, of all families in turn.
        seed: Of what is generated.

    Raises:
        MapStoreError, UsageError: The folder holds no map, or too small a one.
    """
    over_map = (one for one in questions() if one.world == "helsinki" and one.wording == "plain")
    first = [
        SoakQuestion(
            one.id,
            Question(text=one.text, options=one.options, at=NOON),
            partial(is_right, truth=one.truth),
        )
        for one in islice(over_map, written)
    ]
    made = Generator(folder, seed).make(generated)
    return (*first, *(_judged(one.record) for one in made))


def _judged(made: dict[str, Any]) -> SoakQuestion:
    record = MapEvalRecord.model_validate(made)
    question = Question(text=record.question, options=record.answer.options, at=NOON)
    item = Item(
        id=f"g{record.id}",
        category=record.category,
        task=Task(question=question),
        gold=record.answer.correct,
        answerable=record.answerable,
    )
    return SoakQuestion(item.id, question, lambda answer: score_choice(item, answer).correct)


HOST = "127.0.0.1"
NAME = "oracle"
_ASKED = re.compile(r"^Question: (.*?)(?:\nOptions:\n(.*))?\Z", re.DOTALL | re.MULTILINE)
"""How the planner puts a question (`modules/planner/prompts/question.md`)."""
_LETTER = re.compile(r"^[A-Z]\. ", re.MULTILINE)


@asynccontextmanager
async def running_oracle(agent: MapAgent) -> AsyncIterator[str]:
    """Serves on a free port while the body runs; gives its address, to which /v1 is added.

    Args:
        agent: Writes the programs, without a model.
    """

    async def reply(request: Request) -> Reply:
        if not request.path.endswith("/chat/completions"):
            return Reply(404, b'{"error": {"message": "There is no such path."}}')
        body = json.loads(request.body)
        message = await _message(body, agent)
        completion = {
            "id": "chatcmpl-oracle",
            "object": "chat.completion",
            "model": NAME,
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": len(request.body) // 4, "completion_tokens": len(str(message)) // 4},
        }
        return Reply(200, json.dumps(completion).encode())

    server = HttpServer(reply)
    try:
        yield f"http://{HOST}:{await server.start(HOST, 0)}"
    finally:
        await server.close()


async def _message(body: dict[str, Any], agent: MapAgent) -> dict[str, Any]:
    """The next turn: a program, or after a result its end; in words where no tools are offered."""
    last = body["messages"][-1]
    name, arguments = "finish", {"outcome": "computed"}
    if last["role"] == "user" and (asked := _ASKED.search(str(last["content"]))) is not None:
        options = tuple(filter(None, map(str.strip, _LETTER.split(asked[2] or ""))))
        answer = await agent.ask(asked[1].strip(), options=options)
        if answer.program:
            name, arguments = "run_query", {"program": answer.program}
        else:
            arguments = {"outcome": "unanswerable", "reason": answer.reason}
    if "tools" not in body:
        return {"role": "assistant", "content": json.dumps({"tool": name, "arguments": arguments})}
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "call_1", "type": "function", "function": function}],
    }


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
class FaultProfile:
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
        address = await stack.enter_async_context(running_oracle(reader))
        yield Ground(folder, await emulator.start(), address)


@asynccontextmanager
async def opened(
    way: Way, ground: Ground, fault_profile: FaultProfile, settings: Settings
) -> AsyncIterator[tuple[MapAgent, Sequence[ChaosProxy]]]:
    """An agent that goes this way, and the proxies between it and its servers."""
    async with AsyncExitStack() as stack:
        proxies: list[ChaosProxy] = []

        async def before(server: ServerKind, upstream: str) -> str:
            proxies.append(fault_profile.proxy(upstream, server))
            return await stack.enter_async_context(proxies[-1].running())

        provider: Provider
        if way.provider == "osm":
            provider = OsmProvider.open(ground.folder)
        else:
            base_url = await before(ServerKind.MAP, ground.emulator)
            provider = google_provider(way.provider, base_url, fault_profile.attempt_s)
        if way.model:
            base_url = f"{await before(ServerKind.MODEL, ground.oracle)}/v1"
            update = {"base_url": base_url, "model": NAME, "model_timeout_s": fault_profile.attempt_s}
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
