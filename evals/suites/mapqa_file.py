"""The file of MapQA: open questions of nine types over OpenStreetMap places, with their gold answers."""

import re
from pathlib import Path
from typing import Literal

from pydantic import ConfigDict, Field, model_validator

from evals.suites.typed_records import AskedText, read_typed
from map_tools.text import normalise
from map_tools.types import Frozen, LatLng

FILE_NAMES = ("dev.jsonl", "holdout.jsonl", "dataset.json")
APART = {
    2: "the places around are not part of the data",
    5: "the positions of all questions are those of the first one",
    8: "the corner has no position, and the gold hardly depends on it",
    9: "the gold does not depend on where the place is",
}
"""Types that never count in a headline, and why (docs/benchmark-audit.md)."""
UNUSABLE = frozenset({5, 8, 9})
"""Types whose gold is known or likely to be wrong."""
SETS = frozenset({1, 2, 4})
"""Types whose answer is a set of names."""
DISTANCE = 7
SAME_PLACE_DEG = 0.001
"""About 100 m."""

_METRES = re.compile(r"(\d+(?:\.\d+)?) met(?:er|re)s?")


class MapqaEntity(Frozen):
    """A place of a question; without a position where the source has none."""

    model_config = ConfigDict(extra="ignore")

    name: str | None = None
    role: Literal["subject", "answer", "option"]
    lat: float | None = Field(default=None, ge=-90, le=90)
    lon: float | None = Field(default=None, ge=-180, le=180)

    @property
    def position(self) -> LatLng | None:
        """Where it lies, if that is known."""
        if self.lat is None or self.lon is None:
            return None
        return LatLng(lat=self.lat, lng=self.lon)


class MapqaRecord(Frozen):
    """One question.

    Attributes:
        type: 1 to 9, the numbers of MapAgent's conversion.
        amenity: The kind of place asked for, where the type has one.
        world_ok: The gold follows from the published places.
        true_gold: Generated questions: every type counts, and distances are those on the ground.
    """

    model_config = ConfigDict(extra="ignore")

    id: str
    type: Literal[1, 2, 3, 4, 5, 6, 7, 8, 9]
    question: AskedText
    answers: tuple[str, ...]
    entities: tuple[MapqaEntity, ...] = ()
    amenity: str = ""
    world_ok: bool
    true_gold: bool = False

    @model_validator(mode="after")
    def _consistent(self) -> "MapqaRecord":
        if self.type == DISTANCE and (len(self.answers) != 1 or _METRES.fullmatch(self.answers[0]) is None):
            raise ValueError("the answer of a question of type 7 is one figure, such as '120.50 meters'")
        return self

    @property
    def planar_m(self) -> float | None:
        """The stored distance of a question of type 7: planar metres of EPSG:3857, not on the ground."""
        match = _METRES.fullmatch(self.answers[0]) if self.type == DISTANCE else None
        return float(match[1]) if match else None

    @property
    def apart(self) -> str:
        """Why the question does not count in the headline; empty if it does."""
        if self.true_gold:
            return ""
        if self.type in APART:
            return APART[self.type]
        return "" if self.world_ok else "its gold does not follow from the published places"

    @property
    def own_defect(self) -> str:
        """Why the gold is no right answer, as far as this question alone shows; empty if it is one."""
        if self.type in UNUSABLE and not self.true_gold:
            return APART[self.type]
        return "" if self.answers else "the right place has no name"

    def subjects(self) -> tuple[MapqaEntity, ...]:
        """The places the question names."""
        return tuple(entity for entity in self.entities if entity.role == "subject")


def read_mapqa(data: Path) -> tuple[MapqaRecord, ...]:
    """All records in the file's order.

    Raises:
        InputFileError: The file is missing, or a record is malformed, a duplicate or of an unknown type; the
            message names its line.
    """
    return read_typed(data, MapqaRecord, FILE_NAMES)


def contradictions(records: tuple[MapqaRecord, ...]) -> frozenset[str]:
    """Ids of the questions whose very words are asked elsewhere in the file with other answers."""
    answers: dict[str, set[frozenset[str]]] = {}
    for record in records:
        answers.setdefault(normalise(record.question), set()).add(_folded(record))
    return frozenset(record.id for record in records if len(answers[normalise(record.question)]) > 1)


def namesakes(records: tuple[MapqaRecord, ...]) -> frozenset[str]:
    """Ids of the questions that name a place by a name which other places of the file have too.

    Two positions are those of one place if they are less than `SAME_PLACE_DEG` apart.
    """
    places: dict[str, list[LatLng]] = {}
    for record in records:
        for entity in record.entities:
            if entity.name and entity.position is not None:
                known = places.setdefault(normalise(entity.name), [])
                if all(_apart(entity.position, other) for other in known):
                    known.append(entity.position)
    return frozenset(
        record.id
        for record in records
        if not record.true_gold
        and any(len(places.get(normalise(entity.name or ""), ())) > 1 for entity in record.subjects())
    )


def _apart(a: LatLng, b: LatLng) -> bool:
    return max(abs(a.lat - b.lat), abs(a.lng - b.lng)) >= SAME_PLACE_DEG


def _folded(record: MapqaRecord) -> frozenset[str]:
    return frozenset(normalise(answer) for answer in record.answers)
