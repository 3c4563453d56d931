"""The Solution-Generator module: lets the reasoner conclude, and records what it computed as evidence."""

from collections.abc import Mapping
from typing import Any

from map_tools.facts import ComputedFact
from mapagent.answer import Claim
from mapagent.evidence import Source
from mapagent.plan import Step
from mapagent.ports import Run, StepResult


class SolutionGenerator:
    """Works out the solution from the evidence; every computation becomes a fact with its inputs."""

    name = "solution_generator"
    description = "Works out the solution from the evidence; numbers are computed, never guessed."

    async def run(self, step: Step, run: Run) -> StepResult:
        """Concludes with no further facts to come."""
        solution = await run.reasoner.conclude(
            run.question, run.understanding, run.evidence, closed=True, account=run.account
        )
        computed = tuple(
            run.evidence_of(
                step,
                ComputedFact(label=claim.rule, value=_shown(claim.result), formula=_formula(claim)),
                Source(tool="compute", arguments=claim.arguments),
                derived_from=claim.inputs,
            )
            for claim in solution.claims
        )
        return StepResult(evidence=computed, solution=solution)


def _formula(claim: Claim) -> str:
    details = ", ".join(f"{name}={_shown(value)}" for name, value in claim.arguments.items())
    return f"{claim.rule}({details})"


def _shown(value: Any) -> str:
    """A value for reading: numbers to six digits, lists and tables item by item."""
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_shown(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_shown, value)) + "]"
    return str(value)
