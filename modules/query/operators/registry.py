"""All operators: ours and those of other packages, found by entry point (`mapagent.operators`)."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from map_tools.errors import ConfigError
from mapagent.plugins import Plugins
from modules.query.operators import finish, lists, lookup, search, space, time, travel, trip
from modules.query.operators.base import Operator

GROUP = "mapagent.operators"
RESERVED = frozenset({"here", "now", "options", "picture", "result"})
"""Names that are always there."""
INTERNAL = frozenset({"lies_in"})
"""Operators that programs write in another way."""


@lru_cache(maxsize=1)
def operators() -> Mapping[str, Operator]:
    """All operators by name.

    Raises:
        ConfigError: Another package's operator bears the name of one of ours.
    """
    ours = {
        one.name: one
        for part in (lookup, search, travel, trip, space, time, lists, finish)
        for one in part.OPERATORS
    }
    plugins = Plugins(GROUP, "operator")
    for name in plugins.names():
        _add(ours, plugins.load(name))
    return ours


def _add(known: dict[str, Operator], found: Operator | Iterable[Operator]) -> None:
    for one in [found] if isinstance(found, Operator) else found:
        if one.name in known or "_" not in one.name:
            raise ConfigError(
                f"The operator '{one.name}' cannot be added: the name is taken, or has no prefix.",
                "Name it prefix_name.",
            )
        known[one.name] = one


def callable_names() -> tuple[str, ...]:
    """The names that programs may call, sorted."""
    return tuple(sorted(set(operators()) - INTERNAL))
