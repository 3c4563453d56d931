"""The Map-Service module: asks the reasoner for calls, round by round, and runs each round in parallel."""

import asyncio
import json
from itertools import count

from mapagent.evidence import Evidence, Source
from mapagent.outcome import is_spent, rounds_spent
from mapagent.plan import Step
from mapagent.ports import Run, StepResult, ToolCall


class MapService:
    """Fetches the map facts a question needs through Nearby, PlaceInfo, Route and Trip.

    Stops when the reasoner needs nothing more, when it only repeats calls, or when a limit is reached; the
    evidence then says which one.
    """

    name = "map_service"
    description = (
        "Fetches place details, nearby places, routes and travel times through the map tools, "
        "in parallel and in sequence."
    )

    async def run(self, step: Step, run: Run) -> StepResult:
        """Runs the rounds; evidence of all rounds comes back in call order."""
        gathered: list[Evidence] = []
        asked: set[str] = set()
        for number in count(1):
            known = (*run.evidence, *gathered)
            calls = await run.reasoner.next_calls(run.question, run.understanding, known, account=run.account)
            fresh = [call for call in calls if _key(call) not in asked]
            if not fresh:
                break
            if number > run.account.ledger.limits.max_rounds:
                spent = rounds_spent(run.account.ledger.limits)
                gathered.append(run.evidence_of(step, spent, Source(tool=self.name)))
                break
            asked.update(map(_key, fresh))
            run.account.trace.event("round", number=number, calls=len(fresh))
            results = await asyncio.gather(*(run.call_tool(step, call) for call in fresh))
            gathered += [item for result in results for item in result]
            if is_spent(gathered):
                break
        return StepResult(evidence=tuple(gathered))


def _key(call: ToolCall) -> str:
    return json.dumps([call.tool, call.arguments], sort_keys=True, default=str)
