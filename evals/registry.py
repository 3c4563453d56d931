"""Suites and methods by name, ours and other people's alike, and the names that the command line needs.

The command line imports this module for every command; so what is heavy is imported where it is used.
"""

from typing import TYPE_CHECKING

from map_tools.errors import UnknownNameError
from mapagent.runtime.plugins import Plugins

if TYPE_CHECKING:
    from evals.ports import Method, Suite

SUITES = "mapagent.suites"
METHODS = "mapagent.methods"
EXECUTORS = ("local", "ray")


def load_suite(name: str) -> "Suite":
    """The suite of this name.

    Raises:
        UnknownNameError: There is none; says which there are.
        ConfigError: It cannot be imported.
    """
    loaded = Plugins(SUITES, "suite").load(name)
    suite: Suite = loaded() if isinstance(loaded, type) else loaded
    return suite


def load_method(name: str) -> "Method":
    """The method of this name, "NAME" or "NAME:VARIANT".

    Raises:
        UnknownNameError: There is no such method or variant; says which there are.
        ConfigError: It cannot be imported.
    """
    from evals.ports import HasVariants

    base, colon, variant = name.partition(":")
    loaded = Plugins(METHODS, "method").load(base)
    method: Method = loaded() if isinstance(loaded, type) else loaded
    if not colon:
        return method
    if not isinstance(method, HasVariants):
        raise UnknownNameError(f"The method '{base}' has no variants.", f"Write --method {base}.")
    return method.variant(variant)
