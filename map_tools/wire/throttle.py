"""Request rates: within a process by asyncio-throttle, across processes by a locked file with a timestamp."""

import asyncio
import fcntl
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

from map_tools.files import FILE_MODE, private_folder

_LONGEST_POLL_S = 0.05
_SHORTEST_POLL_S = 0.001


class Throttle(Protocol):
    """Lets requests pass at a rate."""

    async def acquire(self) -> None:
        """Waits for this request's turn; a cancelled wait takes nobody's turn."""
        ...

    async def rest(self, seconds: float) -> None:
        """From now on, no request gets its turn for so many seconds."""
        ...


class FreeThrottle:
    """No limit, but for rests."""

    def __init__(self) -> None:
        self._free_at_s = 0.0

    async def acquire(self) -> None:
        """Passes at once unless there is a rest."""
        wait_s = self._free_at_s - time.monotonic()
        if wait_s > 0:
            await asyncio.sleep(wait_s)

    async def rest(self, seconds: float) -> None:
        """A rest in this process; a longer one that has begun goes on."""
        self._free_at_s = max(self._free_at_s, time.monotonic() + seconds)


class ProcessThrottle(FreeThrottle):
    """At most so many requests a second from this process.

    Args:
        requests_per_s: The rate; below one a second counts over a longer period.
    """

    def __init__(self, requests_per_s: float) -> None:
        super().__init__()
        from asyncio_throttle.throttler import Throttler

        whole = max(1, int(requests_per_s))
        period_s = whole / requests_per_s
        poll_s = min(_LONGEST_POLL_S, max(_SHORTEST_POLL_S, period_s / whole / 10))
        self._throttler: Any = Throttler(rate_limit=whole, period=period_s, retry_interval=poll_s)

    async def acquire(self) -> None:
        """Waits until fewer than the allowed number have passed in the period that ends now."""
        await super().acquire()
        await self._throttler.acquire()


class SharedThrottle:
    """At most so many requests a second from all processes that share the file, evenly spaced.

    Whoever holds the lock waits until the gap since the last request is over, writes the time and lets go. A
    process that is killed loses the lock with its life, and a cancelled wait leaves the file as it was.

    Args:
        path: The file; made when needed.
        requests_per_s: The rate.
        longest_rest_s: No rest is longer; a time in the file that is further off comes of a clock set back.
    """

    def __init__(self, path: Path, requests_per_s: float, longest_rest_s: float = 0.0) -> None:
        self._path = path
        self._longest_rest_s = longest_rest_s
        self._gap_s = 1 / requests_per_s
        self._poll_s = min(_LONGEST_POLL_S, max(_SHORTEST_POLL_S, self._gap_s / 10))

    async def acquire(self) -> None:
        """Waits for this request's turn among all processes."""
        async with self._locked() as descriptor:
            await asyncio.sleep(self._wait_s(descriptor))
            _write(descriptor, time.time())

    async def rest(self, seconds: float) -> None:
        """A rest of all processes: the last request counts as one that is still to come."""
        async with self._locked() as descriptor:
            wait_s = max(self._wait_s(descriptor), min(seconds, self._longest_rest_s))
            _write(descriptor, time.time() + wait_s - self._gap_s)

    @asynccontextmanager
    async def _locked(self) -> AsyncIterator[int]:
        """The file's descriptor, locked."""
        private_folder(self._path.parent)
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
        try:
            while True:
                with suppress(BlockingIOError):
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                await asyncio.sleep(self._poll_s)
            yield descriptor
        finally:
            os.close(descriptor)  # which lets the lock go

    def _wait_s(self, descriptor: int) -> float:
        """Seconds until the gap or the rest is over; a time that is further off counts as now."""
        now = time.time()
        try:
            last = float(os.pread(descriptor, 64, 0) or b"0")
        except ValueError:
            last = now
        if last > now + self._longest_rest_s:
            last = now
        return max(0.0, last + self._gap_s - now)


def _write(descriptor: int, moment: float) -> None:
    os.pwrite(descriptor, f"{moment:020.6f}\n".encode(), 0)
