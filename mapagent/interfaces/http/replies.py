"""Replies: JSON of what we made ourselves, errors, and the events of a run as it goes.

An error is always `{"error": {"code", "message", "remedy"}}`. Work stops when its caller goes away, whether it is
told in events or in one reply. The events of `POST /api/ask/stream` and `POST /api/query/stream`:

plan           {"steps": [{"id", "subgoal", "module", "depends_on"}]}
step_started   {"id"}
evidence       {"step", "items": [{"id", "kind", "tool", "provider", "fact", "derived_from"}], "features": []}
step_finished  {"id", "failed", "items": [...], "features": []}
answer         what `POST /api/ask` returns, and "features": GeoJSON of all there is to draw
error          {"code", "message", "remedy"}; of a program that cannot be run also {"line", "fault", "mend"}
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from map_tools.errors import LimitError, MapAgentError, ModelError, ProgramError, UsageError
from map_tools.validation import json_text
from mapagent.core.answer import Evidence, Plan, Step
from mapagent.core.ports import Watcher
from mapagent.core.rendering import clean
from mapagent.interfaces.cli.show import evidence_record, problem, step_record
from mapagent.interfaces.takeaway.features import evidence_features

STATUS: Mapping[type[MapAgentError], int] = {UsageError: 422, ModelError: 502, LimitError: 504}
"""HTTP status by kind of error (RFC 9110, section 15); everything else is the server's own failure, 500."""
REMEDIES = {
    400: 'Send an object such as {"question": "..."}.',
    404: "/api/openapi.json lists what there is.",
    405: "/api/openapi.json lists what there is.",
}
"""What helps where the framework itself turned a request away."""
CODES = {
    400: "bad_request",
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    408: "too_slow",
    413: "too_large",
    415: "not_json",
    429: "too_many",
    503: "busy",
}


def json_reply(value: Any, headers: dict[str, str] | None = None) -> Response:
    """A value as JSON; half a surrogate pair, which a hand-written world may hold, becomes "?"."""
    body = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str).encode(errors="replace")
    return Response(body, media_type="application/json", headers=headers)


class Refusal(HTTPException):
    """A request that is turned away before anything is done: too large, too many, not allowed."""

    def __init__(
        self, status: int, message: str, remedy: str = "", headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(status, message, headers)
        self.remedy = remedy


def problem_of(error: MapAgentError) -> dict[str, Any]:
    """The body for one of the project's own errors; of a program's with the line, the fault and the mend."""
    told = problem(error.code, error.message, error.remedy)
    if isinstance(error, ProgramError):
        told["error"] |= {"line": error.line, "fault": clean(error.problem), "mend": clean(error.remedy)}
    return told


def refused(refusal: HTTPException) -> JSONResponse:
    """The reply to a request that was turned away."""
    code = CODES.get(refusal.status_code, "error")
    remedy = refusal.remedy if isinstance(refusal, Refusal) else REMEDIES.get(refusal.status_code, "")
    body = problem(code, str(refusal.detail), remedy)
    return JSONResponse(body, refusal.status_code, headers=refusal.headers)


def add_error_handlers(app: FastAPI) -> None:
    """Makes every failure of a route the same kind of reply."""

    @app.exception_handler(MapAgentError)
    async def _own(_: Request, error: MapAgentError) -> JSONResponse:
        status = next((code for kind, code in STATUS.items() if isinstance(error, kind)), 500)
        return JSONResponse(problem_of(error), status)

    @app.exception_handler(HTTPException)
    async def _http(_: Request, error: HTTPException) -> JSONResponse:
        return refused(error)

    @app.exception_handler(RequestValidationError)
    async def _invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        message, remedy = _told(error.errors())
        return JSONResponse(problem("usage", message, remedy), 422)

    @app.exception_handler(Exception)
    async def _defect(_: Request, error: Exception) -> JSONResponse:
        message = f"The server failed: {type(error).__name__}."
        return JSONResponse(problem("error", message, "This is a defect; the server's log has more."), 500)


def _told(errors: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
    """The first thing that is wrong, in one sentence, and what helps."""
    first = errors[0]
    if first["type"] == "json_invalid":
        return "The body is not JSON.", 'Send an object such as {"question": "..."}.'
    name = ".".join(str(part) for part in first["loc"][1:]) or "The body"
    return f"'{name}' is wrong: {first['msg']}.", "/api/openapi.json describes what is expected."


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


def event(name: str, data: Any) -> bytes:
    """One server-sent event. JSON has no line breaks of its own, so one `data` line holds it."""
    return f"event: {name}\ndata: {json_text(data)}\n\n".encode(errors="replace")


class LiveEvents(Watcher):
    """Turns what happens into events.

    Args:
        emit: Takes an event.
        base_map: What the provider's terms let the evidence be drawn over.
    """

    def __init__(self, emit: Emit, base_map: str) -> None:
        self._emit = emit
        self._base_map = base_map

    def planned(self, plan: Plan) -> None:
        """Sends the plan."""
        self._emit(event("plan", {"steps": [step_record(step) for step in plan.steps]}))

    def started(self, step: Step) -> None:
        """Sends that a step begins."""
        self._emit(event("step_started", {"id": step.id}))

    def found(self, step: Step, evidence: tuple[Evidence, ...]) -> None:
        """Sends what a map tool found."""
        self._emit(event("evidence", {"step": step.id, **self._told(evidence)}))

    def finished(self, step: Step, evidence: tuple[Evidence, ...]) -> None:
        """Sends that a step is done, with all its evidence."""
        failed = any(item.value.kind == "failure" and item.source.tool == step.module for item in evidence)
        self._emit(event("step_finished", {"id": step.id, "failed": failed, **self._told(evidence)}))

    def _told(self, evidence: tuple[Evidence, ...]) -> dict[str, Any]:
        return {
            "items": [evidence_record(item) for item in evidence],
            "features": evidence_features(evidence, self._base_map),
        }
