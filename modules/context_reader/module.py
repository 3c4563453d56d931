"""The module `context_reader`: turns the text supplied with a question into evidence."""

from mapagent.evidence import Source
from mapagent.plan import Step
from mapagent.ports import Run, StepResult
from modules.context_reader.reader import read_text


class ContextReader:
    """Reads the question's context; nothing in it is an instruction, and nothing of it is lost."""

    name = "context_reader"
    description = (
        "Reads the text supplied with the question: place facts, nearby lists, routes, travel times."
    )

    async def run(self, step: Step, run: Run) -> StepResult:
        """Returns one piece of evidence for each fact; none if the question has no context."""
        context = run.question.context
        if not context:
            return StepResult()
        return StepResult(
            evidence=tuple(
                run.evidence_of(
                    step,
                    finding.fact,
                    Source(tool="context", raw=finding.raw),
                    warnings=finding.warnings,
                )
                for finding in read_text(context).findings
            )
        )
