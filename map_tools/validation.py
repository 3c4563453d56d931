"""Data from outside: JSON is read strictly, and what is wrong with a value is said in words an error tells its user.

An object that says two things under one name says nothing. A provider's part of the configuration is read here too.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import ValidationError
from collections.abc import Mapping

from pydantic import ValidationError

from map_tools.errors import ConfigError
from map_tools.types import Frozen

_HALF = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")
"""What may be half of a surrogate pair, escaped or not."""


def read_json(text: str | bytes) -> Any:
    """The value of a JSON text.

    Names of an object should be unique, and what becomes of those that are not differs from reader to reader
    (RFC 8259, section 4). A name that is repeated with the same value does no harm; with another value,
    nobody knows which one is meant. Half of a surrogate pair is no character (RFC 8259, section 8.2), and could be
    neither shown nor kept: U+FFFD stands for it.

    Raises:
        ValueError: It is no JSON, or an object holds two values under one name.
        RecursionError: It is nested too deeply.
    """
    value = json.loads(text, object_pairs_hook=_unique)
    told = text if isinstance(text, str) else text.decode("latin-1")
    return in_unicode(value) if _HALF.search(told) else value


def json_text(value: Any) -> str:
    """A value as JSON in Unicode; what has no form in JSON is told by its text."""
    return json.dumps(value, ensure_ascii=False, default=str)


def in_unicode(value: Any) -> Any:
    """A JSON value whose texts are of whole characters; pairs of halves are put together."""
    match value:
        case str():
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case list():
            return [in_unicode(item) for item in value]
        case dict():
            return {in_unicode(name): in_unicode(item) for name, item in value.items()}
    return value


@dataclass(frozen=True, slots=True)
class Fault:
    """One wrong value.

    Attributes:
        path: Names of fields and numbers of items down to it; empty for the whole.
        reason: Why it is wrong.
        kind: pydantic's name of the kind of fault ("extra_forbidden";
            https://docs.pydantic.dev/latest/errors/validation_errors/).
    """

    path: tuple[int | str, ...]
    reason: str
    kind: str

    @property
    def where(self) -> str:
        """The path with dots; empty for the whole."""
        return ".".join(map(str, self.path))


def first_fault(error: "ValidationError") -> Fault:
    """The first of the faults: one is enough to be told, for mending it often mends the others."""
    first = error.errors()[0]
    return Fault(first["loc"], first["msg"].removeprefix("Value error, "), first["type"])


def _unique(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        for name, item in pairs:
            if value[name] != item:
                raise ValueError(f"'{name}' stands twice, with different values")
    return value


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
