"""One budget for a whole run, handed out to the questions that are under way."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Protocol

from map_tools.errors import LimitError, WorkerLostError
from mapagent.ledger import Ledger, Limits

ATTEMPTS = 3
"""A question that takes its worker with it so often is not sent to another one."""


class Charged(Protocol):
    """What became of a question, as far as money goes."""

    @property
    def cost_usd(self) -> float:
        """What it cost."""
        ...

    @property
    def cut_short(self) -> bool:
        """It ended at the run's money and at no limit of its own, so it has to be asked again."""
        ...


@dataclass(slots=True)
class Budget:
    """Money of a run: hard, however many questions are asked at once and wherever.

    Attributes:
        max_usd: For the whole run with what earlier sittings spent; None for no limit.
        seats: Questions under way at once; each is given an equal part of what is left.
        spent_usd: By finished questions, and at most by those that were lost with their worker.
        remedy: How to go on with more money.
    """

    max_usd: float | None
    seats: int
    spent_usd: float = 0.0
    remedy: str = "Raise --max-usd."

    @property
    def spent(self) -> bool:
        """True if nothing is left; what costs nothing can always go on."""
        return self.max_usd is not None and self.spent_usd > 0 and self.spent_usd >= self.max_usd

    def limits(self, own: Limits) -> Limits:
        """The limits of the next question: its own, with its part of the money that is left."""
        if self.max_usd is None:
            return own
        part = max(0.0, self.max_usd - self.spent_usd) / self.seats
        return replace(own, max_usd=part if own.max_usd is None else min(part, own.max_usd))

    async def ask[T: Charged](self, own: Limits, ask: Callable[[Limits], Awaitable[T]]) -> T:
        """Asks a question within what is left, and again if its worker is lost.

        Args:
            own: The question's own limits.
            ask: Asks it within the limits it is given.

        Raises:
            LimitError: The budget is spent.
            WorkerLostError: One worker after the other was lost with this question.
        """
        lost = 0
        while True:
            if self.spent:
                raise self._exhausted()
            limits = self.limits(own)
            try:
                asked = await ask(limits)
            except WorkerLostError:
                # Nobody knows what the lost worker has spent: all that it was allowed to counts.
                self.spent_usd += limits.max_usd or 0.0
                lost += 1
                if lost == ATTEMPTS:
                    raise
                continue
            if asked.cut_short:
                raise self._exhausted()
            self.spent_usd += asked.cost_usd
            return asked

    def _exhausted(self) -> LimitError:
        return LimitError(
            f"The run's budget of {self.max_usd or 0:.4f} USD is spent"
            f" ({self.spent_usd:.4f} USD by finished questions).",
            self.remedy,
        )


def stopped_at(ledger: Ledger, own: Limits) -> bool:
    """True if a question that ended at a limit ended at the run's money and at no limit of its own."""
    if ledger.limits.max_usd == own.max_usd:
        return False
    return ledger.tool_calls < own.max_tool_calls and ledger.left_s > 0
