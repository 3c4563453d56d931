"""`GET /api/health` and `GET /api/metrics`."""

from typing import Annotated

from fastapi import APIRouter, Depends
from pydantic import BaseModel
from starlette.responses import Response

from mapagent import __version__
from mapagent.interfaces.http.metrics import CONTENT_TYPE, exposition
from mapagent.interfaces.http.service import Service, service_of

router = APIRouter(prefix="/api", tags=["state"])
Opened = Annotated[Service, Depends(service_of)]


class Health(BaseModel):
    """That the server lives."""

    status: str
    version: str
    maps: int


@router.get("/health")
async def health(service: Opened) -> Health:
    """Whether the server can answer: it reads its history and its list of maps."""
    await service.history.counters()
    return Health(status="ok", version=__version__, maps=len(service.tiles.names()))


@router.get("/metrics", response_class=Response, responses={200: {"content": {CONTENT_TYPE: {}}}})
async def metrics(service: Opened) -> Response:
    """Figures in Prometheus' text format."""
    rows = await service.history.counters() | service.metrics.rows(service.asking.slots.taken)
    return Response(exposition(rows), media_type=CONTENT_TYPE)
