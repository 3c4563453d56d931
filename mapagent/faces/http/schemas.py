"""What comes in and goes out over HTTP, as pydantic models (they make the OpenAPI description)."""

from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from map_tools.types import LatLng
from mapagent.images import MAX_BYTES

MAX_CONTEXT_CHARS = 4_000_000
MAX_IMAGE_CHARS = 4 * (MAX_BYTES // 3 + 1) + 64
"""A picture of `mapagent.images.MAX_BYTES` in Base64 (RFC 4648), and the head of a data URL."""
MAX_BODY_BYTES = MAX_IMAGE_CHARS + MAX_CONTEXT_CHARS + 1_000_000
MAX_NAME_CHARS = 200


class AskBody(BaseModel):
    """A question. Only `question` is needed."""

    model_config = ConfigDict(extra="forbid")

    question: str = Field(description="What you want to know, in words.")
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
    provider: str | None = Field(
        default=None, max_length=MAX_NAME_CHARS, description="One of the server's providers (/api/setup)."
    )
    map: str | None = Field(
        default=None, max_length=MAX_NAME_CHARS, description="One of the server's maps (/api/maps)."
    )
    model: str | None = Field(
        default=None, max_length=MAX_NAME_CHARS, description="One of the server's models (/api/setup)."
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


class AnswerRecord(BaseModel):
    """The object `mapagent ask --json` prints, and the id under which history and trace keep it."""

    id: str = Field(description="Names the answer in /api/history and /api/traces; empty if it is not kept.")
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


class ErrorRecord(BaseModel):
    """The body of every reply that is no success."""

    error: Problem


class MapRecord(BaseModel):
    """A map on this server. `bounds` is west, south, east, north in degrees."""

    name: str
    bounds: tuple[float, float, float, float]
    features: int
    routable: bool
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
