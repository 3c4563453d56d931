"""What a service demands of those who ask it: rate, patience, and what may be kept for how long.

Rates are kept within a process by asyncio-throttle, across processes by a locked file with a timestamp.
"""

import asyncio
import fcntl
import os
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol, Self

from map_tools.errors import ConfigError
from map_tools.files import FILE_MODE, private_folder
from map_tools.wire.request import WireReply

CLOCK_SLACK = timedelta(minutes=5)
"""By so much a clock may be set back without anybody noticing."""


class DataKind(StrEnum):
    """What a reply holds: terms of service allow keeping some kinds longer than others."""

    IDS = "ids"
    """Nothing but identifiers."""
    COORDINATES = "coordinates"
    """Identifiers and positions."""
    PAYLOAD = "payload"
    """Anything more: names, addresses, hours, reviews, routes."""


@dataclass(frozen=True, slots=True)
class Retention:
    """For how many days replies may be kept, by the kind of data; None: for ever, 0: not at all.

    `fresh_days`: a reply older than this is asked for again, however long it may be kept; None: never.

    Nothing may be kept unless a provider says so. An example: Google's terms let place ids be kept for ever
    and coordinates for 30 days, and nothing else: `Retention(ids_days=None, coordinates_days=30)`
    (https://cloud.google.com/maps-platform/terms/maps-service-terms).
    """

    ids_days: float | None = 0
    coordinates_days: float | None = 0
    payload_days: float | None = 0
    fresh_days: float | None = None

    @classmethod
    def for_ever(cls) -> Self:
        """Everything may be kept (open data)."""
        return cls(ids_days=None, coordinates_days=None, payload_days=None)

    def with_payloads(self, days: float | None) -> Self:
        """The same, after the user chose to keep whole replies for so many days (None: for ever)."""
        return replace(self, payload_days=days)

    def days(self, kind: DataKind) -> float | None:
        """For how many days this kind may be kept."""
        return {
            DataKind.IDS: self.ids_days,
            DataKind.COORDINATES: self.coordinates_days,
            DataKind.PAYLOAD: self.payload_days,
        }[kind]

    def allows(self, kind: DataKind, age: timedelta = timedelta(0)) -> bool:
        """Whether a reply of this kind and age may still be used.

        A reply of the future came before the clock was set back: its age is not known, so it is too old.
        """
        days = self.days(kind)
        if self.fresh_days is not None:
            days = self.fresh_days if days is None else min(days, self.fresh_days)
        return days is None or (days > 0 and -CLOCK_SLACK <= age <= timedelta(days=days))


class Verdict(StrEnum):
    """What the wire does with a reply."""

    GOOD = "good"
    """It is paid for, kept as far as the terms allow, and handed over."""
    RETRY = "retry"
    """The service is busy: asked again, and handed over if that does not help."""
    FINAL = "final"
    """Asking again would not help: handed over, not kept, not paid for."""


type Judge = Callable[[WireReply], Verdict]

BUSY_STATUSES = frozenset({408, 429, 500, 502, 503, 504})
"""Statuses that say "later" (RFC 9110, section 15; RFC 6585, section 4)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WirePolicy:
    """How a service is asked. Say in the provider's module where each number comes from.

    Attributes:
        name: The provider's name: part of every cache key, and of the name of the throttle's file.
        title: The service as error sentences call it ("Places API (New)"); default: the name.
        requests_per_s: Most requests a second; None for no limit.
        across_processes: The rate holds for all processes of this user together (needs the wire's folder).
        concurrency: Requests under way at once.
        timeout_s: Time for one attempt, from the connection to the last byte.
        attempts: Most attempts for one request.
        first_wait_s: Wait before the second attempt; doubled each time after it.
        rest_s: After a reply of status 429 nobody asks for so long, or as long as Retry-After says if that
            is longer (but never longer than `longest_wait_s`); 0: only whoever got that reply waits.
        longest_wait_s: A longer wait is not waited, even if the service asks for it (Retry-After).
        retry_statuses: HTTP statuses after which it is asked again.
        judge: Looks at replies with a 2xx status, for services that report errors inside them; default: good.
        json_replies: Replies with a 2xx status that are not JSON are broken: asked again, then an error.
        max_body_bytes: Longer replies are refused.
        keep: What may be kept for how long.
        user_agent: How we present ourselves; some services refuse those who do not.
    """

    name: str
    title: str = ""
    requests_per_s: float | None = None
    across_processes: bool = False
    concurrency: int = 8
    timeout_s: float = 10.0
    attempts: int = 3
    first_wait_s: float = 0.5
    rest_s: float = 0.0
    longest_wait_s: float = 30.0
    retry_statuses: frozenset[int] = BUSY_STATUSES
    judge: Judge | None = None
    json_replies: bool = True
    max_body_bytes: int = 32 * 1024 * 1024
    keep: Retention = Retention()
    user_agent: str = "mapagent"

    def __post_init__(self) -> None:
        for setting in ("concurrency", "timeout_s", "attempts", "max_body_bytes"):
            if getattr(self, setting) <= 0:
                raise ConfigError(f"The policy '{self.name}' has a {setting} that is not above 0.")
        if self.requests_per_s is not None and self.requests_per_s <= 0:
            raise ConfigError(
                f"The policy '{self.name}' allows no request at all.", "requests_per_s must be above 0."
            )

    @property
    def shown_name(self) -> str:
        """The service as error sentences call it."""
        return self.title or self.name

    def shared(self, processes: int, machines: int) -> Self:
        """The same for one of several processes that work side by side, here and on other machines.

        A rate that holds across processes is kept by a file, which only those of one machine see.

        Args:
            processes: How many there are on all machines.
            machines: On how many machines they are.
        """
        if self.requests_per_s is None:
            return self
        parts = machines if self.across_processes else processes
        return replace(self, requests_per_s=self.requests_per_s / parts)

    def verdict(self, reply: WireReply) -> Verdict:
        """What to do with a reply."""
        if reply.status in self.retry_statuses:
            return Verdict.RETRY
        if not reply.ok:
            return Verdict.FINAL
        return self.judge(reply) if self.judge else Verdict.GOOD


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
