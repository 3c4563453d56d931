"""Reads a provider's own part of the configuration, `[providers.NAME]`."""

from collections.abc import Mapping

from pydantic import ValidationError

from map_tools.errors import ConfigError
from map_tools.types import Frozen
from map_tools.validation import first_fault


def read_options[T: Frozen](kind: type[T], values: Mapping[str, object], provider: str) -> T:
    """The options of a provider.

    Args:
        kind: What they are read into.
        values: What the configuration says (`ProviderSetting.options`).
        provider: The provider's name, for the error's sentence.

    Raises:
        ConfigError: One of them is missing, unknown or wrong.
    """
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        fault = first_fault(error)
        where = ".".join((f"providers.{provider}", *map(str, fault.path)))
        raise ConfigError(
            f"'{where}' is wrong: {fault.reason}.", "docs/providers.md lists the options."
        ) from error
