"""Questions at once: never more than there are seats, and never for more than the money of the run."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from anyio import run

from map_tools.errors import LimitError, WorkerLostError
from mapagent.runtime.config import Settings
from mapagent.runtime.distributed import ATTEMPTS, Budget, seats_of, stopped_at, work_through
from mapagent.runtime.ledger import Ledger, Limits


class Room:
    """Counts who is in, and how far the items have been read."""

    def __init__(self) -> None:
        self.read = 0
        self.inside = 0
        self.fullest = 0
        self.furthest_ahead = 0
        self.finished: list[int] = []

    def items(self, count: int) -> Iterator[int]:
        for number in range(count):
            self.read += 1
            yield number

    async def work(self, number: int) -> None:
        self.inside += 1
        self.fullest = max(self.fullest, self.inside)
        self.furthest_ahead = max(self.furthest_ahead, self.read - len(self.finished))
        await asyncio.sleep(0)
        self.inside -= 1
        self.finished.append(number)


def test_all_seats_are_taken_and_no_item_is_read_ahead() -> None:
    room = Room()
    run(work_through, room.items(20), 3, room.work)
    assert sorted(room.finished) == list(range(20))
    assert room.fullest == 3
    assert room.furthest_ahead <= 3


def test_the_first_error_ends_it() -> None:
    room = Room()

    async def work(number: int) -> None:
        await room.work(number)
        if number == 4:
            raise LookupError("four")

    with pytest.raises(LookupError, match="four"):
        run(work_through, room.items(20), 2, work)
    assert len(room.finished) < 10


def test_nothing_has_to_be_waited_for_offline() -> None:
    assert seats_of(Settings(model="offline"), None) == 1
    assert seats_of(Settings(model="some-model"), None) > 1
    assert seats_of(Settings(model="offline"), 7) == 7


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


class Spenders:
    """Spend nearly all they are allowed to; each takes as many turns of the loop as its question says."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.under_way = self.fullest = 0
        self.spent_usd = 0.0

    async def work(self, turns: int) -> None:
        await self.budget.ask(Limits(), lambda limits: self.spend(limits, turns))

    async def spend(self, limits: Limits, turns: int) -> Asked:
        assert limits.max_usd is not None
        self.under_way += 1
        self.fullest = max(self.fullest, self.under_way)
        for _ in range(turns):
            await asyncio.sleep(0)
        self.under_way -= 1
        self.spent_usd += (cost_usd := 0.99 * limits.max_usd)
        return Asked(cost_usd)


@pytest.mark.parametrize("turns", [(1,) * 40, (200, 200, 200, *(1,) * 60), tuple(range(1, 60))])
def test_quick_questions_do_not_spend_the_money_of_slow_ones(turns: tuple[int, ...]) -> None:
    spenders = Spenders(Budget(1.0, 4))
    run(work_through, turns, 4, spenders.work)
    assert spenders.fullest == 4
    assert spenders.spent_usd <= 1.0
    assert spenders.budget.spent_usd == pytest.approx(spenders.spent_usd)


def test_what_a_question_did_not_need_is_there_for_the_next() -> None:
    """A hundred of them cost a cent each, and one under way holds its part for a long time."""
    budget = Budget(2.0, 2)
    given: list[float | None] = []

    async def work(number: int) -> None:
        async def ask(limits: Limits) -> Asked:
            given.append(limits.max_usd)
            for _ in range(1 if number else 100):
                await asyncio.sleep(0)
            return Asked(0.01)

        await budget.ask(Limits(), ask)

    run(work_through, range(101), 2, work)
    assert budget.spent_usd == pytest.approx(1.01)
    assert min(part for part in given if part is not None) >= 0.5 * (2 - 1.01) / 2


def test_who_waits_for_money_hears_of_a_question_that_is_given_up() -> None:
    """The first holds half of it and dies in the end; the second spends the other half; the third waits."""
    budget = Budget(1.0, 2)
    begun: list[int] = []

    async def ask(number: int) -> Asked:
        async def spend(limits: Limits) -> Asked:
            begun.append(number)
            if number:
                return Asked(limits.max_usd or 0.0)
            for _ in range(5):
                await asyncio.sleep(0)
            raise WorkerLostError("gone")

        return await budget.ask(Limits(), spend)

    async def main() -> list[Asked | BaseException]:
        async with asyncio.timeout(5):
            return await asyncio.gather(*map(ask, range(3)), return_exceptions=True)

    first, second, third = run(main)
    assert begun == [0, 1]
    assert second == Asked(0.5)
    assert isinstance(first, LimitError)
    assert isinstance(third, LimitError)


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
