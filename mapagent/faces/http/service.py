"""Everything the routes work with: one for each worker process."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import cast

from fastapi import Request

from mapagent.config import Settings
from mapagent.faces.http.agents import Offers, agents_of
from mapagent.faces.http.asking import Asking
from mapagent.faces.http.history import History
from mapagent.faces.http.limits import RateLimit, Slots
from mapagent.faces.http.metrics import WorkerMetrics
from mapagent.faces.http.options import ServeOptions
from mapagent.faces.http.tiles.service import TileService
from mapagent.providers import map_home


@dataclass(frozen=True, slots=True)
class Service:
    """The parts of a running server."""

    options: ServeOptions
    offers: Offers
    asking: Asking
    rate: RateLimit
    history: History
    tiles: TileService
    metrics: WorkerMetrics


@asynccontextmanager
async def running(
    settings: Settings, options: ServeOptions, metrics: WorkerMetrics
) -> AsyncIterator[Service]:
    """Opens all parts, and closes them at the end.

    Raises:
        MapStoreError: The history cannot be opened.
    """
    offers = Offers(settings, options.models, options.providers)
    history = History(options.state, options.history)
    agents = agents_of(settings)
    tiles = TileService(map_home(settings), metrics.tiles)
    asking = Asking(agents, offers, Slots(options.concurrency), history)
    try:
        yield Service(options, offers, asking, RateLimit(options.asks_per_minute), history, tiles, metrics)
    finally:
        await agents.close()
        await tiles.close()
        await history.close()


def service_of(request: Request) -> Service:
    """The service of the app that a request came to (a FastAPI dependency)."""
    return cast("Service", request.app.state.service)
