"""What an evaluation is made of: a suite gives items and scores answers, a method answers tasks.

Suites are found under the entry-point group `mapagent.suites`, methods under `mapagent.methods`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol, runtime_checkable

from pydantic import Field

from map_tools.clock import Clock, SystemClock
from map_tools.facts import Fact
from map_tools.providers.base import Provider
from map_tools.spatial_db.port import SpatialDatabase
from map_tools.types import Frozen
from mapagent.core.answer import Answer
from mapagent.core.ports import RequestContext, ToolCall
from mapagent.core.question import Question
from mapagent.llm.chat import ChatModel
from mapagent.runtime.config import Settings

type OfferRule = Literal["fair", "official"]


class Task(Frozen):
    """What a method is given: the question, and nothing that tells the right answer.

    Attributes:
        question: With options, and with context or picture where the suite has one.
        may_refuse: "Unanswerable" is one of the choices. Where it is not, a refusal counts as wrong.
        ranked: So many places are wanted, best first; None where it is for the question to say.
    """

    question: Question
    may_refuse: bool = True
    ranked: int | None = Field(default=None, ge=1, le=20)


class Item(Frozen):
    """One question of a suite with what is needed to judge the answer.

    Attributes:
        id: Unique in the suite.
        category: What it is counted under; unanswerable questions are a category of their own.
        gold: The right answer, in the suite's own JSON-ready form (never shown to a method).
        answerable: False if the right answer is that there is none.
        group: Items made from one another (an original and its unanswerable twin) share a group.
        defective: Why the item is known to be wrong, empty if it is sound.
        apart: Why the item is reported apart and never counts in the suite's headline, empty if it counts.
    """

    id: str
    category: str
    task: Task
    gold: Any = None
    answerable: bool = True
    group: str = ""
    defective: str = ""
    apart: str = ""


class Score(Frozen):
    """How an answer was judged.

    Attributes:
        correct: Right or not.
        refused: The answer was that there is none.
        invalid: Neither an answer nor a refusal could be read out of it.
        values: Further figures by name (relative error, F1, ...).
    """

    correct: bool
    refused: bool = False
    invalid: bool = False
    values: dict[str, float] = Field(default_factory=dict)


class FurtherTools(Protocol):
    """Tools beside the map tools, as an agent uses them for one question."""

    @property
    def names(self) -> tuple[str, ...]:
        """Their names."""
        ...

    def card(self, name: str) -> str:
        """One of them in words: name, what it is for, arguments."""
        ...

    async def call(self, call: ToolCall) -> Fact:
        """Makes a call; what goes wrong comes back as a failure."""
        ...


@dataclass(frozen=True)
class EvalContext:
    """What a method may use; the same for all methods of a run.

    Attributes:
        settings: The run's settings (model, provider, limits).
        provider: The map, None for suites whose questions bring their context.
        model: The language model, None for "offline".
        clock: Tells "now".
        database: The features of the map in SQL, for methods that ask for it (`UsesDatabase`); else None.
        further_tools: Tools beside the four map tools, for agents that call tools.
    """

    settings: Settings
    provider: Provider | None = None
    model: ChatModel | None = None
    clock: Clock = field(default_factory=SystemClock)
    database: SpatialDatabase | None = None
    further_tools: FurtherTools | None = None


class Suite(Protocol):
    """A benchmark: its items, its scoring, its own figures."""

    name: str

    def load(self, data: Path, protocol: OfferRule) -> tuple[Item, ...]:
        """The items in the file's order.

        Raises:
            InputFileError: A line that cannot be read, a duplicate id, an unknown category: with its place.
        """
        ...

    def provider(self, data: Path, settings: Settings, world: Path | None = None) -> Provider | None:
        """The map the questions are asked over; None: the one the settings name, or none is needed.

        `world` is what `--world` names: a recorded world, or what the suite builds one from. The caller
        closes the provider.
        """
        ...

    def score(self, item: Item, answer: Answer) -> Score:
        """Judges an answer."""
        ...

    def metrics(self, judged: Sequence[tuple[Item, Score]]) -> dict[str, Any]:
        """The suite's own figures, beside those every suite has."""
        ...


@runtime_checkable
class HasNotes(Protocol):
    """A suite that has something to say about how its data was prepared (after `load` and `provider`)."""

    def notes(self) -> Mapping[str, Any]:
        """JSON-ready figures for the run record, never texts of the data."""
        ...

    def warnings(self) -> Sequence[str]:
        """What the user is told before the run; shown, never recorded."""
        ...


@runtime_checkable
class ScoresRuns(Protocol):
    """A suite that judges what a method did beside what it answered."""

    def score_run(self, item: Item, answer: Answer, request_context: RequestContext) -> Score:
        """Judges an answer with the trace and the ledger of its run; takes the place of `Suite.score`."""
        ...


@runtime_checkable
class HasItemMaps(Protocol):
    """A suite with a map for each item instead of one for all."""

    def map_of(self, item: Item) -> Provider:
        """The map this item is asked over; the caller closes it."""
        ...


class Method(Protocol):
    """An agent under test."""

    name: str

    async def answer(self, task: Task, context: EvalContext, request_context: RequestContext) -> Answer:
        """Answers one task; may raise `MapAgentError`, which the runner records as an error."""
        ...


@runtime_checkable
class UsesDatabase(Protocol):
    """A method that asks the spatial database of the desk, where `uses_database` is true."""

    uses_database: bool


@runtime_checkable
class HasClose(Protocol):
    """Something that holds connections and frees them at the end of a run."""

    async def close(self) -> None:
        """Frees what is held."""
        ...


@runtime_checkable
class HasVariants(Protocol):
    """A method (or its class) that comes in variants: `--method NAME:VARIANT` runs one of them."""

    def variant(self, variant: str) -> Method:
        """The variant.

        Raises:
            UnknownNameError: There is no such variant; says which there are.
        """
        ...
