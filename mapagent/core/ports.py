"""The kernel's ports: what a planner, an interpreter and a module are, and what they work with."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from map_tools.clock import Clock
from map_tools.facts import Fact
from map_tools.providers.base import Provider
from map_tools.types import Frozen
from mapagent.core.answer import Answer, Evidence, Plan, Source, Step
from mapagent.core.question import Question
from mapagent.runtime.config import Settings
from mapagent.runtime.ledger import Ledger
from mapagent.runtime.trace import Trace


class ToolCall(Frozen):
    """One call of a map tool."""

    tool: str
    arguments: dict[str, Any]


@runtime_checkable
class NameHints(Protocol):
    """Tells planners whether words are the name of a place, on maps where looking this up is free."""

    def score(self, text: str) -> float:
        """How well the best place matches these words, 0 to 1."""
        ...

    def exact(self, text: str) -> bool:
        """Whether a place has exactly this name, ignoring case and punctuation."""
        ...


class Watcher:
    """Observes a run while it is under way; this one ignores everything.

    Its methods are called on the event loop, so they must return at once.
    """

    def planned(self, plan: Plan) -> None:
        """The plan is complete and about to be carried out."""

    def started(self, step: Step) -> None:
        """A step begins."""

    def found(self, step: Step, evidence: tuple[Evidence, ...]) -> None:
        """A map tool has answered; the evidence counts once the step brings it back."""

    def finished(self, step: Step, evidence: tuple[Evidence, ...]) -> None:
        """A step is done; this is all the evidence it brought back."""


@dataclass(frozen=True)
class RequestContext:
    """The ledger, trace and watcher of one question."""

    ledger: Ledger = field(default_factory=Ledger)
    trace: Trace = field(default_factory=Trace)
    watcher: Watcher = field(default_factory=Watcher)


@runtime_checkable
class Closable(Protocol):
    """A component that holds resources until it is closed; a planner may be one."""

    async def close(self) -> None:
        """Frees its resources."""
        ...


class Run(Protocol):
    """One question while it is being answered: what planners, the interpreter and modules work with."""

    question: Question
    provider: Provider | None
    """Source of the facts: the map, the supplied text, or both; None if there is neither."""
    clock: Clock
    request_context: RequestContext
    settings: Settings
    kept: dict[str, Any]
    """What the interpreter keeps between the programs of the question."""

    @property
    def names(self) -> NameHints | None:
        """The names of the map, if looking one up is free; else None."""
        ...

    @property
    def own_names(self) -> tuple[str, ...]:
        """The names of the user's own places that occur in the question or the turns before it."""
        ...

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """All evidence so far, in the order in which it was asked for."""
        ...

    async def execute(self, program: str) -> Answer:
        """Runs a program of the query language and verifies the result.

        Raises:
            ProgramError: The program cannot be run; the message says which line and how to mend it.
        """
        ...

    def over(self, provider: Provider, question: Question) -> "Run":
        """A run of a question over a source of facts in memory, without own places; evidence is shared.

        The deadline stays; its calls and rounds count for themselves, as they ask no service.
        """
        ...

    def describe(self, *, picture: bool = False, examples: int = 0) -> str:
        """Describes the language for models; see `Interpreter.describe`."""
        ...

    async def call_tool(self, step: Step, call: ToolCall) -> tuple[Evidence, ...]:
        """Makes a map-tool call within budget, deadline and limits; failures come back as evidence."""
        ...

    async def guarded(
        self, step: Step, work: Callable[[], Awaitable[tuple[Evidence, ...]]]
    ) -> tuple[Evidence, ...]:
        """Runs the work of a module; any error comes back as evidence of kind `failure`."""
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
        """Makes a piece of evidence with a unique id."""
        ...


class Planner(Protocol):
    """Understands language: turns a question into programs. It never computes."""

    name: str

    async def answer(self, run: Run) -> Answer:
        """Answers the question of a run by programs (`Run.execute`).

        Raises:
            LimitError: A budget is spent.
            ModelError: The model cannot be reached, or its replies are unusable.
        """
        ...


class PlannerFactory(Protocol):
    """What is registered under `mapagent.planners`: a class (or other object) that makes a planner."""

    def from_settings(self, settings: Settings) -> Planner:
        """Makes the planner that `settings.model` names; nothing is asked of a model server yet.

        Raises:
            UsageError: What it needs (a key, an address) is missing or wrong.
        """
        ...


class OperatorInfo(Protocol):
    """What the kernel and the interfaces know of an operator of the query language."""

    @property
    def name(self) -> str:
        """Its name in programs."""
        ...

    @property
    def module(self) -> str:
        """The module of the inventory that owns it."""
        ...

    @property
    def signature(self) -> str:
        """Its parameters with their types, and the type of its result."""
        ...

    @property
    def doc(self) -> str:
        """What it does, in a few lines."""
        ...


class Interpreter(Protocol):
    """Runs programs of the query language; registered under `mapagent.interpreters`."""

    @property
    def operators(self) -> Mapping[str, OperatorInfo]:
        """All operators that programs may call, by name: the built-in ones and those of plug-ins."""
        ...

    def sources(self, question: Question, provider: Provider | None) -> Provider | None:
        """The provider of the question's facts: the map, its supplied text as a separate world, or both."""
        ...

    async def answer(self, program: str, run: Run) -> Answer:
        """Checks, runs and verifies a program; see `Run.execute`."""
        ...

    def describe(self, *, picture: bool = False, examples: int = 0) -> str:
        """Describes the language for models and other programs: its operators and worked examples.

        Args:
            picture: Whether to include the operators that look at pictures.
            examples: Number of worked examples.
        """
        ...


@runtime_checkable
class Module(Protocol):
    """A module of the inventory: it owns operators; registered under `mapagent.modules`."""

    name: str
    description: str

    @property
    def operators(self) -> tuple[Any, ...]:
        """The operators it adds to the language (`modules.query.operators.base.Operator`)."""
        ...
