"""What is counted on every change: work, model calls, tokens and map calls of fixed questions, and imports.

Nothing here is a time. Every figure is the same on every machine with the same version of Python.
"""

import asyncio
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path

from evals.bench.agents.contenders import MAPAGENT, MAPAGENT_MODEL, OurAgent
from evals.bench.agents.servers import AT_ONCE, stage
from evals.bench.agents.tasks import city
from evals.bench.imports import Budget, Ground, loaded
from evals.bench.measure import counted
from map_tools.maps.home import MapHome
from map_tools.maps.synth import synth
from map_tools.providers.recorded import RecordedProvider
from map_tools.types import LatLng
from mapagent.agent import MapAgent
from mapagent.config import Settings

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
    """Lines and calls of this project's code that a question takes, everything being loaded."""
    await agent.ask(question, near=near)
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
