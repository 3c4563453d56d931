"""Money is asked for before it is spent, and reaches the account of whoever asked."""

import asyncio
from dataclasses import dataclass, field

import pytest

from map_tools.errors import LimitError
from map_tools.wire.meter import Cost, current_meter, metered

MATRIX = Cost("Matrix Essentials", 0.005, units=6)


@dataclass
class Budget:
    """A purse that writes down what it is asked for."""

    left_usd: float
    taken: list[float] = field(default_factory=list)

    def spend(self, cost_usd: float) -> None:
        if cost_usd > self.left_usd:
            raise LimitError("The budget is spent.")
        self.left_usd -= cost_usd
        self.taken.append(cost_usd)

    def refund(self, cost_usd: float) -> None:
        self.left_usd += cost_usd
        self.taken.append(-cost_usd)


def test_units_are_billed_each() -> None:
    with metered(Budget(1.0)) as meter:
        current_meter().spend(MATRIX)
        current_meter().spend(Cost("Details Pro", 0.017))
        current_meter().spend(None)
    assert meter.cost_usd == pytest.approx(0.047)
    assert meter.skus == {"Matrix Essentials": 6, "Details Pro": 1}


def test_a_refund_leaves_nothing() -> None:
    budget = Budget(1.0)
    with metered(budget) as meter:
        meter.spend(MATRIX)
        meter.refund(MATRIX)
        meter.refund(None)
    assert (meter.cost_usd, dict(meter.skus), budget.left_usd) == (0.0, {}, 1.0)


def test_a_budget_that_does_not_hold_it_refuses_before_anything_is_booked() -> None:
    with metered(Budget(0.02)) as meter, pytest.raises(LimitError):
        meter.spend(MATRIX)
    assert meter.cost_usd == 0.0
    assert not meter.skus


def test_tasks_and_threads_book_on_the_meter_they_were_started_under() -> None:
    async def booked(usd: float) -> float:
        with metered() as meter:
            async with asyncio.TaskGroup() as group:
                group.create_task(asyncio.to_thread(lambda: current_meter().spend(Cost("a", usd))))
                group.create_task(asyncio.to_thread(lambda: current_meter().spend(Cost("b", usd))))
        return meter.cost_usd

    async def both() -> list[float]:
        return await asyncio.gather(booked(1.0), booked(10.0))

    assert asyncio.run(both()) == [2.0, 20.0]


def test_nobody_counts_outside() -> None:
    with metered() as meter:
        pass
    current_meter().spend(MATRIX)
    assert meter.cost_usd == 0.0
    assert meter.seconds_left() == float("inf")
