"""Modules that do less than the ones they stand in for, for ablations."""

import asyncio

from map_tools.facts import ComputedFact
from mapagent.answer import Answer, Solution, Status
from mapagent.plan import Step
from mapagent.ports import Run, StepResult
from modules.answer_generator.matching import Match, match
from modules.answer_generator.render import render

STATED_RULES = frozenset({"lookup", "step", "hours"})
"""Rules of claims (`mapagent.answer.Claim`) that only repeat what a source states."""


class FlatTools:
    """Map tools without an agent of their own: one round of calls, chosen from the question alone."""

    name = "flat_tools"
    description = "Calls map tools once, without looking at what comes back."

    async def run(self, step: Step, run: Run) -> StepResult:
        """One round."""
        calls = await run.reasoner.next_calls(
            run.question, run.understanding, run.evidence, account=run.account
        )
        results = await asyncio.gather(*(run.call_tool(step, call) for call in calls))
        return StepResult(evidence=tuple(item for result in results for item in result))


class StatedOnly:
    """Concludes, and withholds every solution that needed a computation."""

    name = "stated_only"
    description = "Works out the solution from what the sources state; computes nothing."

    async def run(self, step: Step, run: Run) -> StepResult:  # noqa: ARG002
        """The solution if it only repeats what is stated."""
        evidence = tuple(item for item in run.evidence if not isinstance(item.value, ComputedFact))
        solution = await run.reasoner.conclude(
            run.question, run.understanding, evidence, closed=True, account=run.account
        )
        computed = [claim.rule for claim in solution.claims if claim.rule not in STATED_RULES]
        if solution.status is Status.ANSWERED and computed:
            reason = f"The sources do not state it; it would have to be computed ({computed[0]})."
            solution = Solution(status=Status.UNANSWERABLE, reason=reason)
        return StepResult(solution=solution)


class Unverified:
    """Concludes and answers at once: nothing is checked against the evidence."""

    name = "unverified"
    description = "Works out the solution and answers without checking it."

    async def run(self, step: Step, run: Run) -> StepResult:  # noqa: ARG002
        """The answer that matches best."""
        solution = await run.reasoner.conclude(
            run.question, run.understanding, run.evidence, closed=True, account=run.account
        )
        return StepResult(answer=_answer(run, solution))


def _answer(run: Run, solution: Solution) -> Answer:
    if solution.status is not Status.ANSWERED or solution.value is None:
        return Answer(
            status=solution.status, text="", reason=solution.reason, explanation=solution.explanation
        )
    if not run.question.live_options():
        text = render(solution.value, run.question.text)
        return Answer(status=Status.ANSWERED, text=text, explanation=solution.explanation)
    found = match(solution.value, solution.ranking, run.question)
    if not isinstance(found, Match):
        return Answer(status=Status.UNANSWERABLE, text="", reason=found.reason)
    return Answer(
        status=Status.ANSWERED,
        text=found.text,
        option=run.question.letter(found.index),
        option_index=found.index,
        confidence=run.understanding.confidence,
        explanation=solution.explanation,
    )
