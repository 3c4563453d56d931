"""MapQA's questions with their gold answers, how an answer is judged, and the figures of a run.

MapQA publishes no measure, and MapAgent's counts a reply as right when it resembles the gold text by 30 of
100, which forgives nearly everything. Here sets of names must be equal, one name must be that name, and a
distance is judged against the distance on the ground.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import ConfigDict, Field, model_validator

from evals.answers import Said, read_said
from evals.metrics.measures import (
    MAX_NAMED,
    TAU_NUMBER,
    any_equal,
    best_containment,
    best_relative_error,
    by_error,
    capped,
)
from evals.metrics.statistics import macro, mean
from evals.ports import Item, Score
from evals.suites.files import AskedText, read_typed
from evals.suites.scoring.gsqa import NEVER, executed, tally, value
from map_tools.text import normalise
from map_tools.types import Frozen, LatLng
from mapagent.core.answer import Answer, Status

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


LENIENT_RATIO = 30.0
"""MapAgent's published threshold of `fuzz.ratio`, of 100."""


def score_mapqa(item: Item, answer: Answer) -> Score:
    """Right by the rule of the question's type; `values` has the other measures."""
    gold: dict[str, Any] = item.gold
    said = read_said(answer, "distance" if gold["type"] == DISTANCE else "name")
    if gold["type"] == DISTANCE:
        values = _distance(gold, said)
    elif gold["type"] in SETS:
        values = _set(gold, said)
    else:
        values = _one(gold, said, answer)
    values |= {
        "executed": float(executed(answer)),
        "lenient": _lenient(gold, answer),
        "named": float(len(said)),
    }
    refused = answer.unanswerable
    return Score(
        correct=bool(values["right"]),
        refused=refused,
        invalid=not refused and not said,
        values=values,
    )


def _distance(gold: dict[str, Any], said: tuple[Said, ...]) -> dict[str, float]:
    """Against the true geodesic distance; `planar_right` is agreement with the stored figure."""
    lengths = [one.distance_m for one in said if one.distance_m is not None]
    true_error = best_relative_error(lengths, (gold["true_m"],) if gold["true_m"] is not None else ())
    planar_error = best_relative_error(lengths, (gold["planar_m"],))
    return {
        "right": float(true_error is not None and true_error <= TAU_NUMBER and len(lengths) <= MAX_NAMED),
        "planar_right": float(planar_error is not None and planar_error <= TAU_NUMBER),
        **({"relative_error": capped(true_error)} if true_error is not None else {}),
        **({"planar_error": capped(planar_error)} if planar_error is not None else {}),
    }


def _set(gold: dict[str, Any], said: tuple[Said, ...]) -> dict[str, float]:
    """All of the names and no others; F1 over whole names beside it."""
    right = {normalise(name) for name in gold["answers"]}
    named = {normalise(one.name) for one in said} - {""}
    shared = len(right & named)
    f1 = 2 * shared / (len(right) + len(named)) if right or named else 0.0
    contained = best_containment((one.name for one in said), gold["answers"])
    return {"right": float(bool(right) and right == named), "f1": f1, "similarity": contained}


def _one(gold: dict[str, Any], said: tuple[Said, ...], answer: Answer) -> dict[str, float]:
    """One name; the whole reply may be it too, for names have commas and "and" in them."""
    names = [one.name for one in said if one.name]
    listed = any_equal(names, gold["answers"]) and len(names) <= MAX_NAMED
    same = listed or (bool(said) and any_equal((answer.text,), gold["answers"]))
    return {
        "right": float(same),
        "f1": float(same),
        "similarity": best_containment(names, gold["answers"]),
    }


def _lenient(gold: dict[str, Any], answer: Answer) -> float:
    """1 where MapAgent's published rule would call the reply right."""
    from rapidfuzz import fuzz

    if answer.status is not Status.ANSWERED:
        return 0.0
    return float(fuzz.ratio(answer.text, "; ".join(gold["answers"])) >= LENIENT_RATIO)


type Judged = tuple[Item, Score]


def mapqa_metrics(judged: Sequence[Judged]) -> dict[str, Any]:
    """All figures; means over nothing are None."""
    headline = [pair for pair in judged if not pair[0].apart]
    types = {kind: _of(judged, kind) for kind in sorted({item.gold["type"] for item, _ in judged})}
    lenient = {str(kind): _share(pairs, "lenient") for kind, pairs in types.items()}
    return {
        "headline": tally(headline),
        "headline_ver": mean([value(score, "executed") for _, score in headline]),
        "headline_without_defective": tally([pair for pair in headline if not pair[0].defective]),
        "headline_by_type": {str(kind): tally(_of(headline, kind)) for kind in types if kind not in APART},
        "set_f1": {
            str(kind): mean([value(score, "f1") for _, score in _of(headline, kind)])
            for kind in types
            if kind in SETS and kind not in APART
        },
        "type7_planar": _planar(types.get(DISTANCE, [])),
        "apart": {
            **{str(kind): tally(types[kind]) for kind in types if kind in APART},
            "not_in_the_extract": tally(
                [pair for pair in judged if pair[0].apart and pair[0].gold["type"] not in APART]
            ),
        },
        "macro": macro({str(kind): tally(pairs)["accuracy"] for kind, pairs in types.items()}),
        "as_published": {"by_type": lenient, "overall": macro(lenient)},
        "ver": mean([value(score, "executed") for _, score in judged]),
    }


def _planar(judged: Sequence[Judged]) -> dict[str, Any]:
    """Agreement with the stored planar metres of EPSG:3857, over τ: a jump at 0.2 tells true metres."""
    true = [score.values.get("relative_error", NEVER) for _, score in judged]
    planar = [score.values.get("planar_error", NEVER) for _, score in judged]
    return {
        "n": len(judged),
        "agreement": _share(judged, "planar_right") if judged else None,
        "sensitivity_planar": by_error(planar),
        "sensitivity_true": by_error(true),
    }


def _of(judged: Iterable[Judged], kind: int) -> list[Judged]:
    return [pair for pair in judged if pair[0].gold["type"] == kind]


def _share(judged: Sequence[Judged], name: str) -> float:
    return sum(value(score, name) for _, score in judged) / len(judged)
