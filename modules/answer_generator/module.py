"""The Answer-Generator module: option, verification, and the answer in words."""

from map_tools.facts import FailureFact
from mapagent.answer import Answer, Solution, Status, Value
from mapagent.plan import Step
from mapagent.ports import Run, StepResult
from mapagent.question import Question
from modules.answer_generator.matching import Match, NoMatch, match, option_for_unanswerable
from modules.answer_generator.render import render
from modules.answer_generator.verify import Objection, verify


class AnswerGenerator:
    """Matches the solution with the options, verifies it against the evidence and gives the answer."""

    name = "answer_generator"
    description = (
        "Matches the solution with the options, verifies it against the evidence and gives the answer."
    )

    async def run(self, step: Step, run: Run) -> StepResult:  # noqa: ARG002  (the port's signature)
        """Turns the run's solution into its answer; what another module has answered already, stands."""
        if run.solution is None and run.answer is not None:
            return StepResult()
        if run.solution is None:
            return StepResult(answer=Answer(status=Status.ERROR, text="", reason=_why_no_solution(run)))
        return StepResult(answer=conclude(run, run.solution))


def _why_no_solution(run: Run) -> str:
    failures = [item.value.message for item in run.evidence if isinstance(item.value, FailureFact)]
    return " ".join(("No solution was worked out before the answer.", *failures[-1:]))


def conclude(run: Run, solution: Solution) -> Answer:
    """The verified answer for a solution, or the reason why there is none."""
    if solution.status is not Status.ANSWERED:
        return _without_value(run.question, solution, solution.reason)
    if solution.value is None:
        return _without_value(run.question, _unanswered(solution), "The solution has no value.")
    chosen = _choose(run.question, solution)
    if isinstance(chosen, NoMatch):
        return _without_value(run.question, _unanswered(solution), chosen.reason)
    reading = _as_matched(solution, chosen)
    intent = run.understanding.intent if solution.reading is None else solution.reading
    objections = verify(run.question, intent, reading, run.evidence, chosen)
    # A value that verification rejects is given up: the next best one would be a guess.
    rejected = next((one for one in objections if one.severity == "reject"), None)
    if rejected is not None:
        return _without_value(run.question, _unanswered(solution), rejected.message)
    return _answer(run, reading, chosen, objections)


def _choose(question: Question, solution: Solution) -> Match | NoMatch | None:
    """The option for the best value, or for a runner-up if that is no option; None without options."""
    if not question.live_options() or solution.value is None:
        return None
    return match(solution.value, solution.ranking, question)


def _as_matched(best: Solution, chosen: Match | None) -> Solution:
    """The solution with the value that the option means: its best one or a runner-up."""
    if chosen is None or chosen.rank == 0:
        return best
    return best.model_copy(
        update={"value": best.ranking[chosen.rank - 1], "ranking": best.ranking[chosen.rank :]}
    )


def _answer(run: Run, reading: Solution, chosen: Match | None, objections: tuple[Objection, ...]) -> Answer:
    value: Value | None = reading.value
    margin = chosen.margin if chosen else 1.0
    sure = run.understanding.confidence if reading.confidence is None else reading.confidence
    warnings = [*reading.warnings, *(chosen.warnings if chosen else ()), *(one.message for one in objections)]
    return Answer(
        status=Status.ANSWERED,
        text=chosen.text if chosen else (render(value, run.question.text) if value else ""),
        value=value,
        option=run.question.letter(chosen.index) if chosen else None,
        option_index=chosen.index if chosen else None,
        confidence=round(min(1.0, max(0.0, sure * margin)), 4),
        explanation=reading.explanation,
        warnings=tuple(dict.fromkeys(warnings)),
    )


def _unanswered(solution: Solution) -> Solution:
    return solution.model_copy(update={"status": Status.UNANSWERABLE, "value": None})


def _without_value(question: Question, solution: Solution, reason: str) -> Answer:
    """An answer without a value; where an option says just that ("Cannot be determined"), it is chosen."""
    option = option_for_unanswerable(question) if solution.status is Status.UNANSWERABLE else None
    return Answer(
        status=solution.status,
        text=option.text if option else "",
        option=question.letter(option.index) if option else None,
        option_index=option.index if option else None,
        reason=reason or solution.reason or "The evidence does not answer the question.",
        explanation=solution.explanation,
        warnings=solution.warnings,
    )
