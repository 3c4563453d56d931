"""The agents behind the server: one for each choice of model, provider and map."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from map_tools.errors import ConfigError, UnknownNameError
from map_tools.own_places import NO_OWN_PLACES, OwnPlaces
from map_tools.providers.base import Provider, Terms
from mapagent.core.agent import MapAgent
from mapagent.interfaces.http.pool import Pool
from mapagent.interfaces.takeaway.ways import EMBEDDED_PROVIDER
from mapagent.runtime.config import Settings
from mapagent.runtime.providers import map_home, open_provider

MOST_OPEN = 6
"""Agents held open while nobody uses them; an open map costs memory and file handles."""
EMBEDDED_MODEL = "offline"


@dataclass(frozen=True, slots=True)
class Choice:
    """What a question is answered with.

    `build` is the folder of the map's present build, so that a map that was built anew is opened anew.
    `provider` is None where only supplied text is to be read.
    """

    model: str
    provider: str | None
    map: str | None = None
    build: Path | None = None


class Offers:
    """What callers may choose: a model or provider is not opened, or paid for, because somebody named it.

    Args:
        settings: Those of the server; their model and provider are the defaults.
        models: Further models.
        providers: Further providers.
    """

    def __init__(self, settings: Settings, models: tuple[str, ...], providers: tuple[str, ...]) -> None:
        self._settings = settings
        self._home = map_home(settings)
        self.models = tuple(dict.fromkeys((settings.model, EMBEDDED_MODEL, *models)))
        named = (settings.provider, EMBEDDED_PROVIDER, *providers)
        self._providers = {each.partition(":")[0]: each for each in reversed(named)}
        self.providers = tuple(dict.fromkeys(each.partition(":")[0] for each in named))
        """Their names alone: what follows a colon may be a path on this machine."""

    def choose(
        self, *, model: str | None, provider: str | None, map_name: str | None, use_map: bool
    ) -> Choice:
        """The choice of a caller; None takes the server's default.

        Raises:
            UnknownNameError: The server does not offer this.
            ConfigError: There is no map yet.
        """
        model = _offered("model", model, self.models)
        if not use_map:
            return Choice(model, None)
        provider = _offered("provider", provider, self.providers)
        if provider != EMBEDDED_PROVIDER:
            return Choice(model, self._providers[provider])
        name = map_name or self.default_map()
        if name is None:
            raise ConfigError(
                "There is no map yet.", "Add one with `mapagent map add FILE.osm.pbf`, or run `make demo`."
            )
        return Choice(model, provider, name, self._home.path(name).resolve())

    def default_map(self) -> str | None:
        """The map that is asked if none is named; None if there is none."""
        return self._settings.map or self._home.last_added()


def _offered(kind: str, wanted: str | None, offered: tuple[str, ...]) -> str:
    if wanted is None:
        return offered[0]
    if wanted not in offered:
        raise UnknownNameError(
            f"This server offers no {kind} '{wanted}'.", f"It offers {', '.join(offered)}."
        )
    return wanted


@dataclass(frozen=True, slots=True)
class OpenAgent:
    """An agent, and the terms its map data is under (None without a provider)."""

    agent: MapAgent
    terms: Terms | None

    async def close(self) -> None:
        """Closes the agent."""
        await self.agent.close()


def agents_of(
    settings: Settings, own: OwnPlaces | Callable[[], OwnPlaces] = NO_OWN_PLACES
) -> Pool[Choice, OpenAgent]:
    """Agents by choice, opened when first asked, that all know the same own places.

    Leasing one raises `UsageError` if its model or provider lacks something (a key, an address), and
    `MapStoreError` if its map is damaged.
    """

    async def opened(choice: Choice) -> OpenAgent:
        chosen = settings.model_copy(
            update={
                "model": choice.model,
                "provider": choice.provider or settings.provider,
                "map": choice.map,
            }
        )
        provider: Provider | None = None
        if choice.provider is not None:
            provider = await asyncio.to_thread(open_provider, chosen)
        agent = MapAgent(chosen, provider=provider, own=own)
        return OpenAgent(agent, provider.terms if provider else None)

    return Pool(opened, MOST_OPEN)
