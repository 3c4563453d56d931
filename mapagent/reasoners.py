"""Opens the reasoner the settings' model names."""

from mapagent.config import Settings
from mapagent.plugins import Plugins
from mapagent.ports import Reasoner, ReasonerFactory

GROUP = "mapagent.reasoners"
LANGUAGE_MODEL = "llm"
"""The reasoner for every model that is not a reasoner's own name."""


def open_reasoner(settings: Settings) -> Reasoner:
    """The reasoner for `settings.model`: "offline", "cascade:NAME", a plug-in's, or a model server's model.

    Raises:
        UsageError: What the model needs (a key, an address) is missing or wrong.
    """
    plugins = Plugins(GROUP, "reasoner")
    name = settings.model.partition(":")[0]
    known = name if name in plugins.names() else LANGUAGE_MODEL
    factory: ReasonerFactory = plugins.load(known)
    return factory.from_settings(settings)
