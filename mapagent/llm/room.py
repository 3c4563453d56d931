"""Room for what a model is shown: a budget of tokens for a whole question, not for a call.

What a small model can read is shared by all that is put before it, one observation after the other.
"""

from collections.abc import Iterable, Sequence

from mapagent.llm.tokens import text_tokens

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
