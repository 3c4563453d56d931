"""Asking the model by prompt files, within the number and the size of calls a question may have."""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel

from map_tools.errors import LimitError
from mapagent.llm.chat import ChatMessage, ChatModel
from mapagent.llm.tokens import prompt_tokens, text_tokens
from mapagent.ports import Account
from mapagent.prompts import load_prompt
from modules.planner.per_question import PerQuestion

PACKAGE = "modules.planner"
MAX_CALLS = 4
"""Calls of the model for one question. What a call needs to be repaired by the ladder comes on top."""
MAX_PROMPT_TOKENS = 2_500
"""Longest prompt of one call, by the estimate of `mapagent.llm.tokens`, which is on the high side."""


ELLIPSIS = "…"


class OversizeError(LimitError):
    """The question alone is longer than a call may be."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """What the model said before and what is said to it now: a second attempt."""

    said: str
    told: str


class Conversation:
    """Asks a model by prompts: NAME.md is the fixed part, NAME_ask.md what changes with the question.

    The fixed part comes first and is the same in every call, so that servers can keep it worked out.

    Args:
        model: The model.
        prompts: The user's own prompts; None for the built-in ones.
        package: Whose prompts they are.
    """

    def __init__(self, model: ChatModel, prompts: Path | None = None, package: str = PACKAGE) -> None:
        self._model = model
        self._prompts = prompts
        self._package = package
        self._counts: PerQuestion[int] = PerQuestion()

    def within(self, package: str) -> "Conversation":
        """The same conversation with the prompts of another package; their calls count together."""
        other = Conversation(self._model, self._prompts, package)
        other._counts = self._counts
        return other

    def calls_left(self, account: Account) -> int:
        """How many calls this question may still make."""
        return MAX_CALLS - (self._counts.get(account) or 0)

    def room(self, name: str, values: Mapping[str, str], again: Exchange | None = None) -> int:
        """Tokens left for a further value of the prompt, once everything else is filled in."""
        return max(0, MAX_PROMPT_TOKENS - prompt_tokens(self._messages(name, values, again, {})))

    async def ask[T: BaseModel](
        self,
        name: str,
        values: Mapping[str, str],
        shape: type[T],
        *,
        account: Account,
        again: Exchange | None = None,
        fixed: Mapping[str, str] | None = None,
        max_tokens: int = 300,
    ) -> T:
        """A value from the model.

        Args:
            name: The prompt.
            values: What its changing part is filled with.
            shape: What the value must be.
            account: The question's ledger and trace.
            again: An earlier answer and what is wrong with it.
            fixed: What the fixed part is filled with: the same for all questions of a kind.
            max_tokens: Longest reply.

        Raises:
            OversizeError: The prompt would be longer than a call may be.
            LimitError: The question has had all its calls, or a budget is spent.
            ModelReplyError: The reply does not fit, even told once what is wrong.
            ModelError: The server cannot be reached or refuses.
        """
        messages = self._messages(name, values, again, fixed or {})
        size = prompt_tokens(messages)
        if size > MAX_PROMPT_TOKENS:
            raise OversizeError(
                f"The question needs {size:,} tokens, more than the {MAX_PROMPT_TOKENS:,} of a model call.",
                "Ask in fewer words.",
            )
        if self.calls_left(account) <= 0:
            raise LimitError(f"The limit of {MAX_CALLS} model calls for a question is reached.")
        self._counts.put(account, MAX_CALLS - self.calls_left(account) + 1)
        label = f"{name}.again" if again else name
        return await self._model.structured(
            messages, shape, account=account, label=label, max_tokens=max_tokens
        )

    async def close(self) -> None:
        """Frees the model's connections."""
        await self._model.close()

    def _messages(
        self, name: str, values: Mapping[str, str], again: Exchange | None, fixed: Mapping[str, str]
    ) -> tuple[ChatMessage, ...]:
        rules = load_prompt(self._package, name, self._prompts)
        asked = load_prompt(self._package, f"{name}_ask", self._prompts)
        first = (
            ChatMessage(role="system", text=rules.fill(**fixed), prompt=rules.mark),
            ChatMessage(role="user", text=asked.fill(**values), prompt=asked.mark),
        )
        if again is None:
            return first
        problem = load_prompt(PACKAGE, "again", self._prompts)
        return (
            *first,
            ChatMessage(role="assistant", text=again.said),
            ChatMessage(role="user", text=problem.fill(problem=again.told), prompt=problem.mark),
        )


def clipped(text: str, tokens: int) -> str:
    """The beginning of a text, of at most so many tokens; an ellipsis says that something is missing."""
    if text_tokens(text) <= tokens:
        return text
    words = text.split()
    too_many = bisect_right(
        range(len(words) + 1), tokens, key=lambda count: text_tokens(" ".join((*words[:count], ELLIPSIS)))
    )
    return " ".join((*words[: too_many - 1], ELLIPSIS)) if too_many else ""
