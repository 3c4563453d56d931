"""Error analysis: each kind of failure is put down to the stage that caused it."""

from typing import Any

import pytest

from evals.report.stages import Stage, stage_of
from evals.runner.records import Record

PLAN = ("map_service", "sequencer", "solution_generator", "answer_generator")


def record(**values: Any) -> Record:
    told: dict[str, Any] = {
        "id": "1",
        "category": "trip",
        "correct": False,
        "status": "answered",
        "tool_calls": 2,
    }
    return Record(**(told | values))


def trace(
    *,
    modules: tuple[str, ...] = PLAN,
    codes: tuple[str, ...] = (),
    explanation: str = "",
    harmless: bool = False,
) -> Any:
    return {
        "options": ["19 mins", "21 mins"],
        "gold": 0,
        "answer": {
            "explanation": explanation,
            "plan": [{"id": name, "subgoal": "", "module": name} for name in modules],
            "reason": "" if harmless else " ".join(f"It says {code}." for code in codes),
            "evidence": [{"id": "e", "code": code, "message": f"It says {code}."} for code in codes],
        },
    }


@pytest.mark.parametrize(
    ("what", "shown", "stage"),
    [
        (record(error="model_reply"), trace(), Stage.FAILED),
        (record(status="limit"), trace(), Stage.FAILED),
        (record(refused=True), trace(codes=("provider",)), Stage.FAILED),
        (record(status="not_understood", refused=True), trace(), Stage.READING),
        (record(status="not_understood", invalid=True), trace(), Stage.EXTRACTION),
        (record(), trace(modules=("solution_generator", "answer_generator")), Stage.MODULES),
        (record(refused=True), trace(codes=("module",)), Stage.MODULES),
        (record(refused=True, tool_calls=0), trace(), Stage.TOOL),
        (record(refused=True), trace(codes=("tool",)), Stage.TOOL),
        (record(refused=True), trace(codes=("tool", "no_route"), harmless=True), Stage.FACTS),
        (record(refused=True), trace(codes=("place_not_found",)), Stage.ARGUMENTS),
        (record(refused=True, status="ambiguous"), trace(), Stage.ARGUMENTS),
        (record(refused=True), trace(), Stage.FACTS),
        (record(answerable=False), trace(), Stage.OVERCONFIDENT),
        (record(option_index=1), trace(explanation="14 mins + 5 mins = 19 mins"), Stage.EXTRACTION),
        (record(option_index=1), trace(explanation="14 mins + 7 mins = 21 mins"), Stage.SOLUTION),
        (
            record(option_index=1),
            trace(codes=("no_route",), harmless=True, explanation="21 mins"),
            Stage.SOLUTION,
        ),
        (record(), None, Stage.UNKNOWN),
    ],
)
def test_stages(what: Record, shown: Any, stage: Stage) -> None:
    assert stage_of(what, shown) is stage
