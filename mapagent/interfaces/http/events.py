"""The events of a run as it goes, for `POST /api/ask/stream` and `POST /api/query/stream`.

plan           {"steps": [{"id", "subgoal", "module", "depends_on"}]}
step_started   {"id"}
evidence       {"step", "items": [{"id", "kind", "tool", "provider", "fact", "derived_from"}], "features": []}
step_finished  {"id", "failed", "items": [...], "features": []}
answer         what `POST /api/ask` returns, and "features": GeoJSON of all there is to draw
error          {"code", "message", "remedy"}; of a program that cannot be run also {"line", "fault", "mend"}
"""

import json
from typing import Any

from mapagent.core.answer import Evidence, Plan, Step
from mapagent.core.ports import Watcher
from mapagent.interfaces.cli.show import evidence_record, step_record
from mapagent.interfaces.http.disconnect import Emit
from mapagent.interfaces.takeaway.features import evidence_features


def event(name: str, data: Any) -> bytes:
    """One server-sent event. JSON has no line breaks of its own, so one `data` line holds it."""
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False, default=str)}\n\n".encode(
        errors="replace"
    )


class LiveEvents(Watcher):
    """Turns what happens into events.

    Args:
        emit: Takes an event.
        base_map: What the provider's terms let the evidence be drawn over.
    """

    def __init__(self, emit: Emit, base_map: str) -> None:
        self._emit = emit
        self._base_map = base_map

    def planned(self, plan: Plan) -> None:
        """Sends the plan."""
        self._emit(event("plan", {"steps": [step_record(step) for step in plan.steps]}))

    def started(self, step: Step) -> None:
        """Sends that a step begins."""
        self._emit(event("step_started", {"id": step.id}))

    def found(self, step: Step, evidence: tuple[Evidence, ...]) -> None:
        """Sends what a map tool found."""
        self._emit(event("evidence", {"step": step.id, **self._told(evidence)}))

    def finished(self, step: Step, evidence: tuple[Evidence, ...]) -> None:
        """Sends that a step is done, with all its evidence."""
        failed = any(item.value.kind == "failure" and item.source.tool == step.module for item in evidence)
        self._emit(event("step_finished", {"id": step.id, "failed": failed, **self._told(evidence)}))

    def _told(self, evidence: tuple[Evidence, ...]) -> dict[str, Any]:
        return {
            "items": [evidence_record(item) for item in evidence],
            "features": evidence_features(evidence, self._base_map),
        }
