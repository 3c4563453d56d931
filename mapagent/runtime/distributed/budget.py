"""One budget for a whole run, handed out to the questions that are under way."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

from map_tools.errors import LimitError, WorkerLostError
from mapagent.runtime.ledger import Ledger, Limits

ATTEMPTS = 3
"""A question that takes its worker with it so often is not sent to another one."""
LEAST_PART = 0.5
"""Where less of an equal part is free, a question waits for others to give back what they did not need."""


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

    What a question may spend is held back while it is under way: no two are given the same money.

    Attributes:
        max_usd: For the whole run with what earlier sittings spent; None for no limit.
        seats: Questions under way at once; each is given an equal part of what is left.
        spent_usd: By questions that have ended, and at most by those that were lost with their worker.
        remedy: How to go on with more money.
    """

    max_usd: float | None
    seats: int
    spent_usd: float = 0.0
    remedy: str = "Raise --max-usd."
    _held_usd: float = field(default=0.0, init=False)
    _asking: int = field(default=0, init=False)
    _ended: asyncio.Event = field(default_factory=asyncio.Event, init=False)

    @property
    def spent(self) -> bool:
        """True if nothing is left; what costs nothing can always go on."""
        return self.max_usd is not None and self.spent_usd > 0 and self.spent_usd >= self.max_usd

    def limits(self, own: Limits) -> Limits:
        """The limits of the next question: its own, with its part of the money that nobody else is given."""
        if self.max_usd is None:
            return own
        part = self._free_usd(self.max_usd) / max(1, self.seats - self._asking)
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
            try:
                asked = await self._asked_once(own, ask)
            except WorkerLostError:
                lost += 1
                if lost == ATTEMPTS:
                    raise
                continue
            if asked.cut_short:
                raise self._exhausted()
            return asked

    async def _asked_once[T: Charged](self, own: Limits, ask: Callable[[Limits], Awaitable[T]]) -> T:
        """One attempt, with the money that is held back for it."""
        while not self._has_a_part():
            self._ended.clear()
            await self._ended.wait()
        if self.spent:
            raise self._exhausted()
        limits = self.limits(own)
        # Nobody knows what a lost worker has spent: all that it was allowed to counts.
        held_usd = spent_usd = limits.max_usd or 0.0
        self._held_usd += held_usd
        self._asking += 1
        try:
            asked = await ask(limits)
            spent_usd = asked.cost_usd
            return asked
        finally:
            self._held_usd -= held_usd
            self._asking -= 1
            self.spent_usd += spent_usd
            self._ended.set()

    def _has_a_part(self) -> bool:
        """True if enough is free for a question, or nobody is under way who could give something back."""
        if self.max_usd is None or not self._asking:
            return True
        return self._free_usd(self.max_usd) >= LEAST_PART * (self.max_usd - self.spent_usd) / self.seats

    def _free_usd(self, max_usd: float) -> float:
        return max(0.0, max_usd - self.spent_usd - self._held_usd)

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
