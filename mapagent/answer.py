"""Solutions and answers: what a question comes to, and on what evidence."""

from datetime import time
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import Field

from map_tools.providers.base import ANY_BASE_MAP
from map_tools.types import Frozen, Place
from mapagent.evidence import Evidence
from mapagent.plan import Plan


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
    """A place (or street, route, region) by its name; `place` where it is one of the map.

    `note` is what the question wants to know beside the name ("101 m"), or where a place without a name lies.
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
    """Names whose order means nothing (or is by rank, but all belong)."""

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


class Claim(Frozen):
    """One step of a derivation that verification can recompute on its own.

    `rule` names the computation ("sum", "min", "count", "distance", "open", "itinerary", "lookup", ...; see
    `modules.answer_generator.verify.rules`), `inputs` the evidence ids it is made from, `arguments` its other
    operands, `result` what the solver found.
    """

    rule: str
    inputs: tuple[str, ...]
    arguments: dict[str, Any] = Field(default_factory=dict)
    result: Any = None


class Solution(Frozen):
    """What the solution generator found, before options are matched and the answer is verified.

    Attributes:
        value: The best value; None if there is none.
        ranking: Further values in falling order, for questions whose best value is not among the options.
        explanation: Short derivation in words, with its numbers.
        derived: Computed facts to be recorded as evidence, each with the ids it was derived from.
        reason: Why there is no value (for unanswerable, ambiguous, not understood).
        reading: The intent it answers, with `confidence` (0 to 1), where the question was read anew after the
            run began; None: the run's understanding holds.
    """

    status: Status
    value: Value | None = None
    ranking: tuple[Value, ...] = ()
    explanation: str = ""
    claims: tuple[Claim, ...] = ()
    evidence_ids: tuple[str, ...] = ()
    reason: str = ""
    warnings: tuple[str, ...] = ()
    reading: Any = None
    confidence: float | None = None


class Usage(Frozen):
    """What a question cost."""

    llm_calls: int = 0
    tool_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float = 0.0
    latency_s: float = 0.0


class Answer(Frozen):
    """The answer to a question, with the evidence it rests on.

    Attributes:
        value: What `text` says, typed; None where there is no such value or the agent writes prose.
    """

    status: Status
    text: str
    value: Value | None = None
    option: str | None = None
    option_index: int | None = None
    reason: str = ""
    confidence: float = 0.0
    explanation: str = ""
    warnings: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    plan: Plan | None = None
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
