"""Counts what a piece of work executes: lines and calls of this project's code, the same on every machine.

Times differ from machine to machine and from hour to hour; these counts do not, as long as the Python version
and the seed of its hashes are the same. What compiled libraries do inside a call is not seen.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import CodeType

PACKAGES = ("map_tools", "mapagent", "modules", "evals")
TOOL = 4
"""An id that Python leaves to anybody (https://docs.python.org/3/library/sys.monitoring.html)."""


@dataclass
class Counts:
    """What was executed: lines, and calls that were made from them."""

    lines: int = 0
    calls: int = 0


@contextmanager
def counted() -> Iterator[Counts]:
    """Counts while the body runs, in all threads.

    Raises:
        ValueError: Something is being counted already.
    """
    counts = Counts()
    roots = tuple(_roots())
    events = sys.monitoring.events

    def is_own(code: CodeType) -> bool:
        return code.co_filename.startswith(roots) and code.co_filename != __file__

    def line(code: CodeType, number: int) -> object:  # noqa: ARG001
        if not is_own(code):
            return sys.monitoring.DISABLE
        counts.lines += 1
        return None

    def call(code: CodeType, offset: int, function: object, argument: object) -> object:  # noqa: ARG001
        if not is_own(code):
            return sys.monitoring.DISABLE
        counts.calls += 1
        return None

    sys.monitoring.use_tool_id(TOOL, "mapagent benchmarks")
    try:
        sys.monitoring.register_callback(TOOL, events.LINE, line)
        sys.monitoring.register_callback(TOOL, events.CALL, call)
        sys.monitoring.set_events(TOOL, events.LINE | events.CALL)
        yield counts
    finally:
        sys.monitoring.set_events(TOOL, events.NO_EVENTS)
        sys.monitoring.register_callback(TOOL, events.LINE, None)
        sys.monitoring.register_callback(TOOL, events.CALL, None)
        sys.monitoring.free_tool_id(TOOL)
        sys.monitoring.restart_events()


def _roots() -> Iterator[str]:
    """The folders of this project's packages."""
    for name in PACKAGES:
        spec = find_spec(name)
        if spec is not None and spec.origin is not None:
            yield f"{Path(spec.origin).parent}/"
