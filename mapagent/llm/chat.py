"""The port of a language model: messages in, text or a checked value out.

Everything above it (the language-model reasoner, rival agents, recommenders) speaks to a `ChatModel` and
never to a server. How a value is got out of a model (schema, tool call, JSON in the text, one repair) is the
fallback chain's matter and is settled once per server and model.
"""

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
