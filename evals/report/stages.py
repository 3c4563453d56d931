"""At which stage a wrong answer went wrong, told from its record and its trace; and of a whole run.

The stages are those of the MapAgent paper's error analysis (section 6): the planner's choice of modules, the
map-tool agent's choice of tool and of its arguments, the solution, and the extraction of the answer. What a
trace shows decides, from the first stage to the last: a step that failed explains whatever came after it.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

from evals.runner.folder import read_trace
from evals.runner.records import Record
from map_tools.errors import (
    LimitError,
    NoRouteError,
    PlaceNotFoundError,
    ProviderError,
    ToolError,
    UnsupportedError,
)
from map_tools.text import normalise
from mapagent.core.answer import Status

type Trace = Mapping[str, Any]


class Stage(StrEnum):
    """Where an answer went wrong."""

    FAILED = "failed"
    """The run of the question itself: an error, a limit, a provider or model that refused."""
    READING = "question not understood"
    MODULES = "wrong modules"
    """A module that the facts had to come from is not in the plan, or broke."""
    TOOL = "wrong tool"
    """No tool was called, one that does not exist, or one that cannot do it."""
    ARGUMENTS = "wrong arguments"
    """A tool was called for a place, a way or a value that it does not know."""
    FACTS = "facts missing"
    """Tools and text answered, but what came back does not hold what is asked."""
    OVERCONFIDENT = "answered the unanswerable"
    SOLUTION = "right facts, wrong solution"
    EXTRACTION = "wrong extraction"
    """The right option is what was worked out, but another one, or none, was taken."""
    UNKNOWN = "no trace"


_ARGUMENT_CODES = frozenset({PlaceNotFoundError.code, NoRouteError.code, "ambiguous"})
_TOOL_CODES = frozenset({ToolError.code, UnsupportedError.code})
_FAILED_CODES = frozenset({LimitError.code, ProviderError.code, "model", "model_reply"})
_GATHERING = frozenset({"map_service", "flat_tools", "context_reader", "spatial_database", "recommender"})
"""Modules that bring facts."""
MIN_TOLD_CHARS = 3
"""A shorter option ("7") occurs in every derivation by chance."""


def stage_of(record: Record, trace: Trace | None) -> Stage:
    """The stage of a wrong answer. Without a trace only what the record tells."""
    if record.error or record.status in (Status.ERROR, Status.LIMIT):
        return Stage.FAILED
    if record.status == Status.NOT_UNDERSTOOD:
        return Stage.EXTRACTION if record.invalid else Stage.READING
    if trace is None or not trace.get("answer"):
        return Stage.UNKNOWN
    return next((stage for stage, test in _TESTS if test(record, trace)), Stage.SOLUTION)


def _wrong_modules(_record: Record, trace: Trace) -> bool:
    plan = trace["answer"]["plan"]
    brings_facts = any(step["module"] in _GATHERING for step in plan)
    return bool(plan) and (not brings_facts or "module" in _codes(trace))


def _wrong_tool(record: Record, trace: Trace) -> bool:
    plan_asks_map = any(step["module"] in ("map_service", "flat_tools") for step in trace["answer"]["plan"])
    return bool(_codes(trace) & _TOOL_CODES) or (plan_asks_map and record.tool_calls == 0 and record.refused)


def _wrong_arguments(record: Record, trace: Trace) -> bool:
    """A failed call explains a refusal; an answer that came about all the same has another fault."""
    found_nothing = record.refused or record.invalid
    return found_nothing and (record.status == Status.AMBIGUOUS or bool(_codes(trace) & _ARGUMENT_CODES))


def _wrong_extraction(record: Record, trace: Trace) -> bool:
    """The derivation ends in the right option's words, or nothing readable was chosen."""
    if record.invalid:
        return True
    gold = trace.get("gold")
    options: Sequence[str] = trace.get("options", ())
    if not isinstance(gold, int) or not 0 <= gold < len(options):
        return False
    said, derived = normalise(options[gold]), f" {normalise(trace['answer'].get('explanation', ''))} "
    return len(said) >= MIN_TOLD_CHARS and f" {said} " in derived


def _failed(_record: Record, trace: Trace) -> bool:
    return bool(_codes(trace) & _FAILED_CODES)


def _overconfident(record: Record, _trace: Trace) -> bool:
    return not record.answerable


def _facts_missing(record: Record, _trace: Trace) -> bool:
    return record.refused


def _codes(trace: Trace) -> set[str]:
    """Codes of the failures that the answer gives as its reason; others did no harm."""
    reason = trace["answer"].get("reason", "")
    failures = (item for item in trace["answer"]["evidence"] if item.get("code"))
    return {item["code"] for item in failures if item["message"] in reason}


_TESTS: tuple[tuple[Stage, Callable[[Record, Trace], bool]], ...] = (
    (Stage.OVERCONFIDENT, _overconfident),
    (Stage.FAILED, _failed),
    (Stage.MODULES, _wrong_modules),
    (Stage.TOOL, _wrong_tool),
    (Stage.ARGUMENTS, _wrong_arguments),
    (Stage.EXTRACTION, _wrong_extraction),
    (Stage.FACTS, _facts_missing),
)


def stage_counts(folder: Path, records: Iterable[Record]) -> dict[str, int]:
    """How many wrong answers went wrong at each stage, most frequent first."""
    return dict(Counter(stage for _, stage in stages(folder, records)).most_common())


def stages(folder: Path, records: Iterable[Record]) -> list[tuple[str, str]]:
    """(id, stage) of each wrong answer, in the order of the records."""
    return [
        (record.id, stage_of(record, read_trace(folder, record.id)).value)
        for record in records
        if not record.correct
    ]
