"""One budget for a whole run, handed out to the questions that are under way."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from evals.runner.records import Record
from mapagent.ledger import Ledger, Limits


@dataclass(slots=True)
class Budget:
    """Money of a run: hard, however many questions are asked at once.

    Attributes:
        max_usd: For the whole run with what earlier sittings spent; None for no limit.
        seats: Questions under way at once; each is given an equal part of what is left.
        spent_usd: By finished questions.
    """

    max_usd: float | None
    seats: int
    spent_usd: float = 0.0

    @classmethod
    def of(cls, max_usd: float | None, seats: int, done: Iterable[Record]) -> "Budget":
        """A budget of which earlier questions have spent their part."""
        return cls(max_usd, seats, sum(record.cost_usd for record in done))

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


def stopped_at(ledger: Ledger, own: Limits) -> bool:
    """True if a question that ended at a limit ended at the run's money and at no limit of its own."""
    if ledger.limits.max_usd == own.max_usd:
        return False
    return ledger.tool_calls < own.max_tool_calls and ledger.left_s > 0
