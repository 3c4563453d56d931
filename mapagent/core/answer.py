"""Answers, with the plan they follow and the evidence they rest on."""

from collections.abc import Mapping
from datetime import datetime, time
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import Field

from map_tools.errors import PlanError
from map_tools.facts import Fact
from map_tools.providers.base import ANY_BASE_MAP
from map_tools.types import Frozen, Place, Shape, TravelMode


class Step(Frozen):
    """One subgoal and the module it is assigned to."""

    id: str
    subgoal: str
    module: str
    depends_on: tuple[str, ...] = ()
    inputs: dict[str, Any] = Field(default_factory=dict)


class Plan(Frozen):
    """A directed acyclic graph of steps; plans are data: printed, saved, edited, run again."""

    steps: tuple[Step, ...]

    def check(self, modules: frozenset[str]) -> None:
        """Raises `PlanError` naming what is wrong if the plan cannot run with these modules."""
        ids = [step.id for step in self.steps]
        if not ids:
            raise PlanError("The plan has no steps.")
        if len(set(ids)) != len(ids):
            twice = next(step_id for step_id in ids if ids.count(step_id) > 1)
            raise PlanError(f"The plan has two steps with the id '{twice}'.", "Give each step its own id.")
        for step in self.steps:
            if step.module not in modules:
                known = ", ".join(sorted(modules))
                raise PlanError(
                    f"Step '{step.id}' names the unknown module '{step.module}'.", f"Known: {known}."
                )
            for needed in step.depends_on:
                if needed not in ids:
                    raise PlanError(f"Step '{step.id}' depends on '{needed}', which is not in the plan.")
        self.order()

    def order(self) -> tuple[Step, ...]:
        """The steps in an order that respects the dependencies; `PlanError` if they form a cycle."""
        done: set[str] = set()
        left = list(self.steps)
        ordered: list[Step] = []
        while left:
            ready = [step for step in left if done.issuperset(step.depends_on)]
            if not ready:
                names = ", ".join(step.id for step in left)
                raise PlanError(f"The steps {names} wait for each other.", "Remove the cycle.")
            ordered += ready
            done.update(step.id for step in ready)
            left = [step for step in left if step.id not in done]
        return tuple(ordered)


CHOICE = "choice"
"""`Source.tool` of a fact that the user chose."""


class Source(Frozen):
    """Where a fact comes from.

    `tool` is a map tool's name, "context" for supplied text, "compute" for a computation, "choice" for what the user
    chose, or a module's name.
    """

    tool: str
    provider: str = ""
    arguments: dict[str, Any] = Field(default_factory=dict)
    time: datetime | None = None
    raw: str = ""
    """Handle of the raw payload in the trace, or the line of text the fact was read from."""


class Evidence(Frozen):
    """One piece of evidence. Frozen; computed facts name what they were derived from."""

    id: str
    step_id: str
    value: Fact
    source: Source
    derived_from: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """The kind of the fact ("place", "nearby", "routes", "travel", "note", "computed", "failure")."""
        return self.value.kind


class Status(StrEnum):
    """How a question ended."""

    ANSWERED = "answered"
    """There is an answer, and the evidence supports it."""
    UNANSWERABLE = "unanswerable"
    """The question was understood; the evidence does not answer it."""
    NOT_UNDERSTOOD = "not_understood"
    """Some of its words could not be read."""
    AMBIGUOUS = "ambiguous"
    """A name in it fits several places."""
    LIMIT = "limit"
    """A deadline, a number of calls or a budget ended the work."""
    ERROR = "error"
    """Something failed: a module, the map service, the model server."""


class Quantity(Frozen):
    """A number with its unit: "s", "m", "m2", "count", "deg", "rating", "price_level", "minutes_of_day"."""

    kind: Literal["quantity"] = "quantity"
    value: float
    unit: str


class ClockTime(Frozen):
    """A time of day, `day_offset` days after the day asked about."""

    kind: Literal["clock"] = "clock"
    at: time
    day_offset: int = 0


class YesNo(Frozen):
    """Yes or no."""

    kind: Literal["yes_no"] = "yes_no"
    value: bool


class Named(Frozen):
    """A place (or street, route, region) by its name; `place` is set if it is on the map.

    `note` is what the question asks for besides the name ("101 m"), or the location of an unnamed place.
    """

    kind: Literal["named"] = "named"
    name: str
    place: Place | None = None
    note: str = ""


class Text(Frozen):
    """Words from the source: an address, a phone number, an instruction, opening hours."""

    kind: Literal["text"] = "text"
    text: str
    topic: str = ""
    """What the words are: "address", "phone", "website", "instruction", "hours", "via", "mode", ..."""


class Sequence(Frozen):
    """Names in an order."""

    kind: Literal["sequence"] = "sequence"
    names: tuple[str, ...]


class NameSet(Frozen):
    """Names in no particular order (or ranked, where all of them belong to the answer)."""

    kind: Literal["names"] = "names"
    names: tuple[str, ...]


class ScheduleStop(Frozen):
    """A stop of a schedule: arrival and departure as minutes after midnight of the first day."""

    name: str
    arrive_min: float
    depart_min: float


class Schedule(Frozen):
    """A whole day's plan."""

    kind: Literal["schedule"] = "schedule"
    stops: tuple[ScheduleStop, ...]


class OptionPick(Frozen):
    """The solver judged the options one by one and found this one right (index from 0 in the question)."""

    kind: Literal["option"] = "option"
    index: int
    text: str


Value = Annotated[
    Quantity | ClockTime | YesNo | Named | Text | Sequence | NameSet | Schedule | OptionPick,
    Field(discriminator="kind"),
]


class Usage(Frozen):
    """What a question cost."""

    llm_calls: int = 0
    tool_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float = 0.0
    latency_s: float = 0.0


class Part(Frozen):
    """A further part of the answer, with its value or the reason why there is none.

    Attributes:
        known: False if `text` is that reason.
        places: The places in its value, in order.
        members: Of a list: its members, in order.
    """

    text: str
    value: Value | None = None
    known: bool = True
    places: tuple[Place, ...] = ()
    members: tuple["Part", ...] = ()


class TripVisit(Frozen):
    """A stay of a planned trip.

    Attributes:
        begin, end: Local time, with its UTC offset if the time zone is known; None if no clock or day is.
    """

    place: Place
    begin: datetime | None = None
    end: datetime | None = None


class TripLeg(Frozen):
    """A leg of a planned trip; its time and length are in the evidence."""

    origin: Place
    destination: Place
    mode: TravelMode


class Trip(Frozen):
    """The planned trip of an answer: its visits and the legs between them."""

    visits: tuple[TripVisit, ...]
    legs: tuple[TripLeg, ...] = ()


class Candidate(Frozen):
    """A place that a name may mean (`mapagent.core.rendering.told_apart` makes them).

    Attributes:
        asked: The name, as it was asked for.
        told: One line that distinguishes the place from the others: by its kind, street, district or position.
    """

    asked: str
    place: Place
    told: str


class Answer(Frozen):
    """The answer to a question, with the evidence it rests on.

    Attributes:
        value: The typed value of `text`; None if it has none or is prose.
        parts: The further things that were asked for, by name.
        understood: The question as it was understood: the program read back in words, with what was assumed.
        assumptions: Assumptions made: a name that is spelt differently on the map, a day that was not stated.
        program: The program that was run, in the query language.
        places: The places in the answer, in order.
        shapes: Geometry of the places that the program constructed (an area around a place), by place id.
        trip: The planned trip, if there is a feasible one.
        candidates: The places that an ambiguous name may mean, numbered from 1 in this order; to choose one,
            ask again with `choice=NUMBER`.
    """

    status: Status
    text: str = ""
    value: Value | None = None
    option: str | None = None
    option_index: int | None = None
    reason: str = ""
    confidence: float = 0.0
    explanation: str = ""
    warnings: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    plan: Plan | None = None
    parts: Mapping[str, Part] = Field(default_factory=dict)
    understood: str = ""
    assumptions: tuple[str, ...] = ()
    program: str = ""
    places: tuple[Place, ...] = ()
    shapes: Mapping[str, Shape] = Field(default_factory=dict)
    trip: Trip | None = None
    candidates: tuple[Candidate, ...] = ()
    usage: Usage = Usage()
    model: str = ""
    provider: str = ""
    map: str | None = None
    attribution: str = ""
    base_map: str = ANY_BASE_MAP
    """What the evidence may be drawn over: "any", or the name of the only base map allowed."""

    @property
    def unanswerable(self) -> bool:
        """True if the evidence does not answer the question."""
        return self.status is Status.UNANSWERABLE
