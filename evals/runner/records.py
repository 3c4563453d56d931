"""What is kept of each question, and what of a run as a whole.

A line of results.jsonl has ids and figures, never texts; a trace has plan, calls, evidence and answer, for browsing
and analysis; summary.json has the figures every run has.

Valid execution (VER) is counted twice, as Geo-ReAct (section 5.2) names both: "the percentage of valid queries",
and in its tables the share of questions with a non-empty answer and no execution error.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from pydantic import ConfigDict, TypeAdapter

from evals.metrics.statistics import mean, quantile, wilson
from evals.ports import Item, Score
from evals.runner.identity import RunRecord
from map_tools.errors import MapAgentError
from map_tools.facts import FailureFact
from mapagent.core.answer import Answer, Evidence, Status
from mapagent.core.ports import RequestContext
from mapagent.core.rendering import fact_text
from mapagent.runtime.trace import Span
from modules.spatial_database.database import SPAN

WRITTEN, RAN = "queries", "queries_ran"


def query_counts(spans: Iterable[Span]) -> dict[str, float]:
    """How many queries a question's trace has and how many of them ran; empty if it has none."""
    written = [span for span in spans if span.name == SPAN]
    if not written:
        return {}
    return {
        WRITTEN: float(len(written)),
        RAN: float(sum(not span.attributes.get("error") for span in written)),
    }


def query_figures(values: Iterable[Mapping[str, float]]) -> dict[str, Any]:
    """Count and valid share over the figures of all questions; empty where nothing was queried.

    Args:
        values: The figures of each question, those of `query_counts` among them.
    """
    counted = [(one[WRITTEN], one.get(RAN, 0.0)) for one in values if WRITTEN in one]
    written = sum(number for number, _ in counted)
    if not written:
        return {}
    ran = sum(number for _, number in counted)
    return {"queries": {"n": int(written), "ran": int(ran), "ver": ran / written}}


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
        status: How the agent said the question ended (`mapagent.core.answer.Status`).
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
    item: Item,
    score: Score,
    answer: Answer | None,
    request_context: RequestContext,
    error: MapAgentError | None = None,
) -> Record:
    """The record of a finished question; `answer` is None if the method failed with `error`."""
    usage = request_context.ledger.usage()
    return Record(
        id=item.id,
        category=item.category,
        group=item.group,
        answerable=item.answerable,
        correct=score.correct,
        refused=score.refused,
        invalid=score.invalid,
        option_index=answer.option_index if answer else None,
        status=_status(answer, request_context),
        confidence=answer.confidence if answer else 0.0,
        llm_calls=usage.llm_calls,
        tool_calls=usage.tool_calls,
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        cost_usd=usage.cost_usd,
        latency_s=usage.latency_s,
        error=error.code if error else "",
        values={**score.values, **query_counts(request_context.trace.spans)},
        trace_sha256=_digest(request_context),
    )


def _status(answer: Answer | None, request_context: RequestContext) -> str:
    if answer is None:
        return "error"
    said = [span.attributes.get("status") for span in request_context.trace.spans if span.name == ABSTAINED]
    return str(said[-1]) if said else answer.status.value


def _digest(request_context: RequestContext) -> str:
    """The same for two runs that did the same, whatever time it took."""
    shape: list[Any] = [
        (span.name, span.parent, span.status, {key: str(value) for key, value in span.attributes.items()})
        for span in request_context.trace.spans
    ]
    return hashlib.sha256(json.dumps(shape, sort_keys=True).encode()).hexdigest()


TRACE_FORMAT_VERSION = 1


def trace_text(
    item: Item,
    score: Score,
    answer: Answer | None,
    request_context: RequestContext,
    failure: MapAgentError | None,
) -> str:
    """One JSON object."""
    question = item.task.question
    return json.dumps(
        {
            "v": TRACE_FORMAT_VERSION,
            "id": item.id,
            "category": item.category,
            "question": question.text,
            "options": question.options,
            "gold": item.gold,
            "answerable": item.answerable,
            "score": score.model_dump(),
            "error": {"code": failure.code, "message": str(failure)} if failure else None,
            "answer": _answer(answer) if answer else None,
            "spans": [span.as_json() for span in request_context.trace.spans],
        },
        ensure_ascii=False,
        default=str,
    )


def _answer(answer: Answer) -> dict[str, object]:
    return {
        "status": answer.status.value,
        "text": answer.text,
        "option": answer.option,
        "option_index": answer.option_index,
        "reason": answer.reason,
        "explanation": answer.explanation,
        "confidence": answer.confidence,
        "warnings": answer.warnings,
        "plan": [step.model_dump(mode="json") for step in answer.plan.steps] if answer.plan else [],
        "evidence": [_evidence(item) for item in answer.evidence],
    }


def _evidence(item: Evidence) -> dict[str, object]:
    told: dict[str, object] = {
        "id": item.id,
        "step": item.step_id,
        "kind": item.kind,
        "tool": item.source.tool,
        "arguments": item.source.arguments,
        "fact": fact_text(item.value),
        "derived_from": item.derived_from,
    }
    if isinstance(item.value, FailureFact):
        told |= {"code": item.value.code, "message": item.value.message}
    return told


CASCADE = "cascade:"
"""Models of this prefix answer some questions without a language model, for nothing."""


def summary_of(run: RunRecord, records: Sequence[Record], metrics: dict[str, Any]) -> dict[str, Any]:
    """The summary of a run.

    A suite with a headline counts only that in "n", "correct" and "accuracy": what its gold cannot be trusted
    for is asked too, and stands in "by_category" and in the suite's own figures.

    Args:
        run: What was run.
        records: All questions that were asked.
        metrics: The suite's own figures; "headline" among them has "n" and "correct".
    """
    headline = metrics.get("headline") or {}
    n, right = headline.get("n", len(records)), headline.get("correct", _right(records))
    return {
        "suite": run.suite,
        "method": run.method,
        "model": run.model,
        "provider": run.provider,
        "protocol": run.protocol,
        "n": n,
        "correct": right,
        "accuracy": _share(right, n),
        "ci95": wilson(right, n),
        "by_category": by_category(records),
        "unanswerable": unanswerable(records),
        "cascade": cascade(run.model, records),
        "metrics": {**abstentions(records), **query_figures(one.values for one in records), **metrics},
        "llm_calls_mean": mean([record.llm_calls for record in records]),
        "tool_calls_mean": mean([record.tool_calls for record in records]),
        "tokens_mean": mean([record.tokens for record in records]),
        "cost_usd": round(sum(record.cost_usd for record in records), 6),
        "latency_s": {
            "p50": quantile([record.latency_s for record in records], 0.5),
            "p95": quantile([record.latency_s for record in records], 0.95),
        },
        "errors": sum(bool(record.error) for record in records),
        "seed": run.selection.get("seed"),
        "version": run.version,
        "data_sha256": run.data_sha256,
    }


def by_category(records: Iterable[Record]) -> dict[str, dict[str, Any]]:
    """Count, right ones, accuracy and interval of each category, by name."""
    members: dict[str, list[Record]] = {}
    for record in records:
        members.setdefault(record.category, []).append(record)
    return {
        name: {
            "n": len(group),
            "correct": _right(group),
            "accuracy": _share(_right(group), len(group)),
            "ci95": wilson(_right(group), len(group)),
        }
        for name, group in sorted(members.items())
    }


def unanswerable(records: Iterable[Record]) -> dict[str, Any]:
    """How many of the unanswerable are refused (recall), and of the answerable (false rate)."""
    gone = [record for record in records if not record.answerable]
    there = [record for record in records if record.answerable]
    return {
        "n": len(gone),
        "recall": _share(_refused(gone), len(gone)),
        "false_rate": _share(_refused(there), len(there)),
    }


def cascade(model: str, records: Sequence[Record]) -> dict[str, Any] | None:
    """How much was answered without the model, and how well; None where there is no cascade."""
    if not model.startswith(CASCADE):
        return None
    free = [record for record in records if record.llm_calls == 0]
    paid = [record for record in records if record.llm_calls > 0]
    return {
        "free_share": _share(len(free), len(records)),
        "accuracy_free": _share(_right(free), len(free)),
        "accuracy_model": _share(_right(paid), len(paid)),
    }


def abstentions(records: Sequence[Record]) -> dict[str, Any]:
    """How many refusals were not "unanswerable" but "I did not understand", and the accuracy without them."""

    def unread(record: Record) -> bool:
        return record.refused and record.status == Status.NOT_UNDERSTOOD

    strict = sum(record.correct and not unread(record) for record in records)
    return {
        "not_understood": _count(records, unread),
        "accuracy_if_not_understood_is_wrong": _share(strict, len(records)),
        "invalid": _count(records, lambda record: record.invalid),
    }


def _count(records: Iterable[Record], test: Callable[[Record], bool]) -> int:
    return sum(map(test, records))


def _right(records: Iterable[Record]) -> int:
    return sum(record.correct for record in records)


def _refused(records: Iterable[Record]) -> int:
    return sum(record.refused for record in records)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
