"""What comes in and goes out over HTTP, as pydantic models (they make the OpenAPI description)."""

from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from map_tools.types import LatLng
from mapagent.core.question import MAX_BYTES, Choice

MAX_CONTEXT_CHARS = 4_000_000
MAX_IMAGE_CHARS = 4 * (MAX_BYTES // 3 + 1) + 64
"""A picture of `mapagent.core.question.MAX_BYTES` in Base64 (RFC 4648), and the head of a data URL."""
MAX_BODY_BYTES = MAX_IMAGE_CHARS + MAX_CONTEXT_CHARS + 1_000_000
MAX_NAME_CHARS = 200
MAX_PROGRAM_CHARS = 64_000
"""More than any program may have: what is longer than that is told so by the language itself."""


class Asked(BaseModel):
    """What comes along with a question or a program."""

    model_config = ConfigDict(extra="forbid")

    options: tuple[str, ...] = Field(default=(), description="Answers to choose from.")
    context: str | None = Field(
        default=None, max_length=MAX_CONTEXT_CHARS, description="A text that holds the facts."
    )
    image: str | None = Field(
        default=None,
        max_length=MAX_IMAGE_CHARS,
        description="A map picture: Base64, or a data URL (data:image/png;base64,...).",
    )
    near: LatLng | None = Field(default=None, description="Where you are: what 'here' and 'near me' mean.")
    at: datetime | None = Field(
        default=None, description="The moment 'now' stands for; without a zone, the place's local time."
    )
    choice: Choice = Field(
        default=(),
        description="Which place an ambiguous name means: its `number` among the `candidates` of the answer "
        "before. Several numbers for several such names, in the order in which they came up.",
    )
    provider: str | None = Field(
        default=None, max_length=MAX_NAME_CHARS, description="One of the server's providers (/api/setup)."
    )
    map: str | None = Field(
        default=None, max_length=MAX_NAME_CHARS, description="One of the server's maps (/api/maps)."
    )


class AskBody(Asked):
    """A question. Only `question` is needed."""

    question: str = Field(description="What you want to know, in words.")
    model: str | None = Field(
        default=None, max_length=MAX_NAME_CHARS, description="One of the server's models (/api/setup)."
    )
    conversation: str | None = Field(
        default=None,
        max_length=MAX_NAME_CHARS,
        description="The `conversation` of an earlier answer, to ask on; null begins a new one.",
    )


class QueryBody(Asked):
    """A program of the query language. Only `program` is needed."""

    program: str = Field(
        max_length=MAX_PROGRAM_CHARS, description="Its text; /api/language describes the language."
    )
    question: str | None = Field(default=None, description="What it answers, in words, for the history.")
    conversation: str | None = Field(
        default=None,
        max_length=MAX_NAME_CHARS,
        description="The `conversation` of an earlier answer, to go on with: later questions may refer to this.",
    )


class EvidenceRecord(BaseModel):
    """One fact an answer rests on."""

    id: str
    kind: str
    tool: str
    provider: str
    fact: str
    derived_from: list[str]


class StepRecord(BaseModel):
    """One step of a plan."""

    id: str
    subgoal: str
    module: str
    depends_on: list[str]


class PartRecord(BaseModel):
    """A further thing that was asked for. Where it is not `known`, `text` says why."""

    text: str
    value: dict[str, Any] | None
    known: bool


class PlaceRecord(BaseModel):
    """A place. Its `id` can be given wherever a program or a question takes a place."""

    id: str
    name: str
    kind: str | None
    address: str | None
    lat: float | None
    lng: float | None


class CandidateRecord(PlaceRecord):
    """A place that an ambiguous name may mean; send its `number` as `choice` to choose it."""

    number: int
    asked: str = Field(description="The name.")
    told: str = Field(description="The place in a line, with what tells it from the others.")


class SpotRecord(BaseModel):
    """A place as others refer to it; the id of where the asker is, is "id:here"."""

    id: str
    name: str


class OpeningRecord(BaseModel):
    """Whether a place is open at a moment, and until when that stays so, in the place's local time."""

    open: bool
    at: datetime = Field(description="The moment: that of the question, else when it was answered.")
    until: datetime | None = Field(description="Null if that is not known, or longer than a year.")


class CardRecord(PlaceRecord):
    """A place as a person wants to see it. What the source does not have is null."""

    part: str | None = Field(description="The part of the answer that gives it; null for the answer itself.")
    phone: str | None
    website: str | None
    hours: str | None = Field(description="As the source writes them.")
    opening: OpeningRecord | None = Field(description="Null where the hours tell nothing of that moment.")
    distance_m: float | None = Field(description="In a straight line, from where it was searched.")
    distance_from: SpotRecord | None
    stay: int | None = Field(description="Of a trip: the number of the stay, from 1.")
    begin: datetime | None
    end: datetime | None


class WayStepRecord(BaseModel):
    """One instruction of a way."""

    instruction: str
    distance_m: float | None
    notes: list[str] = Field(description="What is told beside it, such as where and when one boards.")


class WayRecord(BaseModel):
    """A way between two places. `leg` is its number in the trip; `alternative`: another one is better."""

    evidence: str
    leg: int | None
    alternative: bool
    origin: SpotRecord
    destination: SpotRecord
    mode: str
    duration_s: float | None
    distance_m: float | None
    via: str
    depart_at: datetime | None
    arrive_at: datetime | None
    steps: list[WayStepRecord]


class AnswerRecord(BaseModel):
    """The object `mapagent ask --json` prints, its id for history and trace, its conversation, cards and ways."""

    id: str = Field(description="Names the answer in /api/history and /api/traces; empty if it is not kept.")
    conversation: str | None = Field(
        description="Send it along to ask on: the question may then refer to those before. Whoever has it "
        "may do so, and delete it. Null for a program that came without one, and where it was deleted meanwhile."
    )
    status: str
    answer: str
    option: str | None
    option_index: int | None
    unanswerable: bool
    reason: str
    confidence: float
    explanation: str
    warnings: list[str]
    evidence: list[EvidenceRecord]
    plan: list[StepRecord]
    program: str = Field(description="What was run, in the query language; POST it to /api/query to run it.")
    understood: str = Field(description="The program read back in words.")
    parts: dict[str, PartRecord] = Field(description="The further things that were asked for, by name.")
    places: list[PlaceRecord] = Field(description="The places that the answer gives, in order.")
    cards: list[CardRecord] = Field(
        description="The places to show: the stays of the trip, those that the answer and its parts give (at most "
        "100), else the one that it speaks of."
    )
    ways: list[WayRecord] = Field(description="The ways that the answer speaks of, in order.")
    candidates: list[CandidateRecord] = Field(
        description="The places that an ambiguous name may mean; `choice` takes the number of one."
    )
    usage: dict[str, Any]
    model: str
    provider: str
    map: str | None
    attribution: str
    base_map: str


class Problem(BaseModel):
    """What went wrong: one sentence that names the thing, and what to do about it."""

    code: str
    message: str
    remedy: str
    line: int | None = Field(
        default=None, description="Of a program: the line of the fault, 0 for all of it."
    )
    fault: str | None = Field(default=None, description="Of a program: what is wrong there.")
    mend: str | None = Field(default=None, description="Of a program: what to write instead.")


class ErrorRecord(BaseModel):
    """The body of every reply that is no success."""

    error: Problem


def failures(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """What the description says of replies that are no success."""
    return {status: {"model": ErrorRecord} for status in statuses}


class OperatorRecord(BaseModel):
    """An operator that programs may call, and the module that owns it."""

    name: str
    module: str
    signature: str
    description: str


class LanguageRecord(BaseModel):
    """The query language: `card` is what a model or a person needs to write programs, as Markdown."""

    card: str
    operators: list[OperatorRecord]


class MapRecord(BaseModel):
    """A map on this server. `bounds` is west, south, east, north in degrees."""

    name: str
    bounds: tuple[float, float, float, float]
    features: int
    routable: bool
    timetable: bool = Field(description="Whether it has a timetable of public transport.")
    timezone: str
    attribution: str
    attribution_url: str
    style: str = Field(description="Path of its MapLibre style.")
    examples: list[str] = Field(description="Questions to begin with.")


class ProviderRecord(BaseModel):
    """A provider a caller may choose."""

    name: str
    uses_maps: bool = Field(description="Whether it answers from one of this server's maps.")


class SetupRecord(BaseModel):
    """What a caller may choose from; the first model and provider are the defaults."""

    version: str
    models: list[str]
    providers: list[ProviderRecord]
    maps: list[MapRecord]
    default_map: str | None
    picture_bytes: int = Field(description="A picture may be no larger.")


class HistoryItem(BaseModel):
    """A question that was asked. `kept`: the whole answer can be had again; terms may forbid that."""

    id: str
    at: datetime
    question: str
    status: str
    answer: str
    model: str
    provider: str
    map: str | None
    kept: bool


class HistoryPage(BaseModel):
    """Questions, newest first; `before` asks for the next page, null if there is none."""

    items: list[HistoryItem]
    before: str | None
