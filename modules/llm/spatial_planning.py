"""Questions over the whole map, which go to the spatial database to be worked out with the model."""

from mapagent.ports import NameHints, Understanding
from mapagent.question import Question
from modules.offline.parser import parse_all
from modules.offline.spatial_choice import SpatialChoice
from modules.spatial_database.loop_plan import may_think, thinking_plan
from modules.spatial_database.sources import HasEngine, is_database

CONFIDENCE = 0.6
"""Until a calibration says more: between a restated question's and a free plan's."""


class SpatialPlanner:
    """Tells such questions from others.

    Args:
        always: Take every question for one that brings no facts of its own.
    """

    def __init__(self, *, always: bool = False) -> None:
        self._always = always
        self._choice = SpatialChoice()

    def understanding(self, question: Question, names: NameHints | None) -> Understanding | None:
        """The plan; None if the question is none of them."""
        if names is None or not is_database(names) or not may_think(question):
            return None
        if not (self._always or isinstance(names, HasEngine) or self._needs_database(question, names)):
            return None
        return Understanding(plan=thinking_plan(), confidence=CONFIDENCE)

    def _needs_database(self, question: Question, names: NameHints) -> bool:
        best = parse_all(question, names).best
        other = best.intent if best is not None else None
        return self._choice.understanding(question, names, other) is not None
