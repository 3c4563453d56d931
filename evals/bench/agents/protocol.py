"""A request as the scripted model reads it, and its reply as Chat Completions.

https://platform.openai.com/docs/api-reference/chat
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mapagent.llm.tokens import MESSAGE_TOKENS, text_tokens
from mapagent.ports import ToolCall


@dataclass(frozen=True)
class ModelRequest:
    """A request.

    Attributes:
        body: The JSON that came.
    """

    body: Mapping[str, Any]

    @cached_property
    def messages(self) -> tuple[str, ...]:
        """The words of each message, in order."""
        return tuple(_words(message.get("content")) for message in self.body["messages"])

    @property
    def read(self) -> str:
        """All words, those of the tools included."""
        return "\n".join(self.messages)

    @property
    def last(self) -> str:
        """The last message's words."""
        return self.messages[-1]

    @property
    def tools(self) -> tuple[str, ...]:
        """The functions that may be called in the protocol's own way."""
        return tuple(tool["function"]["name"] for tool in self.body.get("tools") or ())

    @property
    def parallel(self) -> bool:
        """Whether several may be called in one reply: yes unless it is forbidden, as the protocol says."""
        return self.body.get("parallel_tool_calls") is not False

    @property
    def shape(self) -> str:
        """The name of the JSON schema the reply is held to; empty where there is none."""
        held = (self.body.get("response_format") or {}).get("json_schema") or {}
        return str(held.get("name", ""))

    def tokens(self) -> int:
        """About how many tokens are read: words, earlier calls, descriptions of tools, schemas."""
        earlier = [
            message.get("tool_calls") for message in self.body["messages"] if message.get("tool_calls")
        ]
        declared = [self.body[name] for name in ("tools", "response_format") if self.body.get(name)]
        words = sum(MESSAGE_TOKENS + text_tokens(text) for text in self.messages)
        return words + sum(text_tokens(_json(part)) for part in (*earlier, *declared))


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What the model says: words, calls, or both."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()

    def tokens(self) -> int:
        """About how many tokens are written."""
        return text_tokens(self.text) + sum(
            text_tokens(call.tool) + text_tokens(_json(call.arguments)) for call in self.calls
        )

    def body(self, request: ModelRequest, number: int) -> dict[str, Any]:
        """The reply as it is sent; `number` makes the ids of calls differ."""
        message: dict[str, Any] = {"role": "assistant", "content": self.text or None}
        if self.calls:
            message["tool_calls"] = list(_tool_calls(self.calls, number))
        read, written = request.tokens(), self.tokens()
        return {
            "id": f"chatcmpl-{number}",
            "object": "chat.completion",
            "created": 0,
            "model": request.body.get("model", "scripted"),
            "choices": [
                {"index": 0, "message": message, "finish_reason": "tool_calls" if self.calls else "stop"}
            ],
            "usage": {
                "prompt_tokens": read,
                "completion_tokens": written,
                "total_tokens": read + written,
            },
        }


def _tool_calls(calls: Sequence[ToolCall], number: int) -> Iterator[dict[str, Any]]:
    for position, call in enumerate(calls):
        function = {"name": call.tool, "arguments": _json(call.arguments)}
        yield {"id": f"call_{number}_{position}", "type": "function", "function": function}


def _words(content: Any) -> str:
    """The words of a message: a text, or a list of parts of which the texts count."""
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return str(content or "")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
