"""Plug-ins: everything above the kernel is found through entry points, ours and other people's alike.

Groups: `mapagent.modules`, `mapagent.operators`, `mapagent.interpreters`, `mapagent.planners`,
`mapagent.providers`, `mapagent.methods`, `mapagent.suites`, `mapagent.commands`. A name that two
distributions register is an error that names both.
"""

import sys
from collections.abc import Mapping
from functools import lru_cache
from importlib import metadata
from importlib.metadata import EntryPoint, EntryPoints
from typing import Any

from map_tools.errors import ConfigError, UnknownNameError, did_you_mean


def entry_points(group: str) -> EntryPoints:
    """The entry points of one group; the installed packages are scanned once, not once per group."""
    return _installed(tuple(sys.path)).select(group=group)


@lru_cache(maxsize=4)
def _installed(path: tuple[str, ...]) -> EntryPoints:  # noqa: ARG001 - the path is what the result depends on
    return metadata.entry_points()


class Plugins:
    """The plug-ins of one group. Nothing is imported before it is used.

    Args:
        group: Entry-point group, such as "mapagent.modules".
        kind: What one of them is called in messages ("module").
        extra: Objects registered in process (for tests and for the Python API).
    """

    def __init__(self, group: str, kind: str, extra: Mapping[str, Any] | None = None) -> None:
        self._kind = kind
        self._extra = dict(extra or {})
        self._entries: dict[str, EntryPoint] = {}
        for entry in entry_points(group):
            other = self._entries.get(entry.name)
            if other is not None and other.value != entry.value:
                raise ConfigError(
                    f"Two packages register the {kind} '{entry.name}': {other.value} and {entry.value}.",
                    "Uninstall one of them.",
                )
            self._entries[entry.name] = entry
        for name in self._extra:
            if name in self._entries:
                raise ConfigError(f"The {kind} '{name}' is registered twice.", "Choose another name.")

    def names(self) -> tuple[str, ...]:
        """All registered names, sorted."""
        return tuple(sorted({*self._entries, *self._extra}))

    def load(self, name: str) -> Any:
        """The registered object (a class or a function, as the group defines).

        Raises:
            UnknownNameError: Nothing is registered under this name; the message lists what is.
            ConfigError: The plug-in cannot be imported.
        """
        if name in self._extra:
            return self._extra[name]
        entry = self._entries.get(name)
        if entry is None:
            known = ", ".join(self.names()) or "none"
            hint = f"{did_you_mean(name, self.names())} Known: {known}.".lstrip()
            raise UnknownNameError(f"There is no {self._kind} '{name}'.", hint)
        try:
            return entry.load()
        except ImportError as error:
            raise ConfigError(
                f"The {self._kind} '{name}' cannot be loaded: {error}.", "Install the package it names."
            ) from error
