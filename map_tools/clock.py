"""The clock as a dependency: code that needs "now" is given one, so that tests and replays can freeze it."""

from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> datetime:
        """The current time, zone-aware."""
        ...


class SystemClock:
    """The machine's clock, in UTC."""

    def now(self) -> datetime:
        """The current time in UTC."""
        return datetime.now(UTC)


class FrozenClock:
    """A clock that stands still, for replays and tests.

    Args:
        moment: The zone-aware moment it always tells.
    """

    def __init__(self, moment: datetime) -> None:
        self._moment = moment

    def now(self) -> datetime:
        """The moment it stands at."""
        return self._moment
