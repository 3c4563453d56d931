"""Runs queries of a blocking database library in a few threads, each with a session of its own.

A query that is cancelled, or past its deadline, is interrupted on its session, so no thread is lost. A session that
is broken is dropped, and a query that finds its session lost is run once more on a new one: queries only read.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock
from typing import Any, Protocol

from map_tools.errors import QueryError

_INTERRUPT_EVERY_S = 0.1
_INTERRUPTS = 10
"""After so many the session is abandoned."""


@dataclass(frozen=True, slots=True)
class Rows:
    """What a session fetched: names of columns and plain values."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


class SessionLostError(QueryError):
    """The session had ended before the query could run."""

    def __init__(self) -> None:
        super().__init__(
            "The connection to the database is lost.", "Ask again; if it stays, check the server."
        )


class Session(Protocol):
    """A connection that one thread at a time may use."""

    @property
    def is_broken(self) -> bool:
        """True if no further query can run on it."""
        ...

    def run(self, sql: str, max_rows: int, timeout_s: float) -> Rows:
        """Up to `max_rows` rows of a statement.

        Raises:
            SessionLostError: The statement did not run.
            QueryError: It failed.
        """
        ...

    def interrupt(self) -> None:
        """Stops the running statement; called from another thread."""
        ...

    def abandon(self) -> None:
        """Lets a statement go that does not stop, and the session with it; called from another thread."""
        ...

    def close(self) -> None:
        """Closes the connection."""
        ...


class SessionPool:
    """A bounded set of sessions, each made when it is first needed.

    Args:
        make: Opens one more session.
        size: How many queries run at the same time at most.
    """

    def __init__(self, make: Callable[[], Session], size: int) -> None:
        self._make = make
        self._threads = ThreadPoolExecutor(max_workers=size, thread_name_prefix="spatial-db")
        self._lock = Lock()
        self._idle: list[Session] = []
        self._all: list[Session] = []
        self._running: set[_Job] = set()

    async def run(self, sql: str, max_rows: int, timeout_s: float) -> Rows:
        """Runs a statement; waiting for a free session counts towards the time-out.

        Raises:
            QueryError: It took longer than `timeout_s`, or the session says so.
        """
        job = _Job(self, sql, max_rows, timeout_s)
        future = asyncio.get_running_loop().run_in_executor(self._threads, job.run)
        try:
            done, _ = await asyncio.wait({future}, timeout=timeout_s)
        except asyncio.CancelledError:
            await self._stop(job, future)
            raise
        if done:
            return await future
        if await self._stop(job, future):
            raise too_slow(timeout_s)
        return await future

    async def _stop(self, job: "_Job", future: "asyncio.Future[Rows]") -> bool:
        """Interrupts a job and waits for its end; False if it had just come to a good one."""
        ended: set[asyncio.Future[Rows]] = set()
        tries = 0
        while not ended:  # again and again: an interrupt just before the engine begins is lost
            await asyncio.to_thread(job.interrupt, abandon=tries >= _INTERRUPTS)
            ended, _ = await asyncio.wait({future}, timeout=_INTERRUPT_EVERY_S)
            tries += 1
        return future.cancelled() or future.exception() is not None

    def take(self) -> Session:
        """A session for one job."""
        with self._lock:
            if self._idle:
                return self._idle.pop()
        session = self._make()
        with self._lock:
            self._all.append(session)
        return session

    def put_back(self, session: Session) -> None:
        """Returns a session; one that is broken is closed."""
        with self._lock:
            if not session.is_broken:
                self._idle.append(session)
                return
            self._all.remove(session)
        session.close()

    def drop_idle(self) -> None:
        """Closes the sessions that nobody uses: where one was lost, the others may be."""
        with self._lock:
            dropped, self._idle = self._idle, []
            self._all = [session for session in self._all if session not in dropped]
        for session in dropped:
            session.close()

    def started(self, job: "_Job") -> None:
        """Remembers what runs, so that closing can stop it."""
        with self._lock:
            self._running.add(job)

    def ended(self, job: "_Job") -> None:
        """Forgets a job."""
        with self._lock:
            self._running.discard(job)

    def close(self) -> None:
        """Interrupts what runs and closes all sessions."""
        with self._lock:
            running: Sequence[_Job] = tuple(self._running)
        for job in running:
            job.interrupt()
        self._threads.shutdown(wait=True, cancel_futures=True)
        for session in self._all:
            session.close()
        self._all.clear()
        self._idle.clear()


class _Job:
    """One statement on its way through a thread."""

    def __init__(self, pool: SessionPool, sql: str, max_rows: int, timeout_s: float) -> None:
        self._pool = pool
        self._sql = sql
        self._max_rows = max_rows
        self._timeout_s = timeout_s
        self._lock = Lock()
        self._session: Session | None = None
        self._stopped = False

    def run(self) -> Rows:
        try:
            return self._run()
        except SessionLostError:
            self._pool.drop_idle()
            return self._run()

    def _run(self) -> Rows:
        session = self._pool.take()
        try:
            self._begin(session)
            return session.run(self._sql, self._max_rows, self._timeout_s)
        finally:
            self._end()
            self._pool.put_back(session)

    def interrupt(self, *, abandon: bool = False) -> None:
        with self._lock:
            self._stopped = True
            if self._session is not None and abandon:
                self._session.abandon()
            elif self._session is not None:
                self._session.interrupt()

    def _begin(self, session: Session) -> None:
        with self._lock:
            if self._stopped:
                raise too_slow(self._timeout_s)
            self._session = session
        self._pool.started(self)

    def _end(self) -> None:
        with self._lock:
            self._session = None
        self._pool.ended(self)


def too_slow(timeout_s: float) -> QueryError:
    """The error of a statement that was stopped."""
    return QueryError(
        f"The query was stopped after {timeout_s:g} s.",
        "Filter before joining or measuring: by a kind first, then ST_DWithin with a radius in metres.",
    )
