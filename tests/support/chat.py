"""Chat models and replies for tests."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from map_tools.clock import Clock, SystemClock
from mapagent.llm.cache import ModelCache
from mapagent.llm.chat import ChatMessage
from mapagent.llm.client import ChatOptions, OpenAiChat
from mapagent.llm.failures import Target
from mapagent.llm.prices import Price
from mapagent.llm.profile import ProfileStore
from mapagent.llm.server import ModelServer, Pace

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
