"""Chat models and replies for tests.

A scripted model is an ordinary `ChatModel`, without a server, whose replies are written beforehand; the recommender's
language model replies by what it is asked for, over real HTTP.
"""

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel, SecretStr, ValidationError

from map_tools.clock import Clock, SystemClock
from map_tools.errors import ModelReplyError
from mapagent.core.ports import RequestContext
from mapagent.llm.cache import ModelCache
from mapagent.llm.chat import ChatMessage, ChatReply, ToolCard
from mapagent.llm.client import ChatOptions, OpenAiChat
from mapagent.llm.failures import Target
from mapagent.llm.prices import Price
from mapagent.llm.profile import ProfileStore
from mapagent.llm.reply import ServerReply
from mapagent.llm.request import uses_of
from mapagent.llm.server import ModelServer, Pace
from tests.support.loopback import Asked, Loopback, Scripted, json_reply, serving

MARKS = {"what": "You read what kind", "rerank": "You are a local expert"}
"""Words of the prompts' fixed parts."""
type Reply = str | Exception | Callable[[str], str]
"""What is said next: words, an error, or a function of the user's words."""
CLOUD = "https://models.example/v1"
KEY = "sk-test-0123456789"
FREE = Price(0.0, 0.0, "own server")


def user(text: str) -> tuple[ChatMessage, ...]:
    """A conversation of one message."""
    return (ChatMessage(role="user", text=text),)


@dataclass
class Sleeper:
    """Waits no time and remembers how long it should have been."""

    waits_s: list[float] = field(default_factory=list)

    async def __call__(self, wait_s: float) -> None:
        self.waits_s.append(wait_s)


def chat_model(
    base_url: str = CLOUD,
    *,
    model: str = "small",
    key: str | None = KEY,
    pace: Pace | None = None,
    options: ChatOptions | None = None,
    folder: Path | None = None,
    sleep: Sleeper | None = None,
    clock: Clock | None = None,
) -> OpenAiChat:
    """A model whose retries wait no time; with a folder it keeps replies and profiles there."""
    target = Target(base_url, model, SecretStr(key) if key else None)
    server = ModelServer(target, pace=pace, sleep=sleep or Sleeper())
    return OpenAiChat(
        server,
        options or ChatOptions(FREE),
        cache=ModelCache(folder / "model.sqlite") if folder else None,
        profiles=ProfileStore(folder / "models") if folder else None,
        clock=clock or SystemClock(),
    )


def completion(
    text: str | None = "Hello.",
    *,
    finish_reason: str = "stop",
    calls: tuple[tuple[str, str], ...] = (),
    usage: tuple[int, int] | None = (10, 5),
    model: str = "small",
) -> dict[str, Any]:
    """The object of https://platform.openai.com/docs/api-reference/chat/object."""
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if calls:
        message["tool_calls"] = [
            {"id": f"call_{number}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for number, (name, arguments) in enumerate(calls)
        ]
    choice = {"index": 0, "message": message, "finish_reason": finish_reason}
    body: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": model,
        "choices": [choice],
    }
    if usage is not None:
        body["usage"] = {"prompt_tokens": usage[0], "completion_tokens": usage[1]}
    return body


def openai_error(message: str, **more: Any) -> Mapping[str, Any]:
    """The object of https://platform.openai.com/docs/guides/error-codes/api-errors."""
    return {
        "error": {"message": message, "type": "invalid_request_error", "param": None, "code": None, **more}
    }


class ScriptedModel:
    """Says the replies in their order and writes down what it was asked.

    Attributes:
        asked: The messages of each request.
        labels: What each request was for.
    """

    name = "scripted"

    def __init__(self, *replies: Reply) -> None:
        self._replies: deque[Reply] = deque(replies)
        self.asked: list[tuple[ChatMessage, ...]] = []
        self.labels: list[str] = []

    @property
    def left(self) -> int:
        """How many replies were not called for."""
        return len(self._replies)

    def prompt(self, number: int) -> str:
        """The user's words of a request, counted from 1 (or from the end with a negative number)."""
        return self.asked[number - 1 if number > 0 else number][-1].text

    async def complete(
        self,
        messages: tuple[ChatMessage, ...],
        *,
        request_context: RequestContext,
        label: str,
        max_tokens: int = 512,
        stop: tuple[str, ...] = (),
    ) -> ChatReply:
        """The next reply, up to the first stop text; a token is a word."""
        self.asked.append(messages)
        self.labels.append(label)
        reply = self._replies.popleft()  # An IndexError here means that the script is too short.
        if callable(reply):
            reply = reply(messages[-1].text)
        read = sum(len(message.text.split()) for message in messages)
        if isinstance(reply, Exception):
            request_context.ledger.charge_model(read, 0)
            raise reply
        text = _until(reply, stop)
        request_context.ledger.charge_model(read, len(text.split()))
        return ChatReply(text=text, prompt_tokens=read, completion_tokens=len(text.split()))

    async def converse(
        self,
        messages: tuple[ChatMessage, ...],
        tools: tuple[ToolCard, ...],
        *,
        request_context: RequestContext,
        label: str,
        max_tokens: int = 1024,
    ) -> ChatReply:
        """The next reply, in whose words tools are called."""
        reply = await self.complete(
            messages, request_context=request_context, label=label, max_tokens=max_tokens
        )
        found = uses_of(ServerReply(text=reply.text), tools)
        return reply.model_copy(update={"calls": found.uses, "problem": found.problem})

    async def structured[T: BaseModel](
        self,
        messages: tuple[ChatMessage, ...],
        shape: type[T],
        *,
        request_context: RequestContext,
        label: str,
        max_tokens: int = 512,
    ) -> T:
        """The next reply as JSON of the shape."""
        reply = await self.complete(
            messages, request_context=request_context, label=label, max_tokens=max_tokens
        )
        try:
            return shape.model_validate_json(reply.text)
        except ValidationError as error:
            raise ModelReplyError(f"The scripted reply does not fit {shape.__name__}.") from error

    async def close(self) -> None:
        """There is nothing to free."""


def _until(text: str, stop: Iterable[str]) -> str:
    ends = [at for mark in stop if (at := text.find(mark)) >= 0]
    return text[: min(ends, default=len(text))]


@contextmanager
def model(program: str = "", **replies: Any) -> Iterator[Loopback]:
    """A server with a reply for each prompt; whoever else asks, the planner, is given a program."""

    def script(asked: Asked) -> Scripted:
        prompt = asked.body.decode()
        name = next((name for name, mark in MARKS.items() if mark in prompt), "")
        planned = {"tool": "run_query", "arguments": {"program": program}}
        reply = replies.get(name, {"none": "of this"}) if name else planned
        return json_reply(completion(reply if isinstance(reply, str) else json.dumps(reply)))

    with serving(script) as server:
        yield server
