"""The application: routes, limits and guards put together."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from mapagent import __version__
from mapagent.interfaces.conversations import Conversations
from mapagent.interfaces.http.errors import add_error_handlers
from mapagent.interfaces.http.limits import BodyLimit
from mapagent.interfaces.http.metrics import RefusedCounter, WorkerMetrics
from mapagent.interfaces.http.options import ServeOptions
from mapagent.interfaces.http.routes import ask, conversations, history, maps, state
from mapagent.interfaces.http.routes.page import add_page
from mapagent.interfaces.http.schemas import MAX_BODY_BYTES
from mapagent.interfaces.http.security import Guard
from mapagent.interfaces.http.service import running
from mapagent.runtime.config import Settings

DESCRIPTION = "Questions about maps, answered with verified evidence."
COMPRESSED_FROM_BYTES = 1_000


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
    for router in (ask.router, conversations.router, history.router, maps.router, state.router):
        app.include_router(router)
    add_page(app)
    return app
