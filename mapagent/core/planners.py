"""Opens the planner that the settings' model names, and the interpreter of its programs."""

from collections.abc import Mapping
from typing import Any

from mapagent.core.ports import Interpreter, Module, Planner, PlannerFactory
from mapagent.runtime.config import Settings
from mapagent.runtime.plugins import Plugins

GROUP = "mapagent.planners"
INTERPRETERS = "mapagent.interpreters"
OFFLINE = "offline"
"""The embedded planner, which needs no language model."""
LANGUAGE_MODEL = "llm"
"""The planner for every model that is not a planner's own name."""


def open_planner(settings: Settings) -> Planner:
    """The planner for `settings.model`: "offline", "cascade:NAME", a plug-in's, or a model server's model.

    Raises:
        UsageError: What the model needs (a key, an address) is missing or wrong.
    """
    plugins = Plugins(GROUP, "planner")
    name = settings.model.partition(":")[0]
    known = name if name in plugins.names() else LANGUAGE_MODEL
    factory: PlannerFactory = plugins.load(known)
    return factory.from_settings(settings)


def open_interpreter(settings: Settings, modules: Mapping[str, Module] | None = None) -> Interpreter:
    """The interpreter of programs, with the operators of all modules.

    Args:
        settings: Told to the modules.
        modules: Further modules by name, registered in process.

    Raises:
        ConfigError: Two modules bring operators of one name, or a module's settings are wrong.
    """
    factory: Any = Plugins(INTERPRETERS, "interpreter").load("query")
    made: Interpreter = factory.from_settings(settings, modules or {})
    return made
