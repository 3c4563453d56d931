"""summary.json: the figures every run has."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from evals.metrics.queries import query_figures
from evals.metrics.statistics import mean, quantile, wilson
from evals.runner.identity import RunRecord
from evals.runner.records import Record
from mapagent.answer import Status

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
