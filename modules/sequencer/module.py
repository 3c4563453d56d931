"""The Sequencer module."""

from mapagent.evidence import Source
from mapagent.plan import Step
from mapagent.ports import Run, StepResult
from modules.sequencer.derive import derive


class Sequencer:
    """Orders the evidence and adds what follows from it, each derived fact naming what it came from."""

    name = "sequencer"
    description = "Puts the evidence in order and derives comparisons and counts from it."

    async def run(self, step: Step, run: Run) -> StepResult:
        """Adds one computed fact per derivation."""
        derived = tuple(
            run.evidence_of(step, fact, Source(tool="compute"), derived_from=(item.id,))
            for item in run.evidence
            for fact in derive(item)
        )
        return StepResult(evidence=derived)
