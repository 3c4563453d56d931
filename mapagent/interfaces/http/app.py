"""The application: routes, limits and guards put together, with the page, `GET /api/health` and `GET /api/metrics`."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends, FastAPI
from pydantic import BaseModel
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles

from mapagent import __version__
from mapagent.interfaces.conversations import Conversations
from mapagent.interfaces.http.admission import BodyLimit, Guard
from mapagent.interfaces.http.metrics import CONTENT_TYPE, RefusedCounter, WorkerMetrics, exposition
from mapagent.interfaces.http.options import ServeOptions
from mapagent.interfaces.http.replies import add_error_handlers
from mapagent.interfaces.http.routes import ask, history, maps
from mapagent.interfaces.http.schemas import MAX_BODY_BYTES
from mapagent.interfaces.http.service import Service, running, service_of
from mapagent.runtime.config import Settings

DESCRIPTION = "Questions about maps, answered with verified evidence."
COMPRESSED_FROM_BYTES = 1_000
PAGE_FOLDER = Path(__file__).parent / "page"
"""The web page: its files, and what was vendored for it."""

page = APIRouter(include_in_schema=False)
state = APIRouter(prefix="/api", tags=["state"])


@dataclass(frozen=True, slots=True)
class AppFactory:
    """Makes the application in each worker process."""

    settings: Settings
    options: ServeOptions
    kept: Conversations

    def __call__(self) -> FastAPI:
        """The application; its parts are opened when the server starts."""
        return create_app(self.settings, self.options, self.kept)


def create_app(settings: Settings, options: ServeOptions, kept: Conversations) -> FastAPI:
    """The application of `mapagent serve`, with the conversations of all its workers.

    Interactive documentation pages are off, since they load scripts from other hosts; the description itself
    is at /api/openapi.json.
    """
    metrics = WorkerMetrics()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with running(settings, options, metrics, kept) as service:
            app.state.service = service
            yield

    app = FastAPI(
        title="mapagent",
        version=__version__,
        description=DESCRIPTION,
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        middleware=[
            Middleware(RefusedCounter, refused=metrics.refused),
            Middleware(Guard, options=options),
            Middleware(BodyLimit, max_bytes=MAX_BODY_BYTES, patience_s=options.patience_s),
            Middleware(GZipMiddleware, minimum_size=COMPRESSED_FROM_BYTES),
        ],
    )
    add_error_handlers(app)
    for router in (ask.router, ask.conversations, history.router, maps.router, state):
        app.include_router(router)
    app.include_router(page)
    app.mount("/page", StaticFiles(directory=PAGE_FOLDER), name="page")  # nothing outside it can be reached
    return app


@page.get("/")
async def index() -> FileResponse:
    """The page."""
    return FileResponse(PAGE_FOLDER / "index.html", headers={"Cache-Control": "no-cache"})


class Health(BaseModel):
    """That the server lives."""

    status: str
    version: str
    maps: int


@state.get("/health")
async def health(service: Annotated[Service, Depends(service_of)]) -> Health:
    """Whether the server can answer: it reads its history and its list of maps."""
    await service.history.counters()
    return Health(status="ok", version=__version__, maps=len(service.tiles.names()))


@state.get("/metrics", response_class=Response, responses={200: {"content": {CONTENT_TYPE: {}}}})
async def metrics(service: Annotated[Service, Depends(service_of)]) -> Response:
    """Figures in Prometheus' text format."""
    rows = await service.history.counters() | service.metrics.rows(service.asking.slots.taken)
    return Response(exposition(rows), media_type=CONTENT_TYPE)
