"""Small differences between servers in what parameters are called, learnt from their refusals."""

from typing import Any

_OPTIONAL = ("temperature", "seed", "stop")
"""A request is still worth sending without these."""


class Dialect:
    """How one server and model want their parameters.

    OpenAI's reasoning models take `max_completion_tokens` instead of `max_tokens` and no temperature
    (https://platform.openai.com/docs/guides/reasoning); older and local servers know only `max_tokens`.
    """

    def __init__(self) -> None:
        self._new_limit_name = False
        self._dropped: set[str] = set()

    def apply(self, body: dict[str, Any]) -> dict[str, Any]:
        """The body in this dialect."""
        adapted = {name: value for name, value in body.items() if name not in self._dropped}
        if self._new_limit_name and "max_tokens" in adapted:
            adapted["max_completion_tokens"] = adapted.pop("max_tokens")
        return adapted

    def learn(self, refusal: str) -> None:
        """Reads in a refusal what a parameter is called, or that it is not taken."""
        words = refusal.lower()
        if "max_completion_tokens" in words and "max_tokens" in words:
            self._new_limit_name = True
        elif "unsupported" in words:
            self._dropped |= {name for name in _OPTIONAL if f"'{name}'" in words}
