"""The Picture-Solver module: what a picture shows is answered from it, all else by the solution generator."""

from map_tools.facts import PictureFact
from mapagent.answer import Solution, Status
from mapagent.evidence import Evidence
from mapagent.plan import Step
from mapagent.ports import Run, StepResult
from mapagent.question import Question
from modules.answer_generator.matching import Match, match
from modules.intents import DistanceIntent, OpenIntent, PlaceFactIntent, RouteIntent, TripIntent
from modules.solution_generator.module import SolutionGenerator
from modules.visual_place_recognizer.solving import solve_picture
from modules.visual_place_recognizer.support import best_supported

MAP_ONLY = (DistanceIntent, OpenIntent, PlaceFactIntent, RouteIntent, TripIntent)
"""What the map's facts tell better than a look at the picture."""


class PictureSolver:
    """Works out the solution of a question that comes with a picture."""

    name = "picture_solver"
    description = "Counts and compares what a picture shows; what only a map tells goes to the map's solvers."

    async def run(self, step: Step, run: Run) -> StepResult:
        """The solution: from the picture where the question is about what it shows, else from map facts."""
        seen = _picture(run.evidence)
        if seen is None:
            return await SolutionGenerator().run(step, run)
        item, picture = seen
        map_first = isinstance(run.understanding.intent, MAP_ONLY)
        told = None if map_first else solve_picture(run.question, picture, item.id)
        if told is not None and told.status is Status.ANSWERED:
            return StepResult(solution=told)
        by_map = await SolutionGenerator().run(step, run)
        if by_map.solution is not None and _answers(by_map.solution, run.question):
            return by_map
        if map_first:
            told = solve_picture(run.question, picture, item.id)
        # Where the picture is located, its names were read well: one that is missing is not there.
        supported = None if told and picture.frame else best_supported(run.question, picture, item.id)
        for solution in (told, supported):
            if solution is not None and solution.status is Status.ANSWERED:
                return StepResult(solution=solution)
        return StepResult(solution=told) if told is not None else _unanswered(by_map, picture)


def _answers(solution: Solution, question: Question) -> bool:
    """True if a solution has a value, and one that is among the options if there are any."""
    if solution.status is not Status.ANSWERED or solution.value is None:
        return False
    return not question.live_options() or isinstance(match(solution.value, solution.ranking, question), Match)


def _picture(evidence: tuple[Evidence, ...]) -> tuple[Evidence, PictureFact] | None:
    return next(((item, item.value) for item in evidence if isinstance(item.value, PictureFact)), None)


def _unanswered(by_map: StepResult, picture: PictureFact) -> StepResult:
    """Why there is no answer: with what was read, so that the user sees what the picture gave."""
    solution = by_map.solution or Solution(status=Status.UNANSWERABLE)
    read = ", ".join(label.text for label in picture.labels[:8]) or "no text"
    where = "" if picture.frame else f" {picture.reason}"
    reason = f"{solution.reason} In the picture were read: {read}.{where}".strip()
    return StepResult(
        evidence=by_map.evidence,
        solution=solution.model_copy(update={"status": Status.UNANSWERABLE, "reason": reason}),
    )
