"""MapQA (Li et al., 2025): open questions of nine types over OpenStreetMap places."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evals.ports import Item, OfferRule, Score, Task
from evals.suites.scoring.mapqa import (
    DISTANCE,
    MapqaRecord,
    contradictions,
    mapqa_metrics,
    namesakes,
    read_mapqa,
    score_mapqa,
)
from evals.worlds.database import MapDatabase, WorldDatabase, beside
from map_tools.providers.base import Provider
from map_tools.spatial_db.port import DIRECTIONS, HALVES
from map_tools.types import LatLng
from mapagent.core.answer import Answer
from mapagent.core.question import Question
from mapagent.runtime.config import Settings

WORLD = "mapqa_world"
LEAK = "leaks the answer"
NO_POSITIONS = "No positions are known."
"""The context of a question whose places have none: the variant never asks a map."""


class Mapqa:
    """The questions over the map that the settings name; every type is a category.

    The headline is types 1, 3, 4, 6, 7 as far as their gold follows from the published places; the rest is
    asked too, and reported apart (`metrics`).
    """

    name = "mapqa"

    def load(self, data: Path, protocol: OfferRule) -> tuple[Item, ...]:  # noqa: ARG002 (one protocol)
        """All questions in the file's order."""
        records = read_mapqa(data)
        twice, shared = contradictions(records), namesakes(records)
        return tuple(
            self._item(record, contradicted=record.id in twice, shared=record.id in shared)
            for record in records
        )

    def provider(self, data: Path, settings: Settings, world: Path | None = None) -> Provider | None:
        """The published places as a map, or the map the settings name, for questions made over it.

        `world` is the places' folder; without it one called "mapqa_world" next to the questions is taken.
        """
        if world is None and settings.map is None:
            world = beside(data, WORLD)
        if world is None:
            return MapDatabase.of_settings(settings)
        return WorldDatabase.of_world(world, settings.data_home, name="mapqa", note={DIRECTIONS: HALVES})

    def score(self, item: Item, answer: Answer) -> Score:
        """By the rule of the question's type."""
        return score_mapqa(item, answer)

    def metrics(self, judged: Sequence[tuple[Item, Score]]) -> dict[str, Any]:
        """Headline, agreement with planar distances, what is reported apart."""
        return mapqa_metrics(judged)

    def _item(self, record: MapqaRecord, *, contradicted: bool, shared: bool) -> Item:
        same_words = "the same words are asked elsewhere with another answer" if contradicted else ""
        same_name = "other places of the data have the same name" if shared else ""
        return Item(
            id=record.id,
            category=f"type {record.type}",
            task=Task(question=self._question(record)),
            gold=_gold(record),
            group=record.id,
            defective=record.own_defect or same_words or same_name,
            apart=record.apart,
        )

    def _question(self, record: MapqaRecord) -> Question:
        return Question(text=record.question)


class MapqaLeak(Mapqa):
    """MapAgent's variant: name and position of every place of the question stand in its context.

    The places are those of the right answer (and its options), so the context leaks the answer. It is here
    to reproduce MapAgent's table 6, and says so wherever its figures stand.
    """

    name = "mapqa-leaks-the-answer"

    def provider(self, data: Path, settings: Settings, world: Path | None = None) -> Provider | None:  # noqa: ARG002
        """None: the context says it all."""
        return None

    def notes(self) -> Mapping[str, Any]:
        """The label, for the run record."""
        return {"variant": LEAK}

    def warnings(self) -> Sequence[str]:
        """The label, for the user."""
        return (f"{self.name}: the context {LEAK}; these figures say nothing about a map.",)

    def _question(self, record: MapqaRecord) -> Question:
        return Question(text=record.question, context=_context(record) or NO_POSITIONS)


def _context(record: MapqaRecord) -> str:
    """Name and position of each place whose position is known, without its role, by name."""
    blocks = {
        f"Information of {entity.name or 'a place without a name'}:\n"
        f"- Latitude: {entity.lat:.6f}\n- Longitude: {entity.lon:.6f}"
        for entity in record.entities
        if entity.position is not None
    }
    return "\n".join(sorted(blocks))


def _gold(record: MapqaRecord) -> dict[str, Any]:
    """The right answers; of a distance the stored planar metres and the true ones."""
    gold: dict[str, Any] = {"type": record.type, "answers": list(record.answers)}
    if record.type == DISTANCE:
        gold["planar_m"] = record.planar_m
        gold["true_m"] = _true_m([entity.position for entity in record.subjects()])
    return gold


def _true_m(positions: Sequence[LatLng | None]) -> float | None:
    """The geodesic distance between two positions; None unless both are known."""
    from geographiclib.geodesic import Geodesic

    match positions:
        case [LatLng() as a, LatLng() as b]:
            return float(Geodesic.WGS84.Inverse(a.lat, a.lng, b.lat, b.lng)["s12"])
        case _:
            return None
