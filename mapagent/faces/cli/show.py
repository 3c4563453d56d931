"""How an answer is shown: as text for people, as JSON for programs (ARCHITECTURE section 8)."""

import json
from typing import Any

from mapagent.answer import Answer, Status
from mapagent.evidence import Evidence
from mapagent.facttext import fact_text


def as_json(answer: Answer) -> str:
    """One JSON object with the fields programs rely on."""
    return json.dumps(as_record(answer), ensure_ascii=False, indent=2)


def as_record(answer: Answer) -> dict[str, Any]:
    """The answer as plain data."""
    return {
        "status": answer.status.value,
        "answer": answer.text,
        "option": answer.option,
        "option_index": answer.option_index,
        "unanswerable": answer.unanswerable,
        "reason": answer.reason,
        "confidence": round(answer.confidence, 4),
        "explanation": answer.explanation,
        "warnings": list(answer.warnings),
        "evidence": [_evidence_record(item) for item in answer.evidence],
        "plan": [
            {
                "id": step.id,
                "subgoal": step.subgoal,
                "module": step.module,
                "depends_on": list(step.depends_on),
            }
            for step in (answer.plan.steps if answer.plan else ())
        ],
        "usage": answer.usage.model_dump(),
        "model": answer.model,
        "provider": answer.provider,
        "map": answer.map,
        "attribution": answer.attribution,
    }


def _evidence_record(item: Evidence) -> dict[str, Any]:
    return {
        "id": item.id,
        "kind": item.kind,
        "tool": item.source.tool,
        "provider": item.source.provider,
        "fact": fact_text(item.value),
        "derived_from": list(item.derived_from),
    }


def as_text(answer: Answer, *, explain: bool = False) -> str:
    """The answer for people: the answer, why, what it rests on, and whose data it is."""
    lines = [_headline(answer)]
    if answer.explanation:
        lines.append(f"  {answer.explanation}")
    lines += [f"  Note: {warning}" for warning in answer.warnings]
    if explain:
        lines += _details(answer)
    if answer.attribution:
        lines.append(answer.attribution)
    return "\n".join(lines)


def _headline(answer: Answer) -> str:
    if answer.status in (Status.ANSWERED, Status.LIMIT) and answer.text:
        return f"{answer.option}. {answer.text}" if answer.option else answer.text
    words = {
        Status.UNANSWERABLE: "Unanswerable",
        Status.NOT_UNDERSTOOD: "Not understood",
        Status.AMBIGUOUS: "Ambiguous",
        Status.LIMIT: "Stopped at a limit",
        Status.ERROR: "Failed",
    }
    letter = f"{answer.option}. {answer.text}\n" if answer.option else ""
    return f"{letter}{words.get(answer.status, answer.status.value)}: {answer.reason}"


def _details(answer: Answer) -> list[str]:
    lines = ["", "Plan"]
    for step in answer.plan.steps if answer.plan else ():
        after = f" (after {', '.join(step.depends_on)})" if step.depends_on else ""
        lines.append(f"  {step.id}: {step.subgoal} [{step.module}]{after}")
    lines.append("Evidence")
    for item in answer.evidence:
        source = f"  ← {', '.join(item.derived_from)}" if item.derived_from else ""
        lines.append(f"  {item.id} [{item.source.tool}] {fact_text(item.value)}{source}")
    usage = answer.usage
    lines += [
        f"Confidence {answer.confidence:.2f}; {usage.latency_s * 1000:.0f} ms",
        f"{usage.tool_calls} map calls, {usage.llm_calls} model calls, {usage.cost_usd:.4f} USD",
        "",
    ]
    return lines
