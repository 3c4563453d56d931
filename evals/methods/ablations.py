"""The agent with one thing taken out, by other plans and modules and never by flags inside the agent.

- `flat-tools`: no map-tool agent; calls are chosen once, from the question alone (`FlatTools`).
- `no-sequencer`: the sequencer's step leaves the plan.
- `no-computed-facts`: nothing is computed after the evidence; neither sequencer nor solver (`StatedOnly`).
- `no-verification`: the answer is not checked against the evidence (`Unverified`).
- `context-only`: no map tools.
- `tools-only`: the question without its context.
- `sequential`: one tool call at a time.

The first is what the MapAgent paper holds against its rivals (section 2 and appendix A: one flat layer of
tools and nobody who looks at their replies); context and tools are its figure 4.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from evals.methods.substitutes import FlatTools, StatedOnly, Unverified
from evals.ports import Desk
from map_tools.errors import UnknownNameError
from mapagent.agent import MapAgent
from mapagent.answer import Solution
from mapagent.evidence import Evidence
from mapagent.plan import Plan, Step
from mapagent.planner import default_plan
from mapagent.ports import Account, Module, NameHints, Reasoner, ToolCall, Understanding
from mapagent.question import Question


@dataclass(frozen=True, slots=True)
class Ablation:
    """What is taken out of the agent; nothing by default.

    Attributes:
        without: Modules whose steps leave the plan.
        instead: Other modules, by the name of the module they stand in for.
        drop_context, drop_provider: Whether the text, or the map, is kept from the agent.
        one_by_one: Whether tool calls wait for each other.
    """

    name: str = ""
    without: frozenset[str] = frozenset()
    instead: Mapping[str, Callable[[], Module]] | None = None
    drop_context: bool = False
    drop_provider: bool = False
    one_by_one: bool = False

    def agent(self, desk: Desk, reasoner: Reasoner) -> MapAgent:
        """The agent, so changed."""
        settings = desk.settings.model_copy(update={"concurrency": 1}) if self.one_by_one else desk.settings
        if not self.without and not self.instead:
            return MapAgent(settings, provider=desk.provider, clock=desk.clock, reasoner=reasoner)
        substitutes = {make().name: make() for make in (self.instead or {}).values()}
        names = {name: make().name for name, make in (self.instead or {}).items()}
        has_provider = desk.provider is not None and not self.drop_provider
        replanning = _Replanning(reasoner, self.without, names, has_provider=has_provider)
        return MapAgent(
            settings, provider=desk.provider, clock=desk.clock, reasoner=replanning, modules=substitutes
        )


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
