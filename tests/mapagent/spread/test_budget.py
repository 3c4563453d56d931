"""The money of a run: shared by seats, hard at any number of them, and counted when a worker is lost."""

from dataclasses import dataclass

import pytest
from anyio import run

from map_tools.errors import LimitError, WorkerLostError
from mapagent.ledger import Ledger, Limits
from mapagent.spread.budget import ATTEMPTS, Budget, stopped_at


@dataclass(frozen=True)
class Asked:
    cost_usd: float = 0.0
    cut_short: bool = False


class Workers:
    """Lose the first so many questions, then answer for a price."""

    def __init__(self, lost: int = 0, price_usd: float = 0.1) -> None:
        self.lost = lost
        self.price_usd = price_usd
        self.given: list[Limits] = []

    async def ask(self, limits: Limits) -> Asked:
        self.given.append(limits)
        if len(self.given) <= self.lost:
            raise WorkerLostError("gone")
        return Asked(self.price_usd)


def ask(budget: Budget, workers: Workers, own: Limits | None = None) -> Asked:
    async def main() -> Asked:
        return await budget.ask(own or Limits(), workers.ask)

    return run(main)


def test_each_seat_is_given_an_equal_part_of_what_is_left() -> None:
    budget = Budget(max_usd=1.0, seats=4, spent_usd=0.2)
    assert budget.limits(Limits()).max_usd == pytest.approx(0.2)
    assert budget.limits(Limits(max_usd=0.05)).max_usd == 0.05
    assert Budget(None, 4).limits(Limits(max_usd=0.05)).max_usd == 0.05


def test_what_a_question_costs_is_spent() -> None:
    budget = Budget(1.0, 1)
    ask(budget, Workers(price_usd=0.4))
    assert budget.spent_usd == pytest.approx(0.4)


def test_nothing_is_asked_when_nothing_is_left() -> None:
    workers = Workers()
    with pytest.raises(LimitError, match=r"1\.0000 USD is spent \(1\.0000 USD by finished\b.*More!"):
        ask(Budget(1.0, 1, 1.0, "More!"), workers)
    assert workers.given == []


def test_what_a_lost_worker_may_have_spent_counts_as_spent() -> None:
    workers = Workers(lost=1, price_usd=0.1)
    budget = Budget(1.0, 2)
    ask(budget, workers)
    # The first attempt was given half of 1, the second half of what was left then.
    assert [limits.max_usd for limits in workers.given] == [0.5, 0.25]
    assert budget.spent_usd == pytest.approx(0.6)


def test_a_question_that_loses_every_worker_is_given_up() -> None:
    workers = Workers(lost=100)
    with pytest.raises(WorkerLostError):
        ask(Budget(None, 2), workers)
    assert len(workers.given) == ATTEMPTS


def test_a_question_cut_short_by_the_run_ends_the_run() -> None:
    async def cut(_: Limits) -> Asked:
        return Asked(0.3, cut_short=True)

    async def main() -> None:
        await Budget(1.0, 1).ask(Limits(), cut)

    with pytest.raises(LimitError):
        run(main)


@pytest.mark.parametrize(
    ("given", "calls", "stopped"),
    [
        (Limits(max_usd=0.1), 0, True),
        (Limits(), 0, False),
        (Limits(max_usd=0.1, max_tool_calls=2), 80, False),
    ],
)
def test_whether_it_was_the_money_of_the_run(given: Limits, calls: int, stopped: bool) -> None:
    assert stopped_at(Ledger(given, tool_calls=calls), Limits()) is stopped
