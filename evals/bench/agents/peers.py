"""Agents of other projects, each in a process of its own in an environment of their own.

`make bench-env` makes the environment (`scripts/bench-env`). Without it they are left out, with the reason.
"""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from evals.bench.agents.runs import AgentRun, Outcome
from evals.bench.agents.stage import Stage
from evals.bench.agents.tasks import AgentTask
from evals.methods.loop import Asking
from evals.methods.reading import read_choice

CHECKOUT = Path(__file__).resolve().parents[3]
PROGRAMS = CHECKOUT / "scripts" / "bench-env"
ENVIRONMENT = CHECKOUT / ".venv-bench"
END_S = 30.0
"""Time an agent's process gets to end once its input is closed."""

LANGGRAPH_ONE_CALL = "langgraph-one-call"
AGENTS = ("langgraph", LANGGRAPH_ONE_CALL, "smolagents", "smolagents-code", "pydantic-ai")
"""As `scripts/bench-env/peers` names them."""


def missing(environment: Path) -> str:
    """Why these agents cannot be measured; empty where they can."""
    if not (PROGRAMS / "peers").is_dir():
        return "scripts/bench-env is only in a checkout of the repository"
    if not _python(environment).exists():
        return f"there is no environment {environment}: run `make bench-env`"
    return ""


@dataclass(frozen=True)
class PeerAgent:
    """A running agent of another project."""

    name: str
    process: "subprocess.Popen[str]"
    stage: Stage

    def run(self, task: AgentTask) -> AgentRun:
        """One task, once unmeasured, once measured."""
        with self.stage.at_once():
            self._ask(task)
        told = self._ask(task)
        outcome = Outcome(
            # Read as strictly as the last words of any method here.
            right=read_choice(told["text"], task.task).option_index == task.right,
            seconds=told["seconds"],
            cpu_s=told["cpu_s"],
            map_calls=self.stage.tools.provider.calls.total(),
            trouble=told.get("error", ""),
        )
        return AgentRun.of(self.name, task, self.stage.model.calls, outcome)

    def _ask(self, task: AgentTask) -> dict[str, Any]:
        self.stage.model.begin()
        self.stage.tools.begin(task.task)
        given, said = _pipes(self.process)
        given.write(json.dumps({"text": Asking(task.task).task_text()}) + "\n")
        given.flush()
        line = said.readline()
        if not line:
            raise RuntimeError(f"The agent '{self.name}' ended without a word; see what it wrote to stderr.")
        reply: dict[str, Any] = json.loads(line)
        return reply


@contextmanager
def running(name: str, stage: Stage, environment: Path) -> Iterator[PeerAgent]:
    """Starts one of `AGENTS` while the body runs."""
    process = subprocess.Popen(
        [str(_python(environment)), "-m", "peers", name, stage.model_url, stage.tools_url],
        cwd=PROGRAMS,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield PeerAgent(name, process, stage)
    finally:
        for pipe in _pipes(process):
            pipe.close()
        try:
            process.wait(timeout=END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _python(environment: Path) -> Path:
    return environment / "bin" / "python"


def _pipes(process: "subprocess.Popen[str]") -> tuple[IO[str], IO[str]]:
    if process.stdin is None or process.stdout is None:
        raise ValueError("The process was started without pipes.")
    return process.stdin, process.stdout
