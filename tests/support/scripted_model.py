"""A language model whose replies are written beforehand: an ordinary `ChatModel`, without a server."""

from collections import deque
from collections.abc import Callable, Iterable

from pydantic import BaseModel, ValidationError

from map_tools.errors import ModelReplyError
from mapagent.core.ports import RequestContext
from mapagent.llm.chat import ChatMessage, ChatReply, ToolCard
from mapagent.llm.reply import ServerReply
from mapagent.llm.toolcalls import uses_of

type Reply = str | Exception | Callable[[str], str]
"""What is said next: words, an error, or a function of the user's words."""


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
