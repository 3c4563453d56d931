"""The Solution-Generator module: lets the reasoner conclude, and records what it computed as evidence."""

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
        solution = await run.reasoner.conclude(run.question, run.understanding, run.evidence, closed=True)
        computed = tuple(
            run.evidence_of(
                step,
                ComputedFact(label=claim.rule, value=str(claim.result), formula=_formula(claim)),
                Source(tool="compute", arguments=claim.arguments),
                derived_from=claim.inputs,
            )
            for claim in solution.claims
        )
        return StepResult(evidence=computed, solution=solution)


def _formula(claim: Claim) -> str:
    details = ", ".join(f"{name}={value}" for name, value in claim.arguments.items())
    return f"{claim.rule}({details})"
