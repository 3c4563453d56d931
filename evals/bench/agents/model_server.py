"""The scripted model behind a real HTTP server: Chat Completions, with the latency of a hosted model.

It is the same for all agents: the same steps in the same order, late by a time for the first token and one
for each token read and written. What it is asked is counted on its side, by one estimate for all.
"""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from evals.bench.agents.dialects import reply_to
from evals.bench.agents.protocol import ModelReply, ModelRequest
from evals.bench.agents.tasks import AgentTask
from map_tools.emulate.http import Reply, Request


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


def _json(status: int, value: Any) -> Reply:
    return Reply(status, json.dumps(value, ensure_ascii=False).encode())
