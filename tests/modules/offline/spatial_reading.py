"""What a reading of a question over a spatial database gets wrong, slot by slot."""

from typing import Any

from map_tools.errors import PlaceNotFoundError
from map_tools.spatial_db.grounding.kinds import KindReader
from map_tools.spatial_db.grounding.places import PlaceFinder, Wanted
from map_tools.spatial_db.memory.engine import MemoryEngine
from modules.offline.spatial_grammar import read_spatial
from modules.offline.spatial_intent import SpatialIntent
from tests.modules.spatial_database.engines import Names

DEFAULTS: dict[str, Any] = {"direction": None, "pick": "any", "k": 1, "n": None, "ask": "name"}
PLACES: dict[str, Wanted] = {"anchor": "place", "other": "place", "toward": "place", "region": "region"}
SAME_REACH_M = 0.001


class Examiner:
    """Compares readings with what is meant: kinds by their conditions, places by the features they stand for.

    Args:
        engine: The data the questions are about.
    """

    def __init__(self, engine: MemoryEngine) -> None:
        self._engine = engine
        self._kinds = KindReader(engine)

    def mistakes(self, question: dict[str, Any]) -> dict[str, object]:
        """The slots that are read otherwise than the question's entry tells, as they are read."""
        reading = read_spatial(question["text"], Names(self._engine), self._kinds)
        if reading is None:
            return {"reading": None}
        intent = reading.intent
        wrong: dict[str, object] = {
            key: getattr(intent, key)
            for key, default in DEFAULTS.items()
            if getattr(intent, key) != question.get(key, default)
        }
        if abs((intent.within_m or -1) - question.get("within", -1)) > SAME_REACH_M:
            wrong["within"] = intent.within_m
        if self._kind(intent.what) != self._kind(question.get("what", "")):
            wrong["what"] = intent.what
        if set(intent.corner or ()) != set(question.get("corner", ())):
            wrong["corner"] = intent.corner
        if intent.described != question.get("described", False):
            wrong["described"] = intent.described
        return wrong | self._wrong_places(intent, question)

    def _wrong_places(self, intent: SpatialIntent, question: dict[str, Any]) -> dict[str, object]:
        """Places by role; a place that a fact describes is nowhere, two that are compared have no order."""
        read = {role: self._meant(getattr(intent, role), wanted) for role, wanted in PLACES.items()}
        meant = {role: self._meant(question.get(role), wanted) for role, wanted in PLACES.items()}
        if question.get("described"):
            read["anchor"] = None
        if meant["other"] is not None and read["anchor"] == meant["other"]:
            read["anchor"], read["other"] = read["other"], read["anchor"]
        return {role: getattr(intent, role) for role in PLACES if read[role] != meant[role]}

    def _kind(self, words: str) -> object:
        kind = self._kinds.read(words) if words else None
        return None if kind is None else (kind.table, kind.alternatives)

    def _meant(self, words: str | None, wanted: Wanted) -> object:
        if words is None:
            return None
        try:
            return PlaceFinder(self._engine).find(words, wanted).refs
        except PlaceNotFoundError:
            return words
