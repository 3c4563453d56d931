"""The servers all agents are measured with, the same for all, each in a thread of its own.

The scripted model stands behind Chat Completions with the latency of a hosted model. The map is the invented city,
every call late by the same time, and counted; agents that run in another environment have its four tools over HTTP.

The model is the same for all agents: the same steps in the same order, late by a time for the first token and one
for each token read and written. What it is asked is counted on its side, by one estimate for all.

Calls of the tool server go the same way as those of the agents here: the same arguments are checked, the same map
is asked, the same words come back within the same room (`evals.methods.tools`).
"""

import asyncio
import json
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.agents.dialects import ModelReply, ModelRequest, reply_to
from benchmarks.agents.scripts import Habit
from benchmarks.agents.tasks import AgentTask, agent_tasks, city
from benchmarks.cases import SlowProvider
from evals.methods.tools import NOT_SHOWN, MapTools
from evals.ports import EvalContext, Task
from map_tools.providers.base import Spot
from map_tools.providers.recorded import RecordedProvider
from map_tools.providers.world import World
from map_tools.testing.emulate.http import Handler, HttpServer, Reply, Request
from map_tools.tools import TOOLS, MapTool
from map_tools.types import NearbyPlace, Place, RankBy
from mapagent.core.ports import RequestContext, ToolCall
from mapagent.runtime.config import Settings
from mapagent.runtime.ledger import Ledger
from mapagent.runtime.trace import Trace

HOST = "127.0.0.1"


@contextmanager
def serving(*handlers: Handler) -> Iterator[tuple[str, ...]]:
    """Runs a server for each handler; gives their base addresses."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="bench-servers", daemon=True)
    thread.start()
    servers = [HttpServer(handler) for handler in handlers]
    try:
        ports = [asyncio.run_coroutine_threadsafe(server.start(HOST, 0), loop).result() for server in servers]
        yield tuple(f"http://{HOST}:{port}" for port in ports)
    finally:
        for server in servers:
            asyncio.run_coroutine_threadsafe(server.close(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


class ListingProvider(RecordedProvider):
    """A world whose lists tell as little as Google's legacy Nearby Search: opening hours are not in them.

    https://developers.google.com/maps/documentation/places/web-service/legacy/search-nearby
    """

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.capabilities = self.capabilities.model_copy(update={"full_candidates": False})

    async def nearby(
        self,
        center: Spot,
        *,
        radius_m: float,
        categories: tuple[str, ...] = (),
        keyword: str | None = None,
        rank: RankBy = RankBy.DISTANCE,
        limit: int | None = 20,
    ) -> tuple[NearbyPlace, ...]:
        """As recorded, without hours."""
        found = await super().nearby(
            center, radius_m=radius_m, categories=categories, keyword=keyword, rank=rank, limit=limit
        )
        return tuple(item.model_copy(update={"place": _listed(item.place)}) for item in found)


def _listed(place: Place) -> Place:
    return place.model_copy(update={"hours": None})


def slow_map(world: World, latency_s: float) -> SlowProvider:
    """The map of a run, with its own count of calls."""
    return SlowProvider(ListingProvider(world), latency_s)


class ToolServer:
    """The handler of the tools' server.

    Args:
        provider: The map.
        settings: Limits of a question.
    """

    def __init__(self, provider: SlowProvider, settings: Settings) -> None:
        self.provider = provider
        self._settings = settings
        self._tools: MapTools | None = None

    def begin(self, task: Task) -> None:
        """A fresh question: room and counts begin anew."""
        self.provider.calls.clear()
        request_context = RequestContext(Ledger(self._settings.limits()), Trace())
        self._tools = MapTools("bench", task, EvalContext(self._settings, self.provider), request_context)

    async def __call__(self, request: Request) -> Reply:
        """`GET /tools`: what there is. `POST /tools/NAME` with arguments as JSON: what it brings, as text."""
        if request.method == "GET":
            return _json(200, [described(tool) for tool in TOOLS.values()])
        if self._tools is None:
            return _json(409, "No question was begun.")
        name = request.path.rpartition("/")[2]
        fetched = await self._tools.fetch(ToolCall(tool=name, arguments=json.loads(request.body)))
        return _json(200, self._tools.show(fetched.facts))


def described(tool: MapTool) -> dict[str, Any]:
    """A tool as functions are declared to models: name, description, plain JSON schema."""
    schema = tool.parameters.model_json_schema()
    properties = {
        name: _plain(field, schema.get("$defs", {}))
        for name, field in schema["properties"].items()
        if name not in NOT_SHOWN
    }
    parameters = {"type": "object", "properties": properties, "required": schema.get("required", [])}
    return {"name": tool.name, "description": tool.description, "parameters": parameters}


def _plain(field: dict[str, Any], named: dict[str, Any]) -> dict[str, Any]:
    """A parameter without references and alternatives."""
    kinds = [field, *field.get("anyOf", ()), named.get(field.get("$ref", "").rpartition("/")[2], {})]
    kind = next(each for each in kinds if each.get("type") not in (None, "null"))
    kept = {key: kind[key] for key in ("type", "items", "enum") if key in kind}
    return {**kept, "description": field.get("description", "")}


def _json(status: int, value: Any) -> Reply:
    return Reply(status, json.dumps(value, ensure_ascii=False).encode())


@dataclass(frozen=True, slots=True)
class Latency:
    """How long calls take.

    Attributes:
        first_s: From a request to the model to the first token of its reply, reading aside.
        read_token_s: For each token that is read.
        token_s: For each token that is written.
        map_s: Of each call of the map.
    """

    first_s: float = 0.25
    read_token_s: float = 0.0001
    token_s: float = 0.005
    map_s: float = 0.1

    def model_s(self, read: int, written: int) -> float:
        """Of one call of the model."""
        return self.first_s + read * self.read_token_s + written * self.token_s


AT_ONCE = Latency(0, 0, 0, 0)
"""Nothing takes time."""


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One call that was answered: tokens, and seconds from request to reply on the server's side."""

    prompt_tokens: int
    completion_tokens: int
    seconds: float


@dataclass
class ModelServer:
    """The handler of the model's server.

    Attributes:
        tasks: What it knows to solve, found by the question's text.
        latency: How slow it is.
        calls: What was answered since the last `begin`.
        unscripted: Requests since then that no script covers, by their last words.
    """

    tasks: Sequence[AgentTask]
    latency: Latency
    calls: list[ModelCall] = field(default_factory=list)
    unscripted: list[str] = field(default_factory=list)
    _number: int = 0

    def begin(self) -> None:
        """Forgets what was counted."""
        self.calls.clear()
        self.unscripted.clear()

    async def __call__(self, request: Request) -> Reply:
        """Answers POST .../chat/completions."""
        start = perf_counter()
        if request.method != "POST" or not request.path.endswith("/chat/completions"):
            return _refused(404, f"There is no {request.method} {request.path}.")
        asked = ModelRequest(json.loads(request.body))
        reply = self._reply(asked)
        if reply is None:
            self.unscripted.append(asked.last[-200:])
            return _refused(400, "The script has no reply to this request.")
        self._number += 1
        body = reply.body(asked, self._number)
        read, written = asked.tokens(), reply.tokens()
        await asyncio.sleep(start + self.latency.model_s(read, written) - perf_counter())
        self.calls.append(ModelCall(read, written, perf_counter() - start))
        return _json(200, body)

    def _reply(self, asked: ModelRequest) -> ModelReply | None:
        read = asked.read
        task = next((each for each in self.tasks if each.task.question.text in read), None)
        return reply_to(asked, task) if task else None


def _refused(status: int, message: str) -> Reply:
    return _json(status, {"error": {"message": message, "type": "invalid_request_error"}})


OFFLINE = "offline"
MODEL = "scripted"
CONCURRENCY = 16
"""Tool calls at once, for every agent: more than any task has."""


@dataclass(frozen=True)
class Stage:
    """What stands while agents are measured.

    Attributes:
        tasks: What they are given.
        model, model_url: The scripted model, and the address Chat Completions are asked at.
        tools, tools_url: The map tools over HTTP, for agents in another environment.
        data_home: A folder to work in.
        latency: How slow model and map are.
    """

    tasks: tuple[AgentTask, ...]
    model: ModelServer
    model_url: str
    tools: ToolServer
    tools_url: str
    data_home: Path
    latency: Latency

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Model and tools take no time while the body runs: agents load what they load late."""
        self._set(AT_ONCE)
        try:
            yield
        finally:
            self._set(self.latency)

    def _set(self, latency: Latency) -> None:
        self.model.latency = latency
        self.tools.provider.latency_s = latency.map_s

    def settings(self, model: str) -> Settings:
        """Settings of an agent of this project: nothing is taken from a cache."""
        return _settings(model, self.model_url, self.data_home)


@contextmanager
def stage(habit: Habit, latency: Latency) -> Iterator[Stage]:
    """Sets the servers up while the body runs."""
    tasks = tuple(agent_tasks(city(), habit))
    model = ModelServer(tasks, latency)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        tools = ToolServer(slow_map(city().world(), latency.map_s), _settings(OFFLINE, None, home))
        with serving(model, tools) as (model_url, tools_url):
            yield Stage(tasks, model, f"{model_url}/v1", tools, tools_url, home, latency)


def _settings(model: str, model_url: str | None, data_home: Path) -> Settings:
    return Settings(
        model=model,
        base_url=model_url,
        data_home=data_home,
        model_cache=False,
        price_in=0.0,
        price_out=0.0,
        concurrency=CONCURRENCY,
    )
