"""Requests that never come to their end: a connection that keeps one half-sent is closed."""

import asyncio
from typing import Any

import h11
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from mapagent.faces.http.errors import Refusal, refused


class Impatient(H11Protocol):
    """A connection that is closed if the head of a request does not arrive in time.

    uvicorn's time-out between requests (`timeout_keep_alive`) holds here for each head as well: only the protocol sees
    one before its end.
    """

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Counts from here to the end of the first head."""
        super().connection_made(transport)
        self._await_head()

    def data_received(self, data: bytes) -> None:
        """Counts from the first byte of a further head."""
        super().data_received(data)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Counts no more."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _await_head(self) -> None:
        if self.conn.their_state is not h11.IDLE:
            self._stop_waiting()
        elif self._waiting is None:
            self._waiting = self.loop.call_later(self.timeout_keep_alive, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None


class BodyPatience:
    """Answers 408 to a request whose body has not come to its end in time (ASGI middleware)."""

    def __init__(self, app: ASGIApp, patience_s: float) -> None:
        self._app = app
        self._patience_s = patience_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        loop = asyncio.get_running_loop()
        end = loop.time() + self._patience_s
        is_whole = False

        async def in_time() -> Message:
            nonlocal is_whole
            if is_whole:  # what comes after the body is the end of the connection
                return await receive()
            try:
                async with asyncio.timeout_at(end):
                    message = await receive()
            except TimeoutError as error:
                raise _late(self._patience_s) from error
            is_whole = not message.get("more_body", False)
            return message

        try:
            await self._app(scope, in_time, send)
        except Refusal as refusal:
            await refused(refusal)(scope, receive, send)


def _late(patience_s: float) -> Refusal:
    return Refusal(408, f"The body did not arrive within {patience_s:g} s.", "Send it faster, or less of it.")
