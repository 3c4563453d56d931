"""Replies: JSON of what we made ourselves, and errors, which are always `{"error": {"code", "message", "remedy"}}`."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from map_tools.errors import LimitError, MapAgentError, ModelError, ProgramError, UsageError
from mapagent.core.rendering import clean
from mapagent.interfaces.cli.show import problem

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
