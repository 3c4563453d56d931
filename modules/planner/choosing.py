"""A model chooses among the readings of the embedded reader: one short call, which a small model can answer as well."""

from collections.abc import Sequence
from typing import Literal, Protocol, runtime_checkable

from pydantic import BaseModel, Field

from map_tools.errors import ModelReplyError
from mapagent.core.answer import Answer
from mapagent.core.ports import Run
from mapagent.core.prompts import load_prompt
from mapagent.llm.chat import ChatMessage, ChatModel
from modules.planner.told import PACKAGE, data, options_text

LETTERS = "ABCD"
CHOSEN = 0.8
"""How sure an answer is whose reading a model has chosen."""
MAX_TOKENS = 60


class Choice(BaseModel):
    """Which reading is meant."""

    choice: Literal["A", "B", "C", "D", "none"] = Field(description="The letter of the right way, or none.")


@runtime_checkable
class Offers(Protocol):
    """A planner that can say in how many ways it reads a question."""

    async def offered(self, run: Run, most: int) -> Sequence[Answer]:
        """What its likeliest readings come to, each with its program and how it was understood."""
        ...


async def choose(run: Run, planner: Offers, model: ChatModel) -> Answer | None:
    """What the reading comes to that a model takes for the right one; None if it takes none, or there is none.

    Raises:
        LimitError: A budget is spent.
        ModelError: The model cannot be reached.
    """
    by_reading: dict[str, Answer] = {}
    for one in await planner.offered(run, len(LETTERS)):
        by_reading.setdefault(_reading(one), one)
    if not by_reading:
        return None
    rules = load_prompt(PACKAGE, "choose", run.settings.prompts)
    asked = load_prompt(PACKAGE, "choose_ask", run.settings.prompts)
    options = options_text(run.question)
    ways = "\n".join(f"{letter}. {told}" for letter, told in zip(LETTERS, by_reading, strict=False))
    words = asked.fill(
        question=data(run.question.text), options=f"\nOptions:\n{options}" if options else "", ways=ways
    )
    messages = (
        ChatMessage(role="system", text=rules.text, prompt=rules.mark),
        ChatMessage(role="user", text=words, prompt=asked.mark),
    )
    try:
        made = await model.structured(
            messages,
            Choice,
            request_context=run.request_context,
            label="planner.choose",
            max_tokens=MAX_TOKENS,
        )
    except ModelReplyError:
        return None
    chosen = dict(zip(LETTERS, by_reading.values(), strict=False)).get(made.choice)
    return None if chosen is None else chosen.model_copy(update={"confidence": CHOSEN})


def _reading(answer: Answer) -> str:
    """How an answer's question was understood, in words; what was assumed on the way is not asked."""
    return data(answer.understood.partition(" (assumed:")[0].rstrip("."))
