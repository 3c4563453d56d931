"""`GET /api/history`, `GET /api/history/{id}`, `GET /api/answers/{id}.{format}` and `GET /api/traces/{id}`."""

import asyncio
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query
from starlette.responses import Response

from mapagent.interfaces.http.history import ID_BYTES, PAGE, History
from mapagent.interfaces.http.replies import Refusal, json_reply
from mapagent.interfaces.http.schemas import HistoryPage, failures
from mapagent.interfaces.http.service import Service, service_of
from mapagent.interfaces.takeaway.features import EMBEDDED_PROVIDER
from mapagent.interfaces.takeaway.findings import Findings
from mapagent.interfaces.takeaway.formats import Format, made

NDJSON = "application/x-ndjson"

router = APIRouter(prefix="/api", tags=["history"], responses=failures(401, 404, 422))
Opened = Annotated[Service, Depends(service_of)]
ASK_ID = f"^[0-9a-f]{{{2 * ID_BYTES}}}$"
AskId = Annotated[str, Path(pattern=ASK_ID, description="The `id` of an answer.")]


@router.get("/history")
async def history(
    service: Opened,
    before: Annotated[
        str | None, Query(pattern=ASK_ID, description="Only questions older than the one with this id.")
    ] = None,
    limit: Annotated[int, Query(ge=1, le=PAGE, description="How many at most.")] = PAGE,
) -> HistoryPage:
    """Questions that were asked, newest first."""
    items = await service.history.page(before, limit)
    return HistoryPage(items=list(items), before=items[-1].id if len(items) == limit else None)


@router.delete("/history", status_code=204)
async def forget(service: Opened) -> None:
    """Forgets all questions and traces."""
    await service.history.clear()


@router.get("/history/{ask_id}")
async def asked(ask_id: AskId, service: Opened) -> Response:
    """A question with its answer, and as GeoJSON features what there is to draw of it."""
    content = await service.history.content(ask_id)
    if content is None:
        raise await _missing(service.history, ask_id)
    return json_reply({"id": ask_id, **content})


@router.get(
    "/answers/{ask_id}.{form}",
    responses={200: {"content": {form.media_type.partition(";")[0]: {} for form in Format}}},
)
async def saved(
    ask_id: AskId,
    form: Annotated[Format, Path(description="The file format; ics is a trip's plan, png a picture.")],
    service: Opened,
) -> Response:
    """An answer as a file to take away, as `mapagent ask --geojson`, `--gpx`, `--ics` and `--picture` write them."""
    content = await service.history.content(ask_id)
    if content is None:
        raise await _missing(service.history, ask_id)
    question, record = content["question"], content["answer"]
    title = question["question"] or record["understood"]
    work = partial(made, form, Findings.of(title, record, content["features"]))
    drawn_over = record["map"] if form is Format.PNG and record["provider"] == EMBEDDED_PROVIDER else None
    if drawn_over is None:
        body = await asyncio.to_thread(work)
    else:
        body = await service.tiles.with_ground(drawn_over, work)
    return _file(body, form.media_type, f"mapagent-{ask_id}.{form}")


@router.get("/traces/{ask_id}", responses={200: {"content": {NDJSON: {}}}})
async def trace(ask_id: AskId, service: Opened) -> Response:
    """The trace of a question as JSON lines: one span each, as `mapagent ask --trace` writes them."""
    text = await service.history.trace(ask_id)
    if text is None:
        raise await _missing(service.history, ask_id)
    return _file(text.encode(errors="replace"), NDJSON, f"mapagent-{ask_id}.jsonl")


def _file(content: bytes, media_type: str, name: str) -> Response:
    """A file that browsers save under a name."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=media_type, headers=headers)


async def _missing(history: History, ask_id: str) -> Refusal:
    if await history.knows(ask_id):
        return Refusal(
            404,
            "The answer was not kept, because the terms of the map service forbid it.",
            "Ask again, or use a provider whose data may be kept.",
        )
    return Refusal(404, f"No question has the id '{ask_id}'.", "See /api/history for those there are.")
