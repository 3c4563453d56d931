"""The line that is written for each row of a batch: the fields of `ask --json`."""

import json
from dataclasses import dataclass
from typing import Any

from map_tools.errors import LimitError, MapAgentError
from mapagent.core.answer import Answer, Status, Usage
from mapagent.interfaces.cli.show import as_record

INVALID = "invalid"
"""Status of a row that is no question."""
COLUMNS = {
    "status": "VARCHAR",
    "answer": "VARCHAR",
    "option": "VARCHAR",
    "option_index": "INTEGER",
    "unanswerable": "BOOLEAN",
    "reason": "VARCHAR",
    "confidence": "DOUBLE",
    "explanation": "VARCHAR",
    "warnings": "VARCHAR[]",
    "evidence": "VARCHAR",
    "plan": "VARCHAR",
    "program": "VARCHAR",
    "understood": "VARCHAR",
    "parts": "VARCHAR",
    "places": "VARCHAR",
    "candidates": "VARCHAR",
    "usage": "STRUCT(llm_calls INTEGER, tool_calls INTEGER, prompt_tokens INTEGER, completion_tokens INTEGER,"
    " cost_usd DOUBLE, latency_s DOUBLE)",
    "model": "VARCHAR",
    "provider": "VARCHAR",
    "map": "VARCHAR",
    "attribution": "VARCHAR",
    "base_map": "VARCHAR",
}
"""Columns of the table of answers with DuckDB's names of their types."""
_AS_TEXT = ("evidence", "plan", "parts", "places", "candidates")
"""Fields whose shape differs from row to row: JSON in a column of text."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a row.

    Attributes:
        line: One line of JSON with its end.
        cost_usd: What it cost.
        cut_short: It ended at the run's money and at no limit of its own, so it has to be asked again.
    """

    line: bytes
    cost_usd: float = 0.0
    cut_short: bool = False


def outcome_of(number: int, answer: Answer, *, cut_short: bool = False) -> Outcome:
    """The outcome of a row with an answer, of whatever status."""
    return _outcome(number, as_record(answer), cut_short=cut_short)


def invalid(number: int, error: MapAgentError) -> Outcome:
    """The outcome of a row that is no question."""
    return _outcome(number, as_record(failure(error)) | {"status": INVALID})


def failure(error: MapAgentError, usage: Usage | None = None) -> Answer:
    """The answer to a question that ended with an error or at a limit."""
    status = Status.LIMIT if isinstance(error, LimitError) else Status.ERROR
    return Answer(status=status, text="", reason=str(error), usage=usage or Usage())


def _outcome(number: int, record: dict[str, Any], *, cut_short: bool = False) -> Outcome:
    texts = {name: json.dumps(record[name], ensure_ascii=False) for name in _AS_TEXT}
    line = {"row": number, **record, **texts}
    return Outcome(f"{json.dumps(line)}\n".encode(), record["usage"]["cost_usd"], cut_short)
