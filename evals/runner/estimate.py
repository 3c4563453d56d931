"""What a run would cost, before anything is asked."""

from collections.abc import Sequence

from evals.ports import Item, Method
from mapagent.config import Settings
from mapagent.llm.prices import price_by

CHARS_PER_TOKEN = 4
"""A rule of thumb for English text."""
PROMPT_TOKENS = 900
"""About what a method's own instructions and tool replies add to a call."""
REPLY_TOKENS = 150
CALLS = {"direct": 1}
"""Model calls a question; what is not listed may make up to `MAX_CALLS`."""
MAX_CALLS = 6


def estimate(items: Sequence[Item], methods: Sequence[Method], settings: Settings) -> str:
    """One line for each method: questions, model calls and tokens at most, and money if prices are known."""
    return "\n".join(_line(items, method.name, settings) for method in methods)


def _line(items: Sequence[Item], method: str, settings: Settings) -> str:
    head = f"{method}: {len(items)} questions"
    if settings.model == "offline":
        return f"{head}; the embedded model costs nothing."
    calls = CALLS.get(method, MAX_CALLS) * len(items)
    read = CALLS.get(method, MAX_CALLS) * sum(_tokens(item) for item in items)
    written = calls * REPLY_TOKENS
    text = f"{head}, at most about {calls} model calls, {read:,} tokens read and {written:,} written"
    price = price_by(settings)
    if not price.known:
        return f"{text}; set price_in and price_out to see what '{settings.model}' would cost."
    usd = price.of(read, written)
    return f"{text}: at most about {usd:.2f} USD with '{settings.model}' ({price.source})."


def _tokens(item: Item) -> int:
    question = item.task.question
    chars = len(question.text) + sum(map(len, question.options)) + len(question.context or "")
    return PROMPT_TOKENS + chars // CHARS_PER_TOKEN
