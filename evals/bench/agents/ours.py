"""The agents of this project: `mapagent` itself and the rivals written after their papers."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from time import perf_counter, thread_time

from evals.bench.agents.city import city
from evals.bench.agents.map_server import slow_map
from evals.bench.agents.runs import AgentRun, Outcome, critical_s
from evals.bench.agents.stage import MODEL, OFFLINE, Stage
from evals.bench.agents.tasks import AgentTask
from evals.methods.agents import Chameleon, OctoTools, React
from evals.methods.llm_compiler import LlmCompiler
from evals.methods.mapagent import MapAgentMethod
from evals.ports import Desk, HasClose, Method
from map_tools.errors import MapAgentError
from mapagent.ledger import Ledger
from mapagent.llm.open import open_model
from mapagent.ports import Account
from mapagent.trace import Trace

MAPAGENT = "mapagent, offline"
MAPAGENT_MODEL = "mapagent, model"

RIVALS: Mapping[str, type[Method]] = {
    "react": React,
    "llm-compiler": LlmCompiler,
    "chameleon": Chameleon,
    "octotools": OctoTools,
}
AGENTS = (MAPAGENT, MAPAGENT_MODEL, *RIVALS)


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
        desk = Desk(settings, provider, chat)
        try:
            with self.stage.at_once():
                await self._once(method, desk, task)
            provider.calls.clear()
            provider.latency_s = self.stage.latency.map_s
            outcome = await self._once(method, desk, task)
            outcome = replace(outcome, map_calls=provider.calls.total())
        finally:
            if isinstance(method, HasClose):
                await method.close()
            if chat is not None:
                await chat.close()
        calls = self.stage.model.calls
        least_s = None if self.name in RIVALS else critical_s(task, calls, self.stage.latency)
        return replace(AgentRun.of(self.name, task, calls, outcome), critical_s=least_s)

    async def _once(self, method: Method, desk: Desk, task: AgentTask) -> Outcome:
        self.stage.model.begin()
        account = Account(Ledger(desk.settings.limits()), Trace())
        start, start_cpu = perf_counter(), thread_time()
        try:
            answer = await method.answer(task.task, desk, account)
            right, trouble = answer.option_index == task.right, answer.reason
        except MapAgentError as error:
            right, trouble = False, str(error)
        return Outcome(right, perf_counter() - start, thread_time() - start_cpu, 0, trouble)
