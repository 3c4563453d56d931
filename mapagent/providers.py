"""Opens the provider the settings name."""

from pathlib import Path

from map_tools.errors import ConfigError
from map_tools.maps.home import MapHome
from map_tools.providers.base import Provider, ProviderFactory, ProviderSetting
from mapagent.config import Settings
from mapagent.plugins import Plugins

GROUP = "mapagent.providers"


def map_home(settings: Settings) -> MapHome:
    """Where maps are kept: the folder `maps` of the data home."""
    return MapHome(settings.data_home / "maps")


def open_provider(settings: Settings) -> Provider:
    """Opens the provider named by the settings ("osm", "recorded:PATH", a plug-in's name).

    Raises:
        UnknownNameError: No such provider or map.
        ConfigError: There is no map yet.
        MapStoreError: The map is damaged.
        InputFileError: The recorded world cannot be read.
    """
    name, _, argument = settings.provider.partition(":")
    factory: ProviderFactory = Plugins(GROUP, "provider").load(name)
    return factory.from_setting(
        ProviderSetting(name=name, argument=argument, map_path=_map_path(settings, name))
    )


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
