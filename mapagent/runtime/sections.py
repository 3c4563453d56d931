"""A module's section of the settings as a typed value."""

from pydantic import BaseModel, ValidationError

from map_tools.errors import ConfigError
from mapagent.runtime.config import Settings


def read_section[M: BaseModel](model: type[M], settings: Settings, *path: str, see: str) -> M:
    """What the settings say in `[modules.PATH]`; nothing said is what the model takes by default.

    Args:
        model: What the section is.
        settings: The settings.
        path: The module's name, and the names of parts of its section.
        see: The page that says what can be set.

    Raises:
        ConfigError: A value is unknown or wrong; the sentence names it.
    """
    section: object = settings.modules
    for name in path:
        section = section.get(name, {}) if isinstance(section, dict) else section
    try:
        return model.model_validate(section)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or path[-1]
        raise ConfigError(
            f"'{where}' in [modules.{'.'.join(path)}] is wrong: {first['msg']}.", f"See {see}."
        ) from error
