"""`python -m benchmarks.watched NAMES ARGUMENTS...`: runs `mapagent ARGUMENTS` and tells who imported NAMES.

The report is one line of JSON, the last of stderr: how many modules were loaded, and for each of the watched
packages that was imported the places in the code that led to it, the command's end first.
"""

import json
import sys
import traceback
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

_ROOT = Path(__file__).resolve().parents[1]


class Watch:
    """A finder that finds nothing and writes down who asks for the watched packages."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = frozenset(names)
        self.found: dict[str, list[str]] = {}

    def find_spec(
        self,
        name: str,
        path: Sequence[str] | None = None,  # noqa: ARG002 (the protocol of finders)
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        """Nothing: the next finder is asked."""
        if name in self._names and name not in self.found:
            self.found[name] = list(_chain())
        return None


def _chain() -> list[str]:
    """The places of this project's code on the way here, from the command to the import."""
    frames = traceback.extract_stack()
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(_ROOT)]
    outside = [frame for frame in frames if "site-packages" in frame.filename]
    told = [
        f"{Path(frame.filename).relative_to(_ROOT)}:{frame.lineno}"
        for frame in own
        if frame.filename != __file__ and "site-packages" not in frame.filename
    ]
    return [*told, *(f"{Path(frame.filename).parent.name}:{frame.lineno}" for frame in outside[-1:])]


def main() -> int:
    """Runs the command; its own exit code."""
    watch = Watch(sys.argv[1].split(","))
    sys.meta_path.insert(0, watch)
    from mapagent.interfaces.cli.main import main as command

    try:
        return command(sys.argv[2:])
    finally:
        sys.stderr.write(json.dumps({"modules": len(sys.modules), "found": watch.found}) + "\n")


if __name__ == "__main__":
    sys.exit(main())
