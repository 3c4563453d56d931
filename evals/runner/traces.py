"""What is kept of a question beside its record: plan, calls, evidence and answer, for browsing and analysis.

These files hold texts of questions and maps; they stay in the run's folder.
"""

import json

from evals.ports import Item, Score
from map_tools.errors import MapAgentError
from map_tools.facts import FailureFact
from mapagent.answer import Answer
from mapagent.evidence import Evidence
from mapagent.facttext import fact_text
from mapagent.ports import Account

FORMAT_VERSION = 1


def trace_text(
    item: Item, score: Score, answer: Answer | None, account: Account, failure: MapAgentError | None
) -> str:
    """One JSON object."""
    question = item.task.question
    return json.dumps(
        {
            "v": FORMAT_VERSION,
            "id": item.id,
            "category": item.category,
            "question": question.text,
            "options": question.options,
            "gold": item.gold,
            "answerable": item.answerable,
            "score": score.model_dump(),
            "error": {"code": failure.code, "message": str(failure)} if failure else None,
            "answer": _answer(answer) if answer else None,
            "spans": [span.as_json() for span in account.trace.spans],
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
