"""The method `mapagent`: the agent itself, and its ablations.

An ablation is the agent with one thing taken out, by its own settings and never by flags inside the agent.

- `one-round`: facts are fetched once; what depends on what came back is not (`flat-tools` in the papers).
- `no-verification`: the answer is not checked by a second evaluation.
- `context-only`: no map tools.
- `tools-only`: the question without its context.
- `sequential`: one tool call at a time.
- `no-final-look`: a language model does not see what its program came to.
- `no-sparse-spatial`, `no-dense-spatial`, `no-dense-semantic`, `no-pareto`, `no-reranking`: parts of the
  recommender, as in table 4 of Spatial-RAG (arXiv 2502.18470), by the module's own settings.

The first is what the MapAgent paper holds against its rivals (section 2 and appendix A: one flat layer of
tools and nobody who looks at their replies); context and tools are its figure 4.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from evals.ports import EvalContext, HasClose, Task
from evals.runner.records import ABSTAINED
from map_tools.errors import UnknownNameError
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, Status
from mapagent.core.ports import Planner, RequestContext
from mapagent.runtime.config import Settings
from mapagent.runtime.opening import open_planner

type Told = Mapping[str, Mapping[str, Any]]
"""Settings of modules, by their name."""


@dataclass(frozen=True, slots=True)
class Ablation:
    """What is taken out of the agent; nothing by default.

    Attributes:
        drop_context, drop_provider: Whether the text, or the map, is kept from the agent.
        changes: Settings of the kernel that differ.
        told: What modules are told beside the run's settings, by their name.
    """

    name: str = ""
    drop_context: bool = False
    drop_provider: bool = False
    changes: Mapping[str, Any] = field(default_factory=dict)
    told: Told = field(default_factory=dict)

    def agent(self, context: EvalContext, planner: Planner, told: Told | None = None) -> MapAgent:
        """The agent, so changed; `told` is what the task tells modules."""
        return MapAgent(
            self.settings(context, told), provider=context.provider, clock=context.clock, planner=planner
        )

    def settings(self, context: EvalContext, told: Told | None = None) -> Settings:
        """The run's settings, so changed."""
        modules = _merged(context.settings.modules, told or {}, self.told)
        return context.settings.model_copy(update={"modules": modules, **self.changes})


RECOMMENDER_PARTS = {
    "sparse-spatial": "sparse",
    "dense-spatial": "dense_spatial",
    "dense-semantic": "dense_semantic",
    "pareto": "pareto",
    "reranking": "rerank",
}
"""Rows of table 4 of Spatial-RAG, "w/o ...", and what the recommender calls the part."""

ABLATIONS = {
    one.name: one
    for one in (
        Ablation("one-round", changes={"max_rounds": 1}),
        Ablation("no-verification", told={"query": {"verify": False}}),
        Ablation("context-only", drop_provider=True),
        Ablation("tools-only", drop_context=True),
        Ablation("sequential", changes={"concurrency": 1}),
        Ablation("no-final-look", told={"planner": {"final_look": False}}),
        *(
            Ablation(f"no-{name}", told={"recommender": {"without": [part]}})
            for name, part in RECOMMENDER_PARTS.items()
        ),
    )
}


def ablation(name: str) -> Ablation:
    """The ablation of this name.

    Raises:
        UnknownNameError: There is none; says which there are.
    """
    if name not in ABLATIONS:
        raise UnknownNameError(f"There is no ablation 'mapagent:{name}'.", f"Known: {', '.join(ABLATIONS)}.")
    return ABLATIONS[name]


def _merged(*settings: Told) -> dict[str, dict[str, Any]]:
    """Settings of modules on top of each other, key by key."""
    merged: dict[str, dict[str, Any]] = {}
    for told in settings:
        for module, keys in told.items():
            merged[module] = {**merged.get(module, {}), **keys}
    return merged


_ABSTENTIONS = (Status.NOT_UNDERSTOOD, Status.AMBIGUOUS)


class MapAgentMethod:
    """Asks the agent with the run's settings.

    With a context in the question and a provider on the desk it may use both; with one of them, that one.
    """

    def __init__(self, changes: Ablation | None = None) -> None:
        self._changes = changes or Ablation()
        self.name = f"mapagent:{self._changes.name}" if self._changes.name else "mapagent"
        self._planner: Planner | None = None
        self._last: tuple[EvalContext, int | None, MapAgent] | None = None

    def variant(self, variant: str) -> "MapAgentMethod":
        """The agent with something taken out; `UnknownNameError` for an unknown ablation."""
        return MapAgentMethod(ablation(variant))

    async def answer(self, task: Task, context: EvalContext, request_context: RequestContext) -> Answer:
        """One question to the agent."""
        question = task.question
        if self._changes.drop_context:
            question = question.model_copy(update={"context": None})
        rounds = min(request_context.ledger.limits.max_rounds, self._changes.settings(context).max_rounds)
        request_context.ledger.limits = replace(request_context.ledger.limits, max_rounds=rounds)
        use_provider = context.provider is not None and not self._changes.drop_provider
        answer = await self._agent(context, task.ranked).ask(
            question, use_provider=use_provider, request_context=request_context
        )
        return _as_choice(answer, task, request_context)

    def _agent(self, context: EvalContext, ranked: int | None) -> MapAgent:
        """One agent as long as the desk is the same, so that modules are loaded once.

        Where so many places are wanted best first, the recommender is told to name as many.
        """
        if self._planner is None:
            self._planner = open_planner(self._changes.settings(context))
        if self._last is None or self._last[0] is not context or self._last[1] != ranked:
            told = {} if ranked is None else {"recommender": {"places": ranked}}
            self._last = (context, ranked, self._changes.agent(context, self._planner, told))
        return self._last[2]

    async def close(self) -> None:
        """Frees what the modules and the planner hold; the map belongs to the run."""
        if self._last is not None:
            await self._last[2].close_modules()
        if isinstance(self._planner, HasClose):
            await self._planner.close()
        self._planner = self._last = None


def _as_choice(answer: Answer, task: Task, request_context: RequestContext) -> Answer:
    """An agent that says it cannot read a question, or which place is meant, abstains.

    Among the choices of a test, "unanswerable" is the one that says so. The record keeps the agent's own
    status, and the summary tells the accuracy without these.
    """
    if answer.option_index is not None or answer.status not in _ABSTENTIONS or not task.question.options:
        return answer
    request_context.trace.event(ABSTAINED, status=answer.status.value)
    return answer.model_copy(update={"status": Status.UNANSWERABLE})
