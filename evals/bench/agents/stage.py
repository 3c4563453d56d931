"""The servers all agents are measured with, the same for all."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from evals.bench.agents.city import city
from evals.bench.agents.map_server import slow_map
from evals.bench.agents.model_server import AT_ONCE, Latency, ModelServer
from evals.bench.agents.scripts import Habit
from evals.bench.agents.serving import serving
from evals.bench.agents.tasks import AgentTask, agent_tasks
from evals.bench.agents.tool_server import ToolServer
from mapagent.config import Settings

OFFLINE = "offline"
MODEL = "scripted"
CONCURRENCY = 16
"""Tool calls at once, for every agent: more than any task has."""


@dataclass(frozen=True)
class Stage:
    """What stands while agents are measured.

    Attributes:
        tasks: What they are given.
        model, model_url: The scripted model, and the address Chat Completions are asked at.
        tools, tools_url: The map tools over HTTP, for agents in another environment.
        data_home: A folder to work in.
        latency: How slow model and map are.
    """

    tasks: tuple[AgentTask, ...]
    model: ModelServer
    model_url: str
    tools: ToolServer
    tools_url: str
    data_home: Path
    latency: Latency

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Model and tools take no time while the body runs: agents load what they load late."""
        self._set(AT_ONCE)
        try:
            yield
        finally:
            self._set(self.latency)

    def _set(self, latency: Latency) -> None:
        self.model.latency = latency
        self.tools.provider.latency_s = latency.map_s

    def settings(self, model: str) -> Settings:
        """Settings of an agent of this project: nothing is taken from a cache."""
        return _settings(model, self.model_url, self.data_home)


@contextmanager
def stage(habit: Habit, latency: Latency) -> Iterator[Stage]:
    """Sets the servers up while the body runs."""
    tasks = tuple(agent_tasks(city(), habit))
    model = ModelServer(tasks, latency)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        tools = ToolServer(slow_map(city().world(), latency.map_s), _settings(OFFLINE, None, home))
        with serving(model, tools) as (model_url, tools_url):
            yield Stage(tasks, model, f"{model_url}/v1", tools, tools_url, home, latency)


def _settings(model: str, model_url: str | None, data_home: Path) -> Settings:
    return Settings(
        model=model,
        base_url=model_url,
        data_home=data_home,
        model_cache=False,
        price_in=0.0,
        price_out=0.0,
        concurrency=CONCURRENCY,
    )
