"""The SpatialDatabase module: questions over all features of a map, answered by the concept tools."""

from pathlib import Path

from pydantic import ValidationError

from map_tools.errors import PlanError
from mapagent.answer import Solution, Status
from mapagent.config import Settings
from mapagent.plan import Step
from mapagent.ports import Run, StepResult
from modules.spatial_database.answering import Answerer
from modules.spatial_database.features import Features
from modules.spatial_database.findings import Findings
from modules.spatial_database.loop_module import ModelWay
from modules.spatial_database.map_names import MapNames
from modules.spatial_database.opening import engine_of
from modules.spatial_database.plan import MODULE
from modules.spatial_database.sources import CACHE_FOLDER
from modules.offline.spatial_intent import SpatialIntent

READING = "intent"
"""The step's input with what was read; a step without one is thought through by a language model."""


class SpatialDatabaseModule:
    """Answers questions over the features of a map: ranges, directions, regions, totals.

    Args:
        cache: Where databases built from maps are kept.
        thinking: The model-driven way, for steps without a reading; None: there is none.
    """

    name = MODULE
    description = (
        "Answers questions over all features of a map: what lies within a distance, in a direction, "
        "towards a place or in a region; the nearest, largest or longest; counts, total areas and lengths."
    )

    def __init__(self, cache: Path, thinking: ModelWay | None = None) -> None:
        self._cache = cache
        self._thinking = thinking

    @classmethod
    def from_settings(cls, settings: Settings) -> "SpatialDatabaseModule":
        """The module (`mapagent.ports.ModuleFactory`)."""
        return cls(settings.data_home / CACHE_FOLDER, ModelWay(settings))

    async def run(self, step: Step, run: Run) -> StepResult:
        """Works out what the step's reading asks for.

        Raises:
            PlanError: The step's reading is not one.
            UnsupportedError: The provider has no map that could be searched as a whole.
        """
        if run.provider is None:
            reason = "There is no map to search."
            return StepResult(solution=Solution(status=Status.UNANSWERABLE, reason=reason))
        engine = engine_of(run.provider, self._cache)
        if self._thinking is not None and READING not in step.inputs:
            return await self._thinking.run(step, run, run.provider, engine)
        findings = Findings(step, run, Features(engine))
        solution = await Answerer(engine, findings, MapNames(run.provider)).solution(_intent(step))
        return StepResult(evidence=tuple(findings.evidence), solution=solution)

    async def close(self) -> None:
        """Closes what the model-driven way has opened."""
        if self._thinking is not None:
            await self._thinking.close()


def _intent(step: Step) -> SpatialIntent:
    try:
        return SpatialIntent.model_validate(step.inputs.get(READING, {}))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise PlanError(f"The reading of step '{step.id}' is wrong at '{where}': {first['msg']}.") from error
