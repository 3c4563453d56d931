"""The Solution-Generator module: lets the reasoner conclude, and records what it computed as evidence."""

from mapagent.evidence import Source
from mapagent.plan import Step
from mapagent.ports import Run, StepResult
from modules.solution_generator.wording import fact_of


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
                fact_of(claim),
                Source(tool="compute", arguments={"rule": claim.rule, **claim.arguments}),
                derived_from=claim.inputs,
            )
            for claim in solution.claims
        )
        return StepResult(evidence=computed, solution=solution)
