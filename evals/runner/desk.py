"""Opens what the methods of a run work with: the map, the model, the database."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from evals.ports import Desk, HasClose, HasItemMaps, Item, UsesDatabase
from evals.runner.evaluation import Evaluation
from map_tools.providers.base import Provider
from map_tools.spatial_db.port import SpatialDatabase
from mapagent.llm.chat import ChatModel
from mapagent.providers import open_provider
from mapagent.spread.seats import OFFLINE


@asynccontextmanager
async def opened_desk(evaluation: Evaluation, items: Sequence[Item]) -> AsyncIterator[Desk]:
    """The desk of an evaluation; it and the methods are closed at the end.

    Raises:
        MapAgentError: The map, the model or the database cannot be opened.
    """
    async with AsyncExitStack() as held:
        provider = _held(held, _open_provider(evaluation, items))
        model = _held(held, _open_model(evaluation))
        database = _open_database(evaluation, provider)
        if database is not None:
            held.callback(database.close)
        for method in evaluation.methods:
            _held(held, method)
        yield Desk(settings=evaluation.settings, provider=provider, model=model, database=database)


def _held[T](held: AsyncExitStack, thing: T) -> T:
    """The thing, which is closed at the end if it can be."""
    if isinstance(thing, HasClose):
        held.push_async_callback(thing.close)
    return thing


def provider_label(provider: Provider | None) -> str:
    """What the map is called in the run's record."""
    if provider is None:
        return ""
    return f"{provider.name}:{provider.map_name}" if provider.map_name else provider.name


def _open_provider(evaluation: Evaluation, items: Sequence[Item]) -> Provider | None:
    """The named provider, else the suite's, else the settings' where a question brings no facts."""
    if evaluation.provider_wanted:
        return open_provider(evaluation.settings)
    provider = evaluation.suite.provider(evaluation.data, evaluation.settings, evaluation.given.world)
    if provider is not None:
        return provider
    if isinstance(evaluation.suite, HasItemMaps):
        return None
    bare = any(item.task.question.context is None and item.task.question.image is None for item in items)
    return open_provider(evaluation.settings) if bare else None


def _open_database(evaluation: Evaluation, provider: Provider | None) -> SpatialDatabase | None:
    """The spatial database of the world or the map, where a method asks for it."""
    if not any(isinstance(method, UsesDatabase) and method.uses_database for method in evaluation.methods):
        return None
    from modules.spatial_database.sql_setting import open_database, source_of

    source: Path | None = evaluation.given.world
    if source is None and provider is not None:
        source = source_of(provider)
    return open_database(evaluation.settings, source) if source is not None else None


def _open_model(evaluation: Evaluation) -> ChatModel | None:
    """The language model of the settings; of a cascade, the one behind it."""
    # With the run's money: a model of unknown price is refused where money is limited.
    settings = evaluation.settings.model_copy(update={"max_usd": evaluation.max_usd})
    if settings.model == OFFLINE:
        return None
    from mapagent.llm.open import open_model

    return open_model(settings, settings.model.removeprefix("cascade:"))
