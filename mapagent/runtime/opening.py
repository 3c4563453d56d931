"""Opens what the settings name: the provider, a recording, the planner, the interpreter of programs."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from map_tools.clock import Clock
from map_tools.errors import ConfigError
from map_tools.maps.home import MapHome
from map_tools.providers.base import Entrusted, Provider, ProviderFactory, ProviderSetting
from mapagent.runtime.config import Settings
from mapagent.runtime.plugins import Plugins

if TYPE_CHECKING:
    from map_tools.wire import Player, Recorder
    from mapagent.core.ports import Interpreter, Module, Planner, PlannerFactory

PROVIDERS = "mapagent.providers"
PLANNERS = "mapagent.planners"
INTERPRETERS = "mapagent.interpreters"
OFFLINE = "offline"
"""The embedded planner, which needs no language model."""
LANGUAGE_MODEL = "llm"
"""The planner for all models whose name is not that of a planner."""
SERVICES_FOLDER = "wire"
"""Where, below the data home, replies of map services are kept as far as their terms allow."""


def map_home(settings: Settings) -> MapHome:
    """Where maps are kept: the folder `maps` of the data home."""
    return MapHome(settings.data_home / "maps")


def open_provider(settings: Settings, recording: object | None = None) -> Provider:
    """Opens the provider named by the settings ("osm", "recorded:PATH", a plug-in's name).

    `recording` is what a provider on the network writes to or answers from (`open_recording`).

    Raises:
        UnknownNameError: No such provider or map.
        ConfigError: There is no map yet.
        MapStoreError: The map is damaged.
        InputFileError: The recorded world cannot be read.
    """
    setting = provider_setting(settings).model_copy(update={"recording": recording})
    return provider_factory(settings).from_setting(setting)


def provider_factory(settings: Settings) -> ProviderFactory:
    """The factory registered under the name of the settings' provider.

    Raises:
        UnknownNameError: No such provider.
        ConfigError: Its package cannot be imported.
    """
    factory: ProviderFactory = Plugins(PROVIDERS, "provider").load(settings.provider.partition(":")[0])
    return factory


def provider_setting(settings: Settings) -> ProviderSetting:
    """The arguments that the settings' provider is opened with.

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


def open_recording(settings: Settings, clock: Clock | None = None) -> "Recorder | Player | None":
    """The recording of these settings; None if they name none.

    Args:
        settings: `record` names a file to write, `replay` one to play.
        clock: Tells the moment of a new recording; default: the machine's clock.

    Raises:
        ConfigError: Both are named.
        InputFileError: The file cannot be written, read, or is damaged.
    """
    if settings.record is not None and settings.replay is not None:
        raise ConfigError("A run is either recorded or replayed.", "Set `record` or `replay`, not both.")
    if settings.replay is not None:
        from map_tools.wire import Player

        return Player(settings.replay)
    if settings.record is not None:
        from map_tools.wire import Recorder

        return Recorder(settings.record, clock=clock, allow_payloads=settings.record_payloads)
    return None


def open_planner(settings: Settings) -> "Planner":
    """The planner for `settings.model`: "offline", "cascade:NAME", a plug-in's, or a model server's model.

    Raises:
        UsageError: What the model needs (a key, an address) is missing or wrong.
    """
    plugins = Plugins(PLANNERS, "planner")
    name = settings.model.partition(":")[0]
    known = name if name in plugins.names() else LANGUAGE_MODEL
    factory: PlannerFactory = plugins.load(known)
    return factory.from_settings(settings)


def open_interpreter(settings: Settings, modules: "Mapping[str, Module] | None" = None) -> "Interpreter":
    """The interpreter of programs, with the operators of all modules.

    Args:
        settings: Passed to the modules.
        modules: Further modules by name, registered in process.

    Raises:
        ConfigError: Two modules bring operators of the same name, or a module's settings are wrong.
    """
    factory: Any = Plugins(INTERPRETERS, "interpreter").load("query")
    made: Interpreter = factory.from_settings(settings, modules or {})
    return made
