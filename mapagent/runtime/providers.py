"""Opens the provider the settings name."""

from pathlib import Path
from typing import Any

from map_tools.errors import ConfigError
from map_tools.maps.home import MapHome
from map_tools.providers.base import Entrusted, Provider, ProviderFactory, ProviderSetting
from mapagent.runtime.config import Settings
from mapagent.runtime.plugins import Plugins

GROUP = "mapagent.providers"
SERVICES_FOLDER = "wire"
"""Where, below the data home, replies of map services are kept as far as their terms allow."""


def map_home(settings: Settings) -> MapHome:
    """Where maps are kept: the folder `maps` of the data home."""
    return MapHome(settings.data_home / "maps")


def open_provider(settings: Settings, recording: object | None = None) -> Provider:
    """Opens the provider named by the settings ("osm", "recorded:PATH", a plug-in's name).

    `recording` is what a provider on the network writes to or answers from (`mapagent.runtime.recordings`).

    Raises:
        UnknownNameError: No such provider or map.
        ConfigError: There is no map yet.
        MapStoreError: The map is damaged.
        InputFileError: The recorded world cannot be read.
    """
    setting = provider_setting(settings).model_copy(update={"recording": recording})
    return provider_factory(settings).from_setting(setting)


def provider_factory(settings: Settings) -> ProviderFactory:
    """What is registered under the name of the settings' provider.

    Raises:
        UnknownNameError: No such provider.
        ConfigError: Its package cannot be imported.
    """
    factory: ProviderFactory = Plugins(GROUP, "provider").load(settings.provider.partition(":")[0])
    return factory


def provider_setting(settings: Settings) -> ProviderSetting:
    """What the settings' provider is opened with.

    Raises:
        UnknownNameError: No such provider or map.
        ConfigError: There is no map yet, or the provider's package cannot be imported.
    """
    name, _, argument = settings.provider.partition(":")
    factory = provider_factory(settings)
    return ProviderSetting(
        name=name,
        argument=argument,
        map_path=_map_path(settings, name),
        data_home=settings.data_home,
        language=settings.language,
        region=settings.region,
        cache_folder=settings.data_home / SERVICES_FOLDER,
        contact=settings.contact,
        options=settings.providers.get(name, {}),
        processes=settings.processes,
        machines=settings.machines,
        **_entrusted(settings, factory),
    )


def _entrusted(settings: Settings, factory: ProviderFactory) -> dict[str, Any]:
    """The settings that this provider asks for by name: no other one gets to see them."""
    wanted = factory.entrusted if isinstance(factory, Entrusted) else {}
    return {field: getattr(settings, name) for field, name in wanted.items()}


def _map_path(settings: Settings, provider: str) -> Path | None:
    home = map_home(settings)
    if settings.map is not None:
        return home.path(settings.map)
    latest = home.last_added()
    if latest is None and provider == "osm":
        raise ConfigError(
            "There is no map yet.", "Add one with `mapagent map add FILE.osm.pbf`, or run `make demo`."
        )
    return home.path(latest) if latest is not None else None
