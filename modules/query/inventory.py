"""The inventory: modules and the operators they own, ours and other packages' alike.

Our modules that need no state of their own are made here: what they are for, and their operators.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from map_tools.errors import ConfigError
from mapagent.core.ports import Module
from mapagent.runtime.config import Settings
from mapagent.runtime.plugins import Plugins
from modules.query.operators import (
    finish,
    lists,
    lookup,
    picture,
    recommend,
    search,
    space,
    time,
    travel,
    trip,
)
from modules.query.operators.base import Operator

MODULES = "mapagent.modules"
OPERATORS = "mapagent.operators"
RESERVED = frozenset({"here", "now", "options", "picture", "result"})
"""Names that are always there."""
INTERNAL = frozenset({"lies_in"})
"""Operators that programs do not call by name but write with syntax of their own."""
OURS = frozenset(
    {
        "map_service", "sequencer", "solution_generator", "visual_place_recognizer", "context_reader", "recommender",
        "spatial_database", "answer_generator",
    }
)  # fmt: skip
"""The modules of MapAgent's inventory; operators of all others have a prefix in their names."""


@lru_cache(maxsize=1)
def built_in() -> Mapping[str, Operator]:
    """The operators that need no module's state, by name."""
    parts = (lookup, search, travel, trip, space, time, lists, recommend, picture, finish)
    return {one.name: one for part in parts for one in part.OPERATORS}


@dataclass
class Inventory:
    """All modules and operators of an interpreter.

    Attributes:
        operators: By name.
        modules: Modules that do work for operators, by name; made when they are first asked.
    """

    operators: dict[str, Operator]
    modules: dict[str, Any] = field(default_factory=dict)
    settings: Settings = field(default_factory=Settings)

    def __post_init__(self) -> None:
        self._made: dict[str, Any] = {}

    @classmethod
    def load(cls, settings: Settings, further: Mapping[str, Module] | None = None) -> "Inventory":
        """The operators of all registered modules and packages.

        Args:
            settings: Passed to the modules.
            further: Modules registered in process; one with the name of a built-in module replaces it.

        Raises:
            ConfigError: Two operators have the same name.
        """
        found = dict(built_in())
        given = dict(further or {})
        modules: dict[str, Any] = {name: given.pop(name) for name in OURS & given.keys()}
        plugins = Plugins(MODULES, "module", given)
        for name in plugins.names():
            if name in OURS:
                continue
            modules[name] = loaded = plugins.load(name)
            for one in getattr(loaded, "operators", ()):
                _add(found, one)
        others = Plugins(OPERATORS, "operator")
        for name in others.names():
            loaded = others.load(name)
            for one in [loaded] if isinstance(loaded, Operator) else loaded:
                _add(found, one)
        return cls(found, modules, settings)

    @property
    def opened(self) -> Iterable[Any]:
        """The modules that were asked so far."""
        return tuple(self._made.values())

    def module(self, name: str) -> Any:
        """A module that handles requests; made on first use.

        Raises:
            UnknownNameError: There is no such module.
            ConfigError: Its settings are wrong.
        """
        if name not in self._made:
            loaded = self.modules.get(name) or Plugins(MODULES, "module").load(name)
            maker = getattr(loaded, "from_settings", None)
            made = maker(self.settings) if maker is not None and isinstance(loaded, type) else loaded
            self._made[name] = made() if isinstance(made, type) else made
        return self._made[name]


def _add(known: dict[str, Operator], one: Operator) -> None:
    if one.name in known or "_" not in one.name:
        raise ConfigError(
            f"The operator '{one.name}' cannot be added: the name is taken, or has no prefix.",
            "Name it prefix_name.",
        )
    known[one.name] = one


@dataclass(frozen=True, slots=True)
class OperatorModule:
    """A module that is nothing but its operators (`mapagent.core.ports.Module`)."""

    name: str
    description: str

    @property
    def operators(self) -> tuple[Operator, ...]:
        """The operators it owns."""
        return tuple(one for one in built_in().values() if one.module == self.name)


MAP_SERVICE = OperatorModule(
    "map_service",
    "Looks up places, searches and finds ways through the map tools, in parallel and in sequence.",
)
SEQUENCER = OperatorModule(
    "sequencer", "Puts visits in order: trips with stays, opening hours and deadlines."
)
SOLUTION_GENERATOR = OperatorModule(
    "solution_generator", "Counts, sums, compares and ranks what the other modules found."
)
SPATIAL_DATABASE = OperatorModule(
    "spatial_database",
    "Measures and relates shapes, and searches all features of a map: within a distance, in a direction, in a "
    "region; the largest, totals.",
)
CONTEXT_READER = OperatorModule("context_reader", "Reads the text supplied with a question, and quotes it.")
ANSWER_GENERATOR = OperatorModule(
    "answer_generator", "Gives the answer and its parts, judged against the options and verified."
)
