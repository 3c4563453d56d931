"""How an answer is shown: as text for people, as JSON for programs."""

import json
import re
import sys
from typing import Any

from map_tools.providers.base import ANY_BASE_MAP
from map_tools.types import ID_PREFIX, Place
from mapagent.core.answer import Answer, Candidate, Evidence, Part, Status, Step
from mapagent.core.rendering import clean, fact_text

_OBEYED = re.compile(r"[\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
"""What JSON lets stand in a string and a terminal may obey: C1 controls, and marks that turn the direction of
writing (Unicode Standard Annex 9). Text that a map holds must not move the cursor."""


def as_json(answer: Answer, *, ascii_only: bool = False) -> str:
    """One JSON object with the fields programs rely on; `ascii_only` for an output that is not UTF-8."""
    return harmless_json(as_record(answer), ascii_only=ascii_only, indent=2)


def harmless_json(record: Any, *, ascii_only: bool = False, indent: int | None = None) -> str:
    """Plain data as JSON that no terminal obeys; without an indent on one line."""
    text = json.dumps(record, ensure_ascii=ascii_only, indent=indent)
    return _OBEYED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def prints_utf8() -> bool:
    """Whether standard output takes any character."""
    return (sys.stdout.encoding or "").lower().startswith("utf")


def problem(code: str, message: str, remedy: str = "") -> dict[str, Any]:
    """An error as plain data."""
    return {"error": {"code": code, "message": clean(message), "remedy": clean(remedy)}}


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
        "evidence": [evidence_record(item) for item in answer.evidence],
        "plan": [step_record(step) for step in (answer.plan.steps if answer.plan else ())],
        "program": answer.program,
        "understood": answer.understood,
        "parts": {name: part_record(part) for name, part in answer.parts.items()},
        "places": [place_record(place) for place in answer.places],
        "candidates": [
            candidate_record(number, one) for number, one in enumerate(answer.candidates, start=1)
        ],
        "usage": answer.usage.model_dump(),
        "model": answer.model,
        "provider": answer.provider,
        "map": answer.map,
        "attribution": answer.attribution,
        "base_map": answer.base_map,
    }


def part_record(part: Part) -> dict[str, Any]:
    """A further thing that was asked for, as plain data."""
    value = part.value.model_dump(mode="json") if part.value is not None else None
    return {"text": part.text, "value": value, "known": part.known}


def place_record(place: Place) -> dict[str, Any]:
    """A place as plain data; its id can be given wherever a place is wanted."""
    return {
        "id": ID_PREFIX + place.id,
        "name": place.name,
        "kind": place.categories[0] if place.categories else None,
        "address": place.address,
        "lat": place.location.lat if place.location else None,
        "lng": place.location.lng if place.location else None,
    }


def candidate_record(number: int, candidate: Candidate) -> dict[str, Any]:
    """A place that an ambiguous name may mean, as plain data."""
    return {
        "number": number,
        "asked": candidate.asked,
        "told": candidate.told,
        **place_record(candidate.place),
    }


def evidence_record(item: Evidence) -> dict[str, Any]:
    """A piece of evidence as plain data."""
    return {
        "id": item.id,
        "kind": item.kind,
        "tool": item.source.tool,
        "provider": item.source.provider,
        "fact": fact_text(item.value),
        "derived_from": list(item.derived_from),
    }


def step_record(step: Step) -> dict[str, Any]:
    """A step of a plan as plain data."""
    return {
        "id": step.id,
        "subgoal": step.subgoal,
        "module": step.module,
        "depends_on": list(step.depends_on),
    }


def as_text(answer: Answer, *, explain: bool = False, credit: bool = True) -> str:
    """The answer for people: the answer, why, what it rests on, and whose data it is.

    Args:
        answer: What to show.
        explain: With program, plan and evidence.
        credit: Whether to say whose data it is: it must be said, but once is enough.
    """
    lines = [*_headline(answer), *candidate_lines(answer)]
    lines += [f"  {clean(name.replace('_', ' '))}: {clean(part.text)}" for name, part in answer.parts.items()]
    if answer.understood:
        lines.append(f"  I understood: {clean(answer.understood)}")
    if answer.explanation:
        lines.append(f"  {clean(answer.explanation)}")
    lines += [f"  Note: {clean(warning)}" for warning in answer.warnings]
    if explain:
        lines += _details(answer)
    if credit and answer.attribution:
        lines.append(_credit(answer))
    return "\n".join(lines)


def candidate_lines(answer: Answer) -> list[str]:
    """The places that an ambiguous name may mean, numbered."""
    return [f"  {number}. {clean(one.told)}" for number, one in enumerate(answer.candidates, start=1)]


def _credit(answer: Answer) -> str:
    """Whose data it is, and what it may be drawn over where the terms say so."""
    credit = clean(answer.attribution)
    if answer.base_map == ANY_BASE_MAP:
        return credit
    return f"{credit} (to be drawn over {clean(answer.base_map)} maps only)"


def _headline(answer: Answer) -> list[str]:
    text = clean(answer.text)
    chosen = f"{answer.option}. {text}" if answer.option else text
    if answer.status in (Status.ANSWERED, Status.LIMIT) and text:
        return [chosen, *([clean(answer.reason)] if answer.reason and answer.parts else [])]
    if answer.status is Status.AMBIGUOUS and answer.candidates:
        asked = clean(answer.candidates[0].asked)
        return [f"Ambiguous: “{asked}” may be any of {len(answer.candidates)} places"]
    words = {
        Status.UNANSWERABLE: "Unanswerable",
        Status.NOT_UNDERSTOOD: "Not understood",
        Status.AMBIGUOUS: "Ambiguous",
        Status.LIMIT: "Stopped at a limit",
        Status.ERROR: "Failed",
    }
    reason = f"{words.get(answer.status, answer.status.value)}: {clean(answer.reason)}"
    return [chosen, reason] if answer.option else [reason]


def _details(answer: Answer) -> list[str]:
    lines = ["", "Program", *(f"  {clean(line)}" for line in answer.program.splitlines()), "Plan"]
    for step in answer.plan.steps if answer.plan else ():
        after = f" (after {', '.join(step.depends_on)})" if step.depends_on else ""
        told = clean(f"{step.id}: {step.subgoal} [{step.module}]{after}")
        lines.append(f"  {told}")
    lines.append("Evidence")
    for item in answer.evidence:
        source = f"  ← {', '.join(item.derived_from)}" if item.derived_from else ""
        lines.append(f"  {item.id} [{item.source.tool}] {fact_text(item.value)}{source}")
    usage = answer.usage
    lines += [
        f"{usage.latency_s * 1000:.0f} ms",
        f"{usage.tool_calls} map calls, {usage.llm_calls} model calls, {usage.cost_usd:.4f} USD",
        "",
    ]
    return lines
