"""The kernel's ports: what a reasoner and a module are, and what a module is given to work with."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol, runtime_checkable

from map_tools.clock import Clock
from map_tools.facts import Fact
from map_tools.providers.base import Provider
from map_tools.types import Frozen
from mapagent.answer import Answer, Solution, Status
from mapagent.config import Settings
from mapagent.evidence import Evidence, Source
from mapagent.ledger import Ledger
from mapagent.plan import Plan, Step
from mapagent.question import Question
from mapagent.trace import Trace


class ToolCall(Frozen):
    """One call of a map tool, as a reasoner wants it."""

    tool: str
    arguments: dict[str, Any]


class Understanding(Frozen):
    """What a reasoner makes of a question.

    Attributes:
        intent: One of the closed set of intents (a frozen model with a `kind`), None for a free plan.
        plan: A plan of its own; None means the default plan for the intent.
        confidence: 0 to 1, how sure the reading is.
        now: The present moment by the agent's clock; None where facts hold at no known time (supplied text).
        status: `NOT_UNDERSTOOD` with `reason` where the question was not understood.
    """

    intent: Any = None
    plan: Plan | None = None
    confidence: float = 1.0
    now: datetime | None = None
    status: Status = Status.ANSWERED
    reason: str = ""


@runtime_checkable
class NameHints(Protocol):
    """Tells the language side whether words are the name of a place, where asking costs nothing."""

    def score(self, text: str) -> float:
        """0 to 1: how well the best place fits these words."""
        ...

    def exact(self, text: str) -> bool:
        """Whether a place is called exactly this, case and punctuation aside."""
        ...


class Watcher:
    """Is told how a run goes while it goes; this one pays no attention.

    Its methods are called on the event loop, so they must return at once.
    """

    def planned(self, plan: Plan) -> None:
        """The plan stands and is about to be carried out."""

    def started(self, step: Step) -> None:
        """A step begins."""

    def found(self, step: Step, evidence: tuple[Evidence, ...]) -> None:
        """A map tool has answered; the evidence counts once the step brings it back."""

    def finished(self, step: Step, evidence: tuple[Evidence, ...]) -> None:
        """A step is done; this is all the evidence it brought back."""


@dataclass(frozen=True)
class Account:
    """What a question's work is charged to, written down in and watched by: one for each question."""

    ledger: Ledger = field(default_factory=Ledger)
    trace: Trace = field(default_factory=Trace)
    watcher: Watcher = field(default_factory=Watcher)


class Reasoner(Protocol):
    """Understands language. It never computes: every number comes from `map_tools.compute`."""

    name: str

    async def plan(self, question: Question, *, names: NameHints | None, account: Account) -> Understanding:
        """Reads the question; `names` is there where looking up a name costs nothing.

        Raises:
            LimitError: A budget is spent.
            ModelError: The model cannot be reached or does not do as it is told.
        """
        ...

    async def next_calls(
        self,
        question: Question,
        understanding: Understanding,
        evidence: tuple[Evidence, ...],
        *,
        account: Account,
    ) -> tuple[ToolCall, ...]:
        """The map-tool agent's next round: calls that can run at once. Empty: enough is known."""
        ...

    async def conclude(
        self,
        question: Question,
        understanding: Understanding,
        evidence: tuple[Evidence, ...],
        *,
        closed: bool,
        account: Account,
    ) -> Solution:
        """What the evidence comes to, or why the question was not understood, if it was not.

        `closed`: no further fact can be fetched.
        """
        ...


@runtime_checkable
class Closable(Protocol):
    """A part that holds something until it is closed; a reasoner may be one."""

    async def close(self) -> None:
        """Frees what it holds."""
        ...


class ReasonerFactory(Protocol):
    """What is registered under `mapagent.reasoners`: a class (or other object) that makes a reasoner."""

    def from_settings(self, settings: Settings) -> Reasoner:
        """Makes the reasoner that `settings.model` names; nothing is asked of a model server yet.

        Raises:
            UsageError: What it needs (a key, an address) is missing or wrong.
        """
        ...


class Run(Protocol):
    """What a module may use while a question is being answered."""

    question: Question
    reasoner: Reasoner
    understanding: Understanding
    provider: Provider | None
    clock: Clock
    account: Account
    solution: Solution | None
    answer: Answer | None

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """All evidence so far, step by step in the plan's order."""
        ...

    @property
    def extras(self) -> Mapping[str, Any]:
        """Settings for modules by name (from the configuration's `[modules.NAME]`)."""
        ...

    def evidence_of(
        self,
        step: Step,
        fact: Fact,
        source: Source,
        *,
        derived_from: tuple[str, ...] = (),
        warnings: tuple[str, ...] = (),
    ) -> Evidence:
        """Makes a piece of evidence with an id of its own (it counts once the module returns it)."""
        ...

    async def call_tool(self, step: Step, call: ToolCall) -> tuple[Evidence, ...]:
        """Runs a map tool within budget, deadline and limits; failures come back as evidence."""
        ...


class StepResult(Frozen):
    """What a module brings back."""

    evidence: tuple[Evidence, ...] = ()
    solution: Solution | None = None
    answer: Answer | None = None


@runtime_checkable
class ModuleFactory(Protocol):
    """A class registered under `mapagent.modules` that wants the settings; one without is called bare."""

    def from_settings(self, settings: Settings) -> "Module":
        """Makes the module.

        Raises:
            UsageError: What it needs (a package, a key, a setting) is missing or wrong.
        """
        ...


class Module(Protocol):
    """Carries out a subgoal."""

    name: str
    description: str

    async def run(self, step: Step, run: Run) -> StepResult:
        """Does the work of one step. May raise `MapAgentError`; the executor records it as evidence."""
        ...
