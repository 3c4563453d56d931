"""Estimates of tokens before a server has counted: on the high side, for budgets are checked with them.

`LineRoom` is such a budget, of a whole question and not of a call: what a small model can read is shared by all that
is put before it, one observation after the other.
"""

import math
import re
from collections.abc import Iterable, Sequence

from mapagent.llm.chat import ChatMessage

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


MAX_TOKENS = 2_500
"""Of all observations of a question; with question, tools and replies this fits a context of 8,192."""
MAX_TOKENS_EACH = 1_000
"""Of one observation, so that one long list leaves room for the next call."""
NOTE = "[cut here: {left} more lines do not fit]"
NOTHING = "Nothing was found."


class LineRoom:
    """The room that is left for one question.

    Args:
        max_tokens: Of all observations.
        max_tokens_each: Of one.
    """

    def __init__(self, max_tokens: int = MAX_TOKENS, max_tokens_each: int = MAX_TOKENS_EACH) -> None:
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
