"""The agents that are measured, and a run of one of them at one task.

Ours are `mapagent` itself and the rivals written after their papers. Agents of other projects have a process of
their own in an environment of their own. A run holds what was answered, how long it took, and what model and map
were asked.

`make bench-env` makes the environment (`benchmarks/environments`). Without it they are left out, with the reason.
"""

import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter, thread_time
from typing import IO, Any, Self

from benchmarks.agents.scripts import Habit
from benchmarks.agents.servers import MODEL, OFFLINE, Latency, ModelCall, Stage, slow_map
from benchmarks.agents.tasks import AgentTask, city
from evals.methods.agents import Chameleon, OctoTools, React
from evals.methods.llm_compiler import LlmCompiler
from evals.methods.loop import Asking
from evals.methods.mapagent import MapAgentMethod
from evals.methods.reading import read_choice
from evals.ports import EvalContext, HasClose, Method
from map_tools.errors import MapAgentError
from mapagent.core.ports import RequestContext
from mapagent.llm.open import open_model
from mapagent.runtime.ledger import Ledger
from mapagent.runtime.trace import Trace


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an agent's own side tells of a run; see `AgentRun`."""

    right: bool
    seconds: float
    cpu_s: float
    map_calls: int
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class AgentRun:
    """What was measured.

    Attributes:
        agent: Who was asked.
        task: What.
        habit: How the scripted model asks for several ways.
        right: Whether the right option was named.
        seconds: Wall time, the agent's libraries being loaded already.
        cpu_s: Processor time of the agent's own process or thread, servers aside.
        model_calls, tokens: Answered by the model's server, counted there.
        map_calls: Of the map behind the tools.
        critical_s: The least time the agent's model calls and the task's chain of map calls take; None where
            that is not asked of the agent.
        trouble: What went wrong, in words.
    """

    agent: str
    task: str
    habit: Habit
    right: bool
    seconds: float
    cpu_s: float
    model_calls: int
    tokens: int
    map_calls: int
    critical_s: float | None = None
    trouble: str = ""

    @classmethod
    def of(cls, agent: str, task: AgentTask, calls: Sequence[ModelCall], outcome: Outcome) -> Self:
        """A run with what the model's server counted."""
        return cls(
            agent=agent,
            task=task.name,
            habit=task.habit,
            right=outcome.right,
            seconds=outcome.seconds,
            cpu_s=outcome.cpu_s,
            model_calls=len(calls),
            tokens=sum(call.prompt_tokens + call.completion_tokens for call in calls),
            map_calls=outcome.map_calls,
            trouble=outcome.trouble,
        )


def critical_s(task: AgentTask, calls: Sequence[ModelCall], latency: Latency) -> float:
    """Time that cannot be saved: the first model call, if there is one, and the chain of map calls."""
    return sum(call.seconds for call in calls[:1]) + task.map_rounds * latency.map_s


MAPAGENT = "mapagent, offline"
MAPAGENT_MODEL = "mapagent, model"

RIVALS: Mapping[str, type[Method]] = {
    "react": React,
    "llm-compiler": LlmCompiler,
    "chameleon": Chameleon,
    "octotools": OctoTools,
}
OUR_AGENTS = (MAPAGENT, MAPAGENT_MODEL, *RIVALS)


@dataclass(frozen=True)
class OurAgent:
    """Runs one of `AGENTS` in this process."""

    name: str
    stage: Stage

    async def run(self, task: AgentTask) -> AgentRun:
        """One task, once unmeasured to load what is loaded late, once measured."""
        settings = self.stage.settings(OFFLINE if self.name == MAPAGENT else MODEL)
        method = RIVALS[self.name]() if self.name in RIVALS else MapAgentMethod()
        chat = None if settings.model == OFFLINE else open_model(settings)
        provider = slow_map(city().world(), 0)
        context = EvalContext(settings, provider, chat)
        try:
            with self.stage.at_once():
                await self._once(method, context, task)
            provider.calls.clear()
            provider.latency_s = self.stage.latency.map_s
            outcome = await self._once(method, context, task)
            outcome = replace(outcome, map_calls=provider.calls.total())
        finally:
            if isinstance(method, HasClose):
                await method.close()
            if chat is not None:
                await chat.close()
        calls = self.stage.model.calls
        least_s = None if self.name in RIVALS else critical_s(task, calls, self.stage.latency)
        return replace(AgentRun.of(self.name, task, calls, outcome), critical_s=least_s)

    async def _once(self, method: Method, context: EvalContext, task: AgentTask) -> Outcome:
        self.stage.model.begin()
        request_context = RequestContext(Ledger(context.settings.limits()), Trace())
        start, start_cpu = perf_counter(), thread_time()
        try:
            answer = await method.answer(task.task, context, request_context)
            right, trouble = answer.option_index == task.right, answer.reason
        except MapAgentError as error:
            right, trouble = False, str(error)
        return Outcome(right, perf_counter() - start, thread_time() - start_cpu, 0, trouble)


CHECKOUT = Path(__file__).resolve().parents[2]
PROGRAMS = CHECKOUT / "benchmarks" / "environments"
ENVIRONMENT = CHECKOUT / ".venv-bench"
END_S = 30.0
"""Time an agent's process gets to end once its input is closed."""

LANGGRAPH_ONE_CALL = "langgraph-one-call"
PEER_AGENTS = ("langgraph", LANGGRAPH_ONE_CALL, "smolagents", "smolagents-code", "pydantic-ai")
"""As `benchmarks/environments/peers` names them."""


def missing(environment: Path) -> str:
    """Why these agents cannot be measured; empty where they can."""
    if not (PROGRAMS / "peers").is_dir():
        return "benchmarks/environments is only in a checkout of the repository"
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
