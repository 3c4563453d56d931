"""The port of a language model: messages in, text or a checked value out; and how many tokens texts have.

Everything above it (the language-model reasoner, rival agents, recommenders) speaks to a `ChatModel` and
never to a server. How a value is got out of a model (schema, tool call, JSON in the text, one repair) is the
fallback chain's matter and is settled once per server and model.

Tokens are estimated before a server has counted, on the high side, for budgets are checked with them. `LineRoom` is
such a budget, of a whole question and not of a call: what a small model can read is shared by all that is put before
it, one observation after the other.
"""

import math
import re
from collections.abc import Iterable, Sequence
from typing import Any, Literal, Protocol

from pydantic import BaseModel, Field

from map_tools.types import Frozen
from mapagent.core.ports import RequestContext


class ToolCard(Frozen):
    """A tool that a model may call.

    Attributes:
        parameters: JSON schema of its arguments.
        block: The argument that a fenced block in the reply's words stands for; empty: none does.
    """

    name: str
    description: str
    parameters: dict[str, Any]
    block: str = ""


class ToolUse(Frozen):
    """A call of a tool by a model; `id` ties its result to it."""

    id: str
    name: str
    arguments: dict[str, Any] = Field(default_factory=dict)


class ChatMessage(Frozen):
    """One message.

    Attributes:
        role: Who says it; "tool": the result of a call.
        text: The words.
        images: Pictures, only in a user's message: PNG or JPEG bytes, checked and downsized.
        prompt: The prompt file the words come from ("plan@1f2e3d4c"), for the trace; never sent.
        calls: The tools that an assistant's message calls.
        call_id: Of a result: the call it belongs to.
    """

    role: Literal["system", "user", "assistant", "tool"]
    text: str
    images: tuple[bytes, ...] = ()
    prompt: str = ""
    calls: tuple[ToolUse, ...] = ()
    call_id: str = ""


class ChatReply(Frozen):
    """What came back for one request.

    Attributes:
        text: The words; empty where the model only called tools.
        finish_reason: "stop", "length", ... as the server says it.
        prompt_tokens, completion_tokens: As counted by the server; estimated where it does not count.
        cached: True if it came from the response cache (then it cost nothing).
        calls: The tools it calls, where there are any to be called.
        problem: What is wrong with a call that could not be read.
    """

    text: str
    finish_reason: str = "stop"
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached: bool = False
    calls: tuple[ToolUse, ...] = ()
    problem: str = ""


class ChatModel(Protocol):
    """A language model that can be asked."""

    name: str

    async def complete(
        self,
        messages: tuple[ChatMessage, ...],
        *,
        request_context: RequestContext,
        label: str,
        max_tokens: int = 512,
        stop: tuple[str, ...] = (),
    ) -> ChatReply:
        """Free text.

        Args:
            messages: The conversation.
            request_context: The question's ledger and trace.
            label: What the call is for, in the trace ("plan", "react.step").
            max_tokens: Longest reply.
            stop: Texts that end the reply.

        Raises:
            LimitError: A budget or the deadline is spent.
            ModelError: The server cannot be reached, refuses, or has no such model.
        """
        ...

    async def converse(
        self,
        messages: tuple[ChatMessage, ...],
        tools: tuple[ToolCard, ...],
        *,
        request_context: RequestContext,
        label: str,
        max_tokens: int = 1024,
    ) -> ChatReply:
        """The next turn of a conversation in which tools may be called, several at once.

        Called the protocol's way where the server can do that, else in the words of the reply.

        Raises:
            LimitError: A budget or the deadline is spent.
            ModelError: The server cannot be reached, refuses, or has no such model.
        """
        ...

    async def structured[T: BaseModel](
        self,
        messages: tuple[ChatMessage, ...],
        shape: type[T],
        *,
        request_context: RequestContext,
        label: str,
        max_tokens: int = 512,
    ) -> T:
        """A value of the given shape, in the surest output mode this model keeps to.

        Keep shapes plain: few fields, short lists, enumerations of words; no unions, patterns or big bounds.

        Raises:
            LimitError: A budget or the deadline is spent.
            ModelReplyError: The reply does not fit, even after it was told once what is wrong.
            ModelError: The server cannot be reached, refuses, or has no such model.
        """
        ...

    async def close(self) -> None:
        """Frees the connections."""
        ...


SHORT_WORD = 4
LETTERS_PER_TOKEN = 2.4
"""Of longer words. English has about 4 characters a token (https://platform.openai.com/tokenizer), Finnish
and names have fewer: measured with SmolLM2's vocabulary of 49,152, which splits more than larger ones."""
BYTES_PER_TOKEN = 1.5
"""Of letters outside ASCII: one Chinese character is 3 bytes and up to 2 tokens."""
MESSAGE_TOKENS = 8
"""Role and marks around each message; templates differ."""
IMAGE_TOKENS = 1_600
"""A picture of 1024 x 1024 costs 765 tokens at OpenAI
(https://platform.openai.com/docs/guides/images-vision#calculating-costs), 1,370 with patches of 28 px."""

_SINGLE = re.compile(r"[0-9]|[^\sA-Za-z0-9]")
_LETTERS = re.compile(r"[A-Za-z]+")
_BREAK = re.compile(r"\n| (?=[0-9])")
"""A space before a number is a token of its own; before a word it is part of it."""


def text_tokens(text: str) -> int:
    """About how many tokens a text has: short words, digits, marks one each; long words by length."""
    letters = sum(
        1.0 if len(word) <= SHORT_WORD else len(word) / LETTERS_PER_TOKEN for word in _LETTERS.findall(text)
    )
    singles = 0.0
    for mark in _SINGLE.findall(text):
        singles += 1 if mark.isascii() else len(mark.encode("utf-8", "replace")) / BYTES_PER_TOKEN
    return math.ceil(letters + singles + len(_BREAK.findall(text)))


def prompt_tokens(messages: tuple[ChatMessage, ...]) -> int:
    """About how many tokens a conversation has, pictures included."""
    return sum(
        MESSAGE_TOKENS + text_tokens(message.text) + IMAGE_TOKENS * len(message.images)
        for message in messages
    )


ROOM_TOKENS = 2_500
"""Of all observations of a question; with question, tools and replies this fits a context of 8,192."""
ROOM_TOKENS_EACH = 1_000
"""Of one observation, so that one long list leaves room for the next call."""
NOTE = "[cut here: {left} more lines do not fit]"
NOTHING = "Nothing was found."


class LineRoom:
    """The room that is left for one question.

    Args:
        max_tokens: Of all observations.
        max_tokens_each: Of one.
    """

    def __init__(self, max_tokens: int = ROOM_TOKENS, max_tokens_each: int = ROOM_TOKENS_EACH) -> None:
        self._left = max_tokens
        self._each = max_tokens_each

    def show_lines(self, told: Iterable[str]) -> str:
        """The lines, each once; whole lines that do not fit are left out, and a note says how many."""
        lines = list(dict.fromkeys(told))
        kept = self._fitting(lines)
        left = len(lines) - len(kept)
        return "\n".join([*kept, *([NOTE.format(left=left)] if left else [])]) or NOTHING

    def _fitting(self, lines: Sequence[str]) -> list[str]:
        room = min(self._left, self._each)
        kept: list[str] = []
        for line in lines:
            tokens = text_tokens(line)
            if tokens > room:
                break
            room -= tokens
            self._left -= tokens
            kept.append(line)
        return kept
