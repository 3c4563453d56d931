"""`POST /api/ask`, `POST /api/query` and their streams, `GET /api/language`, `DELETE /api/conversations/{id}`."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request
from starlette.responses import Response

from map_tools.errors import MapAgentError, UnknownConversationError
from mapagent.interfaces.cli.show import problem
from mapagent.interfaces.conversations import ID
from mapagent.interfaces.http.replies import (
    CallerGoneError,
    Emit,
    EventStream,
    Refusal,
    event,
    json_reply,
    problem_of,
    while_connected,
)
from mapagent.interfaces.http.schemas import AnswerRecord, AskBody, LanguageRecord, QueryBody, failures
from mapagent.interfaces.http.service import Service, service_of

CLIENT_CLOSED = 499
"""What nginx logs for a caller that went away; nobody receives it."""

EVENTS: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/event-stream": {}}, "description": "Events of the run."}
}
MOST_EXAMPLES = 50


def admitted(request: Request, service: Annotated[Service, Depends(service_of)]) -> Service:
    """The service, for a caller that sends JSON and does not ask too often.

    A form or plain text is refused, for any web page may send those to this machine without being asked
    (https://developer.mozilla.org/en-US/docs/Web/HTTP/Guides/CORS#simple_requests).
    """
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Refusal(415, "The body is not JSON.", "Send it with 'Content-Type: application/json'.")
    service.rate.check(request.client.host if request.client else "")
    return service


router = APIRouter(
    prefix="/api", tags=["ask"], responses=failures(401, 403, 413, 415, 422, 429, 502, 503, 504)
)
conversations = APIRouter(prefix="/api", tags=["conversations"], responses=failures(401, 404, 422))
Admitted = Annotated[Service, Depends(admitted)]
Opened = Annotated[Service, Depends(service_of)]


@router.post("/ask", response_model=AnswerRecord)
async def ask(body: AskBody, request: Request, service: Admitted) -> Response:
    """Answers a question: the object that `mapagent ask --json` prints, and the id of its trace."""
    return await _replied(body, request, service)


@router.post("/ask/stream", responses=EVENTS)
async def ask_stream(body: AskBody, service: Admitted) -> EventStream:
    """Answers a question and tells how it goes: plan, step_started, evidence, step_finished, answer or error.

    The work stops when the caller closes the connection.
    """
    return await _streamed(body, service)


@router.post("/query", response_model=AnswerRecord)
async def query(body: QueryBody, request: Request, service: Admitted) -> Response:
    """Runs a program of the query language; the reply is that of `/api/ask`.

    A program that cannot be run is a 422 whose error has the code "program", its `line`, the `fault` and the
    `mend`.
    """
    return await _replied(body, request, service)


@router.post("/query/stream", responses=EVENTS)
async def query_stream(body: QueryBody, service: Admitted) -> EventStream:
    """Runs a program and tells how it goes, as `/api/ask/stream` does."""
    return await _streamed(body, service)


@router.get("/language")
async def language(
    service: Opened,
    *,
    picture: Annotated[bool, Query(description="Also tell the operators that look at a picture.")] = False,
    examples: Annotated[int, Query(ge=0, le=MOST_EXAMPLES, description="How many worked examples.")] = 0,
) -> LanguageRecord:
    """The query language: the operator card, and every operator with its module."""
    return service.language(picture=picture, examples=examples)


@conversations.delete("/conversations/{conversation}", status_code=204)
async def forget(
    conversation: Annotated[str, Path(pattern=ID, description="The `conversation` of an answer.")],
    service: Opened,
) -> None:
    """Deletes a conversation for good. The history has its questions still, one by one."""
    try:
        await service.conversations.forget(conversation)
    except UnknownConversationError as error:
        raise Refusal(404, error.message) from error


async def _replied(body: AskBody | QueryBody, request: Request, service: Service) -> Response:
    order = await service.asking.accept(body)
    try:
        reply = await while_connected(request.receive, service.asking.ask(order))
    except CallerGoneError:
        return Response(status_code=CLIENT_CLOSED)
    return json_reply({name: value for name, value in reply.items() if name != "features"})


async def _streamed(body: AskBody | QueryBody, service: Service) -> EventStream:
    order = await service.asking.accept(body)

    async def work(emit: Emit) -> None:
        try:
            emit(event("answer", await service.asking.ask(order, emit)))
        except MapAgentError as error:
            emit(event("error", problem_of(error)["error"]))
        except Refusal as refusal:
            emit(event("error", problem("busy", str(refusal.detail), refusal.remedy)["error"]))

    return EventStream(work)
