"""The Picture-Solver module: what a picture shows is answered from it, all else by the solution generator."""

from map_tools.facts import PictureFact
from mapagent.answer import Solution, Status
from mapagent.evidence import Evidence
from mapagent.plan import Step
from mapagent.ports import Run, StepResult
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
        if not isinstance(run.understanding.intent, MAP_ONLY):
            solution = solve_picture(run.question, picture, item.id)
            if solution is not None:
                return StepResult(solution=solution)
        by_map = await SolutionGenerator().run(step, run)
        if by_map.solution is not None and by_map.solution.status is Status.ANSWERED:
            return by_map
        return _from_picture(run, item, picture) or _unanswered(by_map, picture)


def _picture(evidence: tuple[Evidence, ...]) -> tuple[Evidence, PictureFact] | None:
    return next(((item, item.value) for item in evidence if isinstance(item.value, PictureFact)), None)


def _from_picture(run: Run, item: Evidence, picture: PictureFact) -> StepResult | None:
    """What the picture says to a question that the map's facts do not answer."""
    for solve in (solve_picture, best_supported):
        solution = solve(run.question, picture, item.id)
        if solution is not None and solution.status is Status.ANSWERED:
            return StepResult(solution=solution)
    return None


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
