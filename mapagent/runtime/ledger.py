"""One ledger for model tokens, map calls and money; hard budgets are checked here."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field
from time import monotonic

from map_tools.errors import LimitError
from mapagent.core.answer import Usage


@dataclass(frozen=True)
class Limits:
    """Step, call, time and money limits of one question, in one object.

    Attributes:
        max_rounds: Rounds of the map-tool agent.
        max_tool_calls: Map-tool calls in all.
        deadline_s: Wall time.
        max_usd: Money for model and map calls; None for no limit.
        concurrency: Tool calls at once.
    """

    max_rounds: int = 8
    max_tool_calls: int = 80
    deadline_s: float = 60.0
    max_usd: float | None = None
    concurrency: int = 8


@dataclass
class Ledger:
    """Counts what a question costs; `charge_tool` and `reserve` raise `LimitError` when a budget is spent.

    Attributes:
        rounds: Rounds of map calls.
        reserved_usd: The most that calls under way may cost.
    """

    limits: Limits = field(default_factory=Limits)
    timer: Callable[[], float] = monotonic
    llm_calls: int = 0
    tool_calls: int = 0
    rounds: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float = 0.0
    reserved_usd: float = 0.0

    def __post_init__(self) -> None:
        self._start = self.timer()

    def apart(self) -> "Ledger":
        """A ledger of its own for work that asks no service: with the same deadline, and no calls and rounds yet."""
        other = copy(self)
        other.tool_calls = other.rounds = 0
        return other

    def charge_tool(self, cost_usd: float = 0.0) -> None:
        """Counts one map-tool call before it is made."""
        if self.tool_calls >= self.limits.max_tool_calls:
            raise LimitError(
                f"The limit of {self.limits.max_tool_calls} map calls is reached.", "Raise max_tool_calls."
            )
        self._money(cost_usd)
        self.tool_calls += 1

    def charge_model(self, prompt_tokens: int, completion_tokens: int, cost_usd: float = 0.0) -> None:
        """Counts one finished model call. Its money is spent already: `reserve` is what stops a call."""
        self.llm_calls += 1
        self.prompt_tokens += prompt_tokens
        self.completion_tokens += completion_tokens
        self.cost_usd += cost_usd

    @contextmanager
    def reserve(self, cost_usd: float) -> Iterator[None]:
        """Reserves the most a call may cost while it is under way, so that simultaneous calls cannot overspend.

        Raises:
            LimitError: Less than that is left.
        """
        self._check_money(cost_usd)
        self.reserved_usd += cost_usd
        try:
            yield
        finally:
            self.reserved_usd -= cost_usd

    def lose(self, cost_usd: float) -> None:
        """Counts the money for a call whose reply was lost on its way; it may have been billed."""
        self.cost_usd += cost_usd

    def spend(self, cost_usd: float) -> None:
        """Takes the money for a paid request of a map service before it is sent (`map_tools.wire.Purse`)."""
        self._money(cost_usd)

    def refund(self, cost_usd: float) -> None:
        """Gives back the money for a request that was not billed."""
        self.cost_usd -= cost_usd

    def _money(self, cost_usd: float) -> None:
        self._check_money(cost_usd)
        self.cost_usd += cost_usd

    def _check_money(self, cost_usd: float) -> None:
        limit = self.limits.max_usd
        if limit is not None and self.cost_usd + self.reserved_usd + cost_usd > limit:
            raise LimitError(f"The budget of {limit:.4f} USD is spent.", "Raise --max-usd.")

    @property
    def elapsed_s(self) -> float:
        """Seconds since the question came in."""
        return self.timer() - self._start

    @property
    def left_s(self) -> float:
        """Seconds left before the deadline (at least 0)."""
        return max(0.0, self.limits.deadline_s - self.elapsed_s)

    def usage(self) -> Usage:
        """The usage so far."""
        return Usage(
            llm_calls=self.llm_calls,
            tool_calls=self.tool_calls,
            prompt_tokens=self.prompt_tokens,
            completion_tokens=self.completion_tokens,
            cost_usd=round(self.cost_usd, 6),
            latency_s=round(self.elapsed_s, 6),
        )
