"""A caller that goes away: its work is stopped."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

QUIET_S = 15.0
"""After so long without an event a comment is sent, so that no proxy takes the connection for dead
(https://html.spec.whatwg.org/multipage/server-sent-events.html#authoring-notes)."""


class CallerGoneError(Exception):
    """The caller closed the connection; nobody waits for the reply."""


async def while_connected[T](receive: Receive, work: Coroutine[Any, Any, T]) -> T:
    """Runs the work, and cancels it when the caller goes away. The request's body must have been read.

    Raises:
        CallerGoneError: The caller went away first.
    """
    task = asyncio.create_task(work)
    leaving = asyncio.create_task(_gone(receive))
    try:
        await asyncio.wait((task, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise CallerGoneError
        return task.result()
    finally:
        for each in (task, leaving):
            each.cancel()
        await asyncio.gather(task, leaving, return_exceptions=True)


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


type Emit = Callable[[bytes], None]
"""Sends an event, without waiting."""


class EventStream(Response):
    """Server-sent events of some work, which ends with it, and ends it when the caller goes away.

    Args:
        work: Is given what sends an event.
    """

    media_type = "text/event-stream"

    def __init__(self, work: Callable[[Emit], Awaitable[None]]) -> None:
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._work = work

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        """Sends the stream (ASGI)."""
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        try:
            await while_connected(receive, self._pump(send))
        except CallerGoneError:
            return
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _pump(self, send: Send) -> None:
        events: asyncio.Queue[bytes | None] = asyncio.Queue()

        async def working() -> None:
            try:
                await self._work(events.put_nowait)
            finally:
                events.put_nowait(None)

        async with asyncio.TaskGroup() as group:
            group.create_task(working())
            while (event := await _next(events)) is not None:
                await send({"type": "http.response.body", "body": event, "more_body": True})


async def _next(events: "asyncio.Queue[bytes | None]") -> bytes | None:
    try:
        async with asyncio.timeout(QUIET_S):
            return await events.get()
    except TimeoutError:
        return b": still at work\n\n"
