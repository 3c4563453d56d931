"""The Recommender module: Spatial-RAG over the map tools."""

from typing import Any

from pydantic import ValidationError

from map_tools.errors import PlanError
from mapagent.answer import Solution, Status
from mapagent.config import Settings
from mapagent.plan import Step
from mapagent.ports import NameHints, Run, StepResult
from modules.recommender.errors import CannotTellError
from modules.recommender.model_help import ModelHelp
from modules.recommender.plan import MODULE, RERANK, WISH
from modules.recommender.reranking import Reranker
from modules.recommender.setting import RecommenderSetting
from modules.recommender.understand import understand
from modules.recommender.wish import Wish
from modules.recommender.work import Work


class Recommender:
    """Recommends places that lie and are as somebody wishes.

    Args:
        setting: What can be set.
        model: A language model, for plans that want one.
    """

    name = MODULE
    description = (
        "Recommends places for a wish with matters of taste (cosy, romantic, quiet, not a chain) near a "
        "point, along a route or in a region, weighing where a place lies against what it is like. It "
        "fetches its own facts and brings the solution: only the answer comes after it."
    )

    def __init__(self, setting: RecommenderSetting | None = None, model: ModelHelp | None = None) -> None:
        self._setting = setting or RecommenderSetting()
        self._model = model

    @classmethod
    def from_settings(cls, settings: Settings) -> "Recommender":
        """The module as configured (`mapagent.ports.ModuleFactory`).

        Raises:
            ConfigError: The section `[modules.recommender]` is wrong.
        """
        setting = RecommenderSetting.of(settings)
        return cls(setting, ModelHelp.from_settings(settings, setting.model))

    async def run(self, step: Step, run: Run) -> StepResult:
        """Recommends; the wish comes with the step, or else is read from the question.

        Raises:
            ConfigError: The embedding or the language model cannot be used.
            PlanError: The step's wish is not one.
            ModelError: The language model is needed to read the question, and cannot.
        """
        if run.provider is None:
            return StepResult(solution=_unanswerable("There is no map to recommend places from."))
        wish = await self._wish(step, run)
        if wish is None:
            reason = "The question says of no kind of place where it should be and what it should be like."
            return StepResult(solution=Solution(status=Status.NOT_UNDERSTOOD, reason=reason))
        work = Work(step, run, run.provider, self._setting, self._reranker(step))
        try:
            solution = await work.solution(wish)
        except CannotTellError as error:
            solution = Solution(status=error.status, reason=error.reason)
        return StepResult(evidence=work.evidence, solution=solution)

    async def close(self) -> None:
        """Frees the language model's connections."""
        if self._model is not None:
            await self._model.close()

    async def _wish(self, step: Step, run: Run) -> Wish | None:
        given = step.inputs.get(WISH)
        if given is not None:
            return _checked(given, step)
        names = run.provider if isinstance(run.provider, NameHints) else None
        wish = understand(run.question, names)
        if wish is None and self._model is not None:
            wish = await self._model.reader().read(run.question, names, run.account)
        return wish

    def _reranker(self, step: Step) -> Reranker | None:
        """What puts places in order, where the plan wants it or a model is set for it."""
        wanted = step.inputs.get(RERANK, False) or self._setting.model
        if self._model is None or not wanted or "rerank" in self._setting.without:
            return None
        return self._model.reranker(self._setting.shortlist)


def _checked(given: Any, step: Step) -> Wish:
    try:
        return Wish.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise PlanError(f"The wish of step '{step.id}' is wrong at '{where}': {first['msg']}.") from error


def _unanswerable(reason: str) -> Solution:
    return Solution(status=Status.UNANSWERABLE, reason=reason)
