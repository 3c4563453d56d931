"""`python -m benchmarks.regression`: compares what fixed questions cost with what they cost before.

The baseline (`baseline.json`) is committed: counts of executed lines, calls of model and map, tokens and imported
modules that the questions of `workload.toml` take. A figure that grew by more than its tolerance is a regression.
Nothing is a time: every figure is the same on every machine with the same version of Python.

`--update` writes a new baseline, for a change that is worth what it costs; the difference is then part of the
change that is reviewed.
"""

import argparse
import asyncio
import json
import os
import platform
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from benchmarks import history
from benchmarks.agents.contenders import MAPAGENT, MAPAGENT_MODEL, OurAgent
from benchmarks.agents.servers import AT_ONCE, stage
from benchmarks.agents.tasks import city
from benchmarks.imports import Budget, Ground, loaded
from benchmarks.measure import counted
from map_tools.maps.home import MapHome
from map_tools.maps.synth import synth
from map_tools.providers.recorded import RecordedProvider
from map_tools.types import Frozen, LatLng
from mapagent.core.agent import MapAgent
from mapagent.runtime.config import Settings
from modules.nlu.reader import reader

MAP = "synthetic"
MAP_SIZE = 2_000

type Figures = dict[str, float]


def measure() -> Figures:
    """All figures by name."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "mapagent"
        info = synth(seed=7, size=MAP_SIZE, home=MapHome(home / "maps"), name=MAP, roads=False, truth=False)
        return {
            **asyncio.run(_questions(home, info.bbox.center)),
            **dict(_agents()),
            "start-up/modules of an offline ask": _modules(home, info.bbox.center),
        }


def questions() -> Mapping[str, Mapping[str, str]]:
    """The questions by where they are asked and name."""
    text = files(__package__).joinpath("workload.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


async def work(agent: MapAgent, question: str, near: LatLng | None = None) -> Figures:
    """Lines and calls of this project's code that a question takes, everything being loaded and nothing kept."""
    await agent.ask(question, near=near)
    reader().forget()
    with counted() as counts:
        await agent.ask(question, near=near)
    return {"lines": counts.lines, "calls": counts.calls}


async def _questions(home: Path, here: LatLng) -> Figures:
    told = questions()
    found: Figures = {}
    async with MapAgent(Settings(data_home=home), provider=RecordedProvider(city().world())) as agent:
        for name, question in told["world"].items():
            found |= _named(f"ask/world/{name}", await work(agent, question))
    async with MapAgent(Settings(data_home=home, map=MAP)) as agent:
        for name, question in told["map"].items():
            found |= _named(f"ask/map/{name}", await work(agent, question, here))
    return found


def _agents() -> Iterator[tuple[str, float]]:
    """What the tasks of the agents benchmark cost `mapagent` where nothing takes time."""
    with stage("legs", AT_ONCE) as ground:
        for agent in (MAPAGENT, MAPAGENT_MODEL):
            for task in ground.tasks:
                run = asyncio.run(OurAgent(agent, ground).run(task))
                name = f"{agent}/{task.name}"
                yield f"{name}/wrong", float(not run.right)
                yield f"{name}/model calls", run.model_calls
                yield f"{name}/tokens", run.tokens
                yield f"{name}/map calls", run.map_calls


def _modules(home: Path, here: LatLng) -> int:
    """How many modules a fresh process has loaded when it has answered a question offline."""
    ask = ("ask", questions()["map"]["nearest"], "--map", MAP, "--model", "offline")
    budget = Budget(ask, near=True, needs=frozenset(), modules=0)
    return loaded(budget, (), Ground(home.parent, str(here))).modules


def _named(name: str, figures: Figures) -> Figures:
    return {f"{name}/{what}": value for what, value in figures.items()}


TOLERANCE = 0.10
"""Growth that is let pass where counts follow from wording and small changes: work, tokens, imports."""
EXACT = ("wrong", "model calls", "map calls")
"""Figures of which one more is a regression: each stands for a wait, or for money."""
BY_INTERPRETER = ("lines", "calls", "modules")
"""Figures that differ between versions of Python (the compiler decides what a line is)."""


class Baseline(Frozen):
    """What was measured when it was last accepted.

    Attributes:
        python: The version of Python, without its last part.
        figures: As `measure` names them.
    """

    python: str
    figures: dict[str, float]


@dataclass(frozen=True, slots=True)
class Change:
    """A figure before and now; None where it was not, or is no longer, measured."""

    name: str
    before: float | None
    now: float | None

    @property
    def regressed(self) -> bool:
        """Whether it grew beyond its tolerance, or is no longer measured."""
        if self.before is None:
            return False
        return self.now is None or self.now > self.before * (1 + _tolerance(self.name))

    @property
    def improved(self) -> bool:
        """Whether it shrank by more than its tolerance: the baseline should follow."""
        if self.before is None or self.now is None:
            return False
        return self.now < self.before * (1 - _tolerance(self.name))

    def __str__(self) -> str:
        if self.before is None or self.now is None:
            return f"{self.name}: {'no longer measured' if self.now is None else 'new'}"
        ratio = f" ({self.now / self.before:.2f} ×)" if self.before else ""
        return f"{self.name}: {self.before:g} → {self.now:g}{ratio}"


def compared(baseline: Baseline, figures: Mapping[str, float], python: str) -> Iterator[Change]:
    """Every figure of either side.

    Args:
        baseline: What was accepted.
        figures: What is measured now.
        python: The version of Python now; with another one, counts that depend on it are left out.
    """
    for name in dict.fromkeys((*baseline.figures, *figures)):
        if python == baseline.python or not _is(name, BY_INTERPRETER):
            yield Change(name, baseline.figures.get(name), figures.get(name))


def read_baseline() -> Baseline:
    """The committed baseline."""
    text = files(__package__).joinpath("baseline.json").read_text(encoding="utf-8")
    return Baseline.model_validate_json(text)


def write_baseline(figures: Mapping[str, float], file: Path) -> None:
    """Makes what is measured now the baseline."""
    accepted = Baseline(python=python_version(), figures=dict(figures))
    file.write_text(accepted.model_dump_json(indent=1) + "\n", encoding="utf-8")


def python_version() -> str:
    """The version of this Python without its last part."""
    return ".".join(platform.python_version_tuple()[:2])


def measured() -> dict[str, float]:
    """The figures of now, from a fresh process whose sets and dictionaries are always in the same order."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.regression", "--measure"],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONHASHSEED": "0"},
    )
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def _tolerance(name: str) -> float:
    return 0.0 if _is(name, EXACT) else TOLERANCE


def _is(name: str, kinds: tuple[str, ...]) -> bool:
    """Whether the last part of a figure's name is, or begins with, one of the kinds."""
    return name.rpartition("/")[2].startswith(kinds)


def main() -> int:
    """Compares; exit code 1 if something regressed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--update", action="store_true", help="accept what is measured now as the baseline")
    parser.add_argument("--measure", action="store_true", help="only print the figures as JSON")
    parser.add_argument("--out", type=Path, default=history.FILE)
    given = parser.parse_args()
    if given.measure:
        print(json.dumps(measure()))
        return 0
    figures = measured()
    if given.update:
        write_baseline(figures, Path(__file__).with_name("baseline.json"))
    history.append(given.out, "regression", figures)
    changes = list(compared(read_baseline(), figures, python_version()))
    regressed = [change for change in changes if change.regressed]
    for title, chosen in (
        ("Regressions", regressed),
        ("Improvements (accept them with --update)", [change for change in changes if change.improved]),
        ("New (accept them with --update)", [change for change in changes if change.before is None]),
    ):
        if chosen:
            print("\n".join((f"{title}:", *(f"  {change}" for change in chosen))))
    print(f"{len(changes)} figures compared, {len(regressed)} regressed.")
    return 1 if regressed else 0


if __name__ == "__main__":
    sys.exit(main())
