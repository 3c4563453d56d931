"""The agent with one thing taken out, by its own settings and never by flags inside the agent.

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
from dataclasses import dataclass, field
from typing import Any

from evals.ports import Desk
from map_tools.errors import UnknownNameError
from mapagent.agent import MapAgent
from mapagent.config import Settings
from mapagent.ports import Planner

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

    def agent(self, desk: Desk, planner: Planner, told: Told | None = None) -> MapAgent:
        """The agent, so changed; `told` is what the task tells modules."""
        return MapAgent(self.settings(desk, told), provider=desk.provider, clock=desk.clock, planner=planner)

    def settings(self, desk: Desk, told: Told | None = None) -> Settings:
        """The run's settings, so changed."""
        modules = _merged(desk.settings.modules, told or {}, self.told)
        return desk.settings.model_copy(update={"modules": modules, **self.changes})


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
