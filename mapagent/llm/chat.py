"""The port of a language model: messages in, text or a checked value out.

Everything above it (the language-model reasoner, rival agents, recommenders) speaks to a `ChatModel` and
never to a server. How a value is got out of a model (schema, tool call, JSON in the text, one repair) is the
ladder's matter and is settled once per server and model.
"""

from typing import Literal, Protocol

from pydantic import BaseModel

from map_tools.types import Frozen
from mapagent.ports import Account


class ChatMessage(Frozen):
    """One message.

    Attributes:
        role: Who says it.
        text: The words.
        images: Pictures, only in a user's message: PNG or JPEG bytes, checked and downsized.
        prompt: The prompt file the words come from ("plan@1f2e3d4c"), for the trace; never sent.
    """

    role: Literal["system", "user", "assistant"]
    text: str
    images: tuple[bytes, ...] = ()
    prompt: str = ""


class ChatReply(Frozen):
    """What came back for one request.

    Attributes:
        text: The words; empty where the model only called tools.
        finish_reason: "stop", "length", ... as the server says it.
        prompt_tokens, completion_tokens: As counted by the server; estimated where it does not count.
        cached: True if it came from the response cache (then it cost nothing).
    """

    text: str
    finish_reason: str = "stop"
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached: bool = False


class ChatModel(Protocol):
    """A language model that can be asked."""

    name: str

    async def complete(
        self,
        messages: tuple[ChatMessage, ...],
        *,
        account: Account,
        label: str,
        max_tokens: int = 512,
        stop: tuple[str, ...] = (),
    ) -> ChatReply:
        """Free text.

        Args:
            messages: The conversation.
            account: The question's ledger and trace.
            label: What the call is for, in the trace ("plan", "react.step").
            max_tokens: Longest reply.
            stop: Texts that end the reply.

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
        account: Account,
        label: str,
        max_tokens: int = 512,
    ) -> T:
        """A value of the given shape, by the best rung of the ladder this model can climb.

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
