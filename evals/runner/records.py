"""The line that is written for each question: ids and figures, never texts."""

import hashlib
import json
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from pydantic import ConfigDict, TypeAdapter

from evals.metrics.queries import query_counts
from evals.ports import Item, Score
from map_tools.errors import MapAgentError
from mapagent.answer import Answer
from mapagent.ports import Account

FORMAT_VERSION = 1
ABSTAINED = "abstained"
"""Event of a method that turned an agent's status (kept in the event) into the refusal a benchmark knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One line of results.jsonl. All records of a run are held in memory, so they are small.

    Attributes:
        id: Of the item. `group`: items made from one another share it.
        correct, refused, invalid: As the suite judged (`evals.ports.Score`).
        option_index: The option chosen, None if none was.
        status: How the agent said the question ended (`mapagent.answer.Status`).
        error: Code of the error the method failed with, empty if it did not.
        values: The suite's own figures for the item, and how many SQL queries were made and ran.
        trace_sha256: Digest of the trace (names, attributes, nesting; not the times).
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    v: int = FORMAT_VERSION
    id: str
    category: str
    group: str = ""
    answerable: bool = True
    correct: bool
    refused: bool = False
    invalid: bool = False
    option_index: int | None = None
    status: str = ""
    confidence: float = 0.0
    llm_calls: int = 0
    tool_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float = 0.0
    latency_s: float = 0.0
    error: str = ""
    values: dict[str, float] = field(default_factory=dict)
    trace_sha256: str = ""

    @property
    def tokens(self) -> int:
        """Tokens read and written."""
        return self.prompt_tokens + self.completion_tokens


def as_line(record: Record) -> bytes:
    """The record as one line of JSON with its end."""
    return _adapter().dump_json(record) + b"\n"


def from_line(line: bytes) -> Record:
    """Reads a line.

    Raises:
        pydantic.ValidationError: It is not JSON, or not a record.
    """
    return _adapter().validate_json(line)


@lru_cache(maxsize=1)
def _adapter() -> TypeAdapter[Record]:
    return TypeAdapter(Record)


def record_of(
    item: Item, score: Score, answer: Answer | None, account: Account, error: MapAgentError | None = None
) -> Record:
    """The record of a finished question; `answer` is None if the method failed with `error`."""
    usage = account.ledger.usage()
    return Record(
        id=item.id,
        category=item.category,
        group=item.group,
        answerable=item.answerable,
        correct=score.correct,
        refused=score.refused,
        invalid=score.invalid,
        option_index=answer.option_index if answer else None,
        status=_status(answer, account),
        confidence=answer.confidence if answer else 0.0,
        llm_calls=usage.llm_calls,
        tool_calls=usage.tool_calls,
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        cost_usd=usage.cost_usd,
        latency_s=usage.latency_s,
        error=error.code if error else "",
        values={**score.values, **query_counts(account.trace.spans)},
        trace_sha256=_digest(account),
    )


def _status(answer: Answer | None, account: Account) -> str:
    if answer is None:
        return "error"
    said = [span.attributes.get("status") for span in account.trace.spans if span.name == ABSTAINED]
    return str(said[-1]) if said else answer.status.value


def _digest(account: Account) -> str:
    """The same for two runs that did the same, whatever time it took."""
    shape: list[Any] = [
        (span.name, span.parent, span.status, {key: str(value) for key, value in span.attributes.items()})
        for span in account.trace.spans
    ]
    return hashlib.sha256(json.dumps(shape, sort_keys=True).encode()).hexdigest()
