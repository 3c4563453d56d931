"""How much is taken in: sizes of bodies and the time they take, questions of one client, questions at work."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from time import monotonic

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mapagent.interfaces.http.errors import Refusal, refused

MAX_CLIENTS = 10_000
"""Clients whose requests are counted; the one that was quiet for longest is forgotten first."""
WAITING_FOR_EACH = 8
"""Questions that may wait for each one at work: more would only wait until their callers have given up."""


class BodyLimit:
    """Refuses bodies over a size, whether they tell it in advance or not, and late ones (ASGI middleware).

    The framework's own limit answers in plain text, while every error of ours is the same JSON.
    """

    def __init__(self, app: ASGIApp, max_bytes: int, patience_s: float) -> None:
        self._app = app
        self._max_bytes = max_bytes
        self._patience_s = patience_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on, or answers 413 or 408."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        told = dict(scope["headers"]).get(b"content-length", b"")
        if told.isdigit() and int(told) > self._max_bytes:
            await refused(self._too_large())(scope, receive, send)
            return
        taken = 0
        end: float | None = asyncio.get_running_loop().time() + self._patience_s

        async def counted() -> Message:
            nonlocal taken, end
            try:
                async with asyncio.timeout_at(end):
                    message = await receive()
            except TimeoutError as error:
                raise self._too_slow() from error
            if not message.get("more_body", False):
                end = None  # what comes after the body is the end of the connection
            taken += len(message.get("body", b""))
            if taken > self._max_bytes:
                raise self._too_large()
            return message

        await self._app(scope, counted, send)

    def _too_slow(self) -> Refusal:
        told = f"The body did not arrive within {self._patience_s:g} s."
        return Refusal(408, told, "Send it faster, or less of it.")

    def _too_large(self) -> Refusal:
        megabytes = self._max_bytes // 1_000_000
        return Refusal(413, f"The body is larger than {megabytes} MB.", "Send a smaller picture or text.")


class RateLimit:
    """Questions of each client within a minute, as a token bucket (half a minute's worth at once).

    Args:
        per_minute: 0 for no limit.
        timer: A monotonic clock in seconds.
    """

    def __init__(self, per_minute: int, timer: Callable[[], float] = monotonic) -> None:
        self._per_s = per_minute / 60
        self._most = max(1.0, per_minute / 2)
        self._timer = timer
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def check(self, client: str) -> None:
        """Counts a request.

        Raises:
            Refusal: The client asks too often (429); `Retry-After` says when it may again.
        """
        if not self._per_s:
            return
        now = self._timer()
        left, at = self._buckets.pop(client, (self._most, now))
        left = min(self._most, left + (now - at) * self._per_s)
        self._buckets[client] = (max(left - 1, 0.0) if left >= 1 else left, now)
        while len(self._buckets) > MAX_CLIENTS:
            self._buckets.popitem(last=False)
        if left < 1:
            wait_s = int((1 - left) / self._per_s) + 1
            raise Refusal(
                429,
                "You ask more often than this server allows.",
                f"Wait {wait_s} s.",
                {"Retry-After": str(wait_s)},
            )


class Slots:
    """So many questions at work at once; others wait, and more than that are turned away."""

    def __init__(self, at_once: int) -> None:
        self._free = asyncio.Semaphore(at_once)
        self._most = at_once * (1 + WAITING_FOR_EACH)
        self.taken = 0
        """Questions at work or waiting."""

    @asynccontextmanager
    async def one(self) -> AsyncIterator[None]:
        """Holds a slot.

        Raises:
            Refusal: Too many wait already (503).
        """
        if self.taken >= self._most:
            raise Refusal(
                503, "The server has too much to do.", "Try again in a moment.", {"Retry-After": "1"}
            )
        self.taken += 1
        try:
            async with self._free:
                yield
        finally:
            self.taken -= 1
