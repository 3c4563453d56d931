"""Counts requests and money for whoever is asking, and asks for leave before money is spent.

The asker is found by context (`contextvars`): tasks and threads started with `asyncio.to_thread` inherit it.
So a provider only says what a request costs, and the cost reaches the right question's account.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Cost:
    """What a request costs.

    Attributes:
        sku: The service's name for the price tier ("Places API Nearby Search Pro").
        usd_each: Price of one unit in US dollars.
        units: How many are billed (the elements of a matrix).
    """

    sku: str
    usd_each: float
    units: int = 1

    @property
    def usd(self) -> float:
        """The price of the whole request in US dollars."""
        return self.usd_each * self.units


class Purse(Protocol):
    """Where the money comes from."""

    def spend(self, cost_usd: float) -> None:
        """Takes the money for a request that is about to be sent.

        Raises:
            LimitError: The budget does not hold it; the request must not be sent.
        """
        ...

    def refund(self, cost_usd: float) -> None:
        """Gives it back: the service did not bill the request."""
        ...


@dataclass(slots=True)
class CallMeter:
    """What was asked of services while it was running.

    Attributes:
        purse: Pays; None: there is no limit.
        left_s: Tells how many seconds are left; None: there is no deadline.
        calls: Requests a service was asked, each counted once however often it was tried.
        cached: Requests answered from the cache.
        retries: Further attempts.
        cost_usd: Money spent.
        skus: Units billed by price tier.
    """

    purse: Purse | None = None
    left_s: Callable[[], float] | None = None
    calls: int = 0
    cached: int = 0
    retries: int = 0
    cost_usd: float = 0.0
    skus: Counter[str] = field(default_factory=Counter)

    def spend(self, cost: Cost | None) -> None:
        """Books a request that is about to be sent.

        Raises:
            LimitError: The budget does not hold it.
        """
        if cost is None:
            return
        if self.purse is not None:
            self.purse.spend(cost.usd)
        self.cost_usd += cost.usd
        self.skus[cost.sku] += cost.units

    def refund(self, cost: Cost | None) -> None:
        """Takes a booking back: the service answered with an error, which is not billed."""
        if cost is None:
            return
        if self.purse is not None:
            self.purse.refund(cost.usd)
        self.cost_usd -= cost.usd
        self.skus[cost.sku] -= cost.units
        if not self.skus[cost.sku]:
            del self.skus[cost.sku]

    def seconds_left(self) -> float:
        """Seconds until the deadline; infinite without one."""
        return float("inf") if self.left_s is None else self.left_s()


_METER: ContextVar[CallMeter | None] = ContextVar("map_tools.wire.meter", default=None)


@contextmanager
def metered(purse: Purse | None = None, *, left_s: Callable[[], float] | None = None) -> Iterator[CallMeter]:
    """Counts what the body asks of services; an inner `metered` hides an outer one.

    Args:
        purse: Pays for paid requests, and refuses when the budget is spent.
        left_s: Tells the seconds left before the asker's deadline: no retry waits beyond it.
    """
    meter = CallMeter(purse=purse, left_s=left_s)
    token = _METER.set(meter)
    try:
        yield meter
    finally:
        _METER.reset(token)


def current_meter() -> CallMeter:
    """The meter of whoever is asking; a fresh one if nobody counts."""
    return _METER.get() or CallMeter()
