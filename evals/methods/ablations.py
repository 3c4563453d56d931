"""The agent with one thing taken out, by other plans and modules and never by flags inside the agent.

- `flat-tools`: no map-tool agent; calls are chosen once, from the question alone (`FlatTools`).
- `no-sequencer`: the sequencer's step leaves the plan.
- `no-computed-facts`: nothing is computed after the evidence; neither sequencer nor solver (`StatedOnly`).
- `no-verification`: the answer is not checked against the evidence (`Unverified`).
- `context-only`: no map tools.
- `tools-only`: the question without its context.
- `sequential`: one tool call at a time.
- `no-sparse-spatial`, `no-dense-spatial`, `no-dense-semantic`, `no-pareto`, `no-reranking`: parts of the
  recommender, as in table 4 of Spatial-RAG (arXiv 2502.18470), by the module's own settings.
- `step-by-step`: a language model thinks every question through with the spatial tools (Geo-ReAct);
  `no-parse-question`, `no-calculate-metric`, `no-get-region-geometry`, `no-get-poi-filter`,
  `no-resolve-location`: the same without this tool and all before it, as in Geo-ReAct's table 5.

The first is what the MapAgent paper holds against its rivals (section 2 and appendix A: one flat layer of
tools and nobody who looks at their replies); context and tools are its figure 4.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from evals.methods.substitutes import FlatTools, StatedOnly, Unverified
from evals.ports import Desk
from map_tools.errors import UnknownNameError
from mapagent.agent import MapAgent
from mapagent.answer import Solution
from mapagent.config import Settings
from mapagent.evidence import Evidence
from mapagent.plan import Plan, Step
from mapagent.planner import default_plan
from mapagent.ports import Account, Module, NameHints, Reasoner, ToolCall, Understanding
from mapagent.question import Question

type Told = Mapping[str, Mapping[str, Any]]
"""Settings of modules, by their name."""


@dataclass(frozen=True, slots=True)
class Ablation:
    """What is taken out of the agent; nothing by default.

    Attributes:
        without: Modules whose steps leave the plan.
        instead: Other modules, by the name of the module they stand in for.
        drop_context, drop_provider: Whether the text, or the map, is kept from the agent.
        one_by_one: Whether tool calls wait for each other.
        told: What modules are told beside the run's settings, by their name.
    """

    name: str = ""
    without: frozenset[str] = frozenset()
    instead: Mapping[str, Callable[[], Module]] | None = None
    drop_context: bool = False
    drop_provider: bool = False
    one_by_one: bool = False
    told: Told = field(default_factory=dict)

    def agent(self, desk: Desk, reasoner: Reasoner, told: Told | None = None) -> MapAgent:
        """The agent, so changed; `told` is what the task tells modules."""
        settings = self.settings(desk, told)
        if not self.without and not self.instead:
            return MapAgent(settings, provider=desk.provider, clock=desk.clock, reasoner=reasoner)
        substitutes = {make().name: make() for make in (self.instead or {}).values()}
        names = {name: make().name for name, make in (self.instead or {}).items()}
        has_provider = desk.provider is not None and not self.drop_provider
        replanning = _Replanning(reasoner, self.without, names, has_provider=has_provider)
        return MapAgent(
            settings, provider=desk.provider, clock=desk.clock, reasoner=replanning, modules=substitutes
        )

    def settings(self, desk: Desk, told: Told | None = None) -> Settings:
        """The run's settings, so changed."""
        return desk.settings.model_copy(
            update={"modules": _merged(desk.settings.modules, told or {}, self.told)}
            | ({"concurrency": 1} if self.one_by_one else {})
        )


RECOMMENDER_PARTS = {
    "sparse-spatial": "sparse",
    "dense-spatial": "dense_spatial",
    "dense-semantic": "dense_semantic",
    "pareto": "pareto",
    "reranking": "rerank",
}
"""Rows of table 4 of Spatial-RAG, "w/o ...", and what the recommender calls the part."""

SPATIAL_TOOLS = {
    "parse-question": "ParseQuestion",
    "calculate-metric": "CalculateMetric",
    "get-region-geometry": "GetRegionGeometry",
    "get-poi-filter": "GetPOIFilter",
    "resolve-location": "ResolveLocation",
}
"""Tools in the order in which table 5 of Geo-ReAct takes them away, one after the other."""

ABLATIONS = {
    one.name: one
    for one in (
        Ablation("flat-tools", instead={"map_service": FlatTools}),
        Ablation("no-sequencer", without=frozenset({"sequencer"})),
        Ablation(
            "no-computed-facts", without=frozenset({"sequencer"}), instead={"solution_generator": StatedOnly}
        ),
        Ablation("no-verification", instead={"solution_generator": Unverified}),
        Ablation("context-only", drop_provider=True),
        Ablation("tools-only", drop_context=True),
        Ablation("sequential", one_by_one=True),
        *(
            Ablation(f"no-{name}", told={"recommender": {"without": [part]}})
            for name, part in RECOMMENDER_PARTS.items()
        ),
        Ablation("step-by-step", told={"spatial_database": {"way": "loop"}}),
        *(
            Ablation(
                f"no-{name}",
                told={
                    "spatial_database": {"way": "loop", "without": list(SPATIAL_TOOLS.values())[: number + 1]}
                },
            )
            for number, name in enumerate(SPATIAL_TOOLS)
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


class _Replanning:
    """A reasoner whose plans lack some modules and have others in the place of some."""

    def __init__(
        self, inner: Reasoner, without: frozenset[str], names: Mapping[str, str], *, has_provider: bool
    ) -> None:
        self.name = inner.name
        self._inner = inner
        self._without = without
        self._names = names
        self._has_provider = has_provider

    async def plan(self, question: Question, *, names: NameHints | None, account: Account) -> Understanding:
        """The inner reasoner's plan, or the default one, changed."""
        understanding = await self._inner.plan(question, names=names, account=account)
        plan = understanding.plan or default_plan(question, understanding, has_provider=self._has_provider)
        return understanding.model_copy(update={"plan": self._changed(plan)})

    async def next_calls(
        self,
        question: Question,
        understanding: Understanding,
        evidence: tuple[Evidence, ...],
        *,
        account: Account,
    ) -> tuple[ToolCall, ...]:
        """As the inner reasoner."""
        return await self._inner.next_calls(question, understanding, evidence, account=account)

    async def conclude(
        self,
        question: Question,
        understanding: Understanding,
        evidence: tuple[Evidence, ...],
        *,
        closed: bool,
        account: Account,
    ) -> Solution:
        """As the inner reasoner."""
        return await self._inner.conclude(question, understanding, evidence, closed=closed, account=account)

    def _changed(self, plan: Plan) -> Plan:
        """Steps that leave hand their dependencies on to those that waited for them."""
        gone = {step.id: step for step in plan.steps if step.module in self._without}

        def needed(step: Step) -> tuple[str, ...]:
            own = (each for each in step.depends_on)
            flat = (needed(gone[each]) if each in gone else (each,) for each in own)
            return tuple(dict.fromkeys(each for part in flat for each in part))

        return Plan(
            steps=tuple(
                step.model_copy(
                    update={"module": self._names.get(step.module, step.module), "depends_on": needed(step)}
                )
                for step in plan.steps
                if step.id not in gone
            )
        )
