"""Everything the routes work with: one for each worker process."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import cast

from fastapi import Request

from map_tools.own_places import OwnPlaces
from mapagent.core.ports import Closable, Interpreter
from mapagent.interfaces.conversations import Conversations, Conversing
from mapagent.interfaces.http.admission import RateLimit, Slots
from mapagent.interfaces.http.asking import Asking, Offers, agents_of
from mapagent.interfaces.http.history import History
from mapagent.interfaces.http.metrics import WorkerMetrics
from mapagent.interfaces.http.options import ServeOptions
from mapagent.interfaces.http.schemas import LanguageRecord, OperatorRecord
from mapagent.interfaces.http.tiles.service import TileService
from mapagent.runtime.config import Settings
from mapagent.runtime.opening import map_home, open_interpreter
from mapagent.runtime.own_places import CurrentPlaces, no_places


@dataclass(frozen=True, slots=True)
class Service:
    """The parts of a running server."""

    options: ServeOptions
    offers: Offers
    asking: Asking
    rate: RateLimit
    history: History
    conversations: Conversing
    tiles: TileService
    metrics: WorkerMetrics
    interpreter: Interpreter

    def language(self, *, picture: bool, examples: int) -> LanguageRecord:
        """The query language as this server runs it."""
        told = self.interpreter.operators.values()
        return LanguageRecord(
            card=self.interpreter.describe(picture=picture, examples=examples),
            operators=[
                OperatorRecord(name=one.name, module=one.module, signature=one.signature, description=one.doc)
                for one in told
            ],
        )


@asynccontextmanager
async def running(
    settings: Settings, options: ServeOptions, metrics: WorkerMetrics, kept: Conversations
) -> AsyncIterator[Service]:
    """Opens all parts, and closes them at the end.

    The conversations are the caller's: they may be those of several workers.

    Raises:
        MapStoreError: The history cannot be opened.
        ConfigError: Two modules bring operators of one name, or a module's settings are wrong.
    """
    interpreter = open_interpreter(settings)
    offers = Offers(settings, options.models, options.providers)
    own: Callable[[], OwnPlaces] = CurrentPlaces(settings) if options.own_places else no_places
    history = History(options.state, options.history, private=options.own_places)
    agents = agents_of(settings, own)
    tiles = TileService(map_home(settings), metrics.tiles)
    conversing = Conversing(kept)
    asking = Asking(agents, offers, Slots(options.concurrency), history, conversing, own)
    try:
        rate = RateLimit(options.asks_per_minute)
        yield Service(options, offers, asking, rate, history, conversing, tiles, metrics, interpreter)
    finally:
        if isinstance(interpreter, Closable):
            await interpreter.close()
        await agents.close()
        await tiles.close()
        await history.close()


def service_of(request: Request) -> Service:
    """The service of the app that a request came to (a FastAPI dependency)."""
    return cast("Service", request.app.state.service)
