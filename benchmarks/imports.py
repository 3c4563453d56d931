"""`python -m benchmarks.imports`: which heavy packages the quick commands load, and who imports them.

What a command may load stands in `imports.toml`. A package beside that is named with the chain of imports
that led to it.
"""

import json
import os
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from map_tools.maps.home import MapHome
from map_tools.maps.synth import synth

MAP_SIZE = 500


@dataclass(frozen=True, slots=True)
class Budget:
    """What a command may load.

    Attributes:
        arguments: The command.
        near: Whether it is asked from the middle of the map.
        needs: Heavy packages it needs.
        modules: The most modules it may have loaded at its end.
    """

    arguments: tuple[str, ...]
    near: bool
    needs: frozenset[str]
    modules: int

    def __str__(self) -> str:
        return f"mapagent {self.arguments[0]}"


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a command has loaded.

    Attributes:
        modules: How many.
        heavy: For each heavy package the places in the code that led to it, the command's end first.
    """

    modules: int
    heavy: Mapping[str, tuple[str, ...]]

    def faults(self, budget: Budget) -> tuple[str, ...]:
        """What is beyond the budget, each in a sentence with the chain of imports."""
        beyond = [
            f"{budget} imports {name}: {' → '.join(chain)}"
            for name, chain in self.heavy.items()
            if name not in budget.needs
        ]
        if self.modules > budget.modules:
            beyond.append(f"{budget} loads {self.modules} modules, more than {budget.modules}.")
        return tuple(beyond)


def budgets() -> tuple[tuple[str, ...], tuple[Budget, ...]]:
    """The heavy packages, and what each command may load."""
    told = tomllib.loads(files(__package__).joinpath("imports.toml").read_text(encoding="utf-8"))
    commands = (
        Budget(tuple(one["arguments"]), one.get("near", False), frozenset(one["needs"]), one["modules"])
        for one in told["commands"]
    )
    return tuple(told["heavy"]), tuple(commands)


@dataclass(frozen=True, slots=True)
class Ground:
    """A small map to ask: `data_home` as `XDG_DATA_HOME`, and a position in its middle."""

    data_home: Path
    here: str


def prepare(folder: Path) -> Ground:
    """Makes the map."""
    home = MapHome(folder / "mapagent" / "maps")
    info = synth(seed=7, size=MAP_SIZE, home=home, name="small", roads=False, truth=False)
    return Ground(folder, str(info.bbox.center))


def loaded(budget: Budget, heavy: tuple[str, ...], ground: Ground) -> Loaded:
    """Runs the command in a fresh process and looks.

    Raises:
        subprocess.CalledProcessError: The command failed.
    """
    near = ["--near", ground.here] if budget.near else []
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.watched", ",".join(heavy), *budget.arguments, *near],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "XDG_DATA_HOME": str(ground.data_home)},
    )
    told = json.loads(done.stderr.splitlines()[-1])
    return Loaded(told["modules"], {name: tuple(chain) for name, chain in told["found"].items()})


def main() -> int:
    """Prints what each command loads; exit code 1 if one is beyond its budget."""
    heavy, commands = budgets()
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        ground = prepare(Path(folder))
        for budget in commands:
            found = loaded(budget, heavy, ground)
            print(f"{budget}: {found.modules} modules of at most {budget.modules}; {', '.join(found.heavy)}")
            faults += found.faults(budget)
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
