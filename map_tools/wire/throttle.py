"""Request rates: within a process by asyncio-throttle, across processes by a locked file with a timestamp."""

import asyncio
import fcntl
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

_LONGEST_POLL_S = 0.05
_SHORTEST_POLL_S = 0.001


class Throttle(Protocol):
    """Lets requests pass at a rate."""

    async def acquire(self) -> None:
        """Waits for this request's turn; a cancelled wait takes nobody's turn."""
        ...


class FreeThrottle:
    """No limit."""

    async def acquire(self) -> None:
        """Passes at once."""


class ProcessThrottle:
    """At most so many requests a second from this process.

    Args:
        requests_per_s: The rate; below one a second counts over a longer period.
    """

    def __init__(self, requests_per_s: float) -> None:
        from asyncio_throttle.throttler import Throttler

        whole = max(1, int(requests_per_s))
        period_s = whole / requests_per_s
        poll_s = min(_LONGEST_POLL_S, max(_SHORTEST_POLL_S, period_s / whole / 10))
        self._throttler: Any = Throttler(rate_limit=whole, period=period_s, retry_interval=poll_s)

    async def acquire(self) -> None:
        """Waits until fewer than the allowed number have passed in the period that ends now."""
        await self._throttler.acquire()


class SharedThrottle:
    """At most so many requests a second from all processes that share the file, evenly spaced.

    Whoever holds the lock waits until the gap since the last request is over, writes the time and lets go. A
    process that is killed loses the lock with its life, and a cancelled wait leaves the file as it was.

    Args:
        path: The file; made when needed.
        requests_per_s: The rate.
    """

    def __init__(self, path: Path, requests_per_s: float) -> None:
        self._path = path
        self._gap_s = 1 / requests_per_s
        self._poll_s = min(_LONGEST_POLL_S, max(_SHORTEST_POLL_S, self._gap_s / 10))

    async def acquire(self) -> None:
        """Waits for this request's turn among all processes."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            async with self._locked(descriptor):
                await asyncio.sleep(self._wait_s(descriptor))
                os.pwrite(descriptor, f"{time.time():020.6f}\n".encode(), 0)
        finally:
            os.close(descriptor)

    @asynccontextmanager
    async def _locked(self, descriptor: int) -> AsyncIterator[None]:
        while True:
            with suppress(BlockingIOError):
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            await asyncio.sleep(self._poll_s)
        try:
            yield
        finally:
            fcntl.flock(descriptor, fcntl.LOCK_UN)

    def _wait_s(self, descriptor: int) -> float:
        """Seconds until the gap is over; a time in the future (the clock was set back) counts as now."""
        try:
            last = float(os.pread(descriptor, 64, 0) or b"0")
        except ValueError:
            last = time.time()
        return max(0.0, min(self._gap_s, last + self._gap_s - time.time()))
