"""Recommendations: generated wishes over maps whose truth is known, MapQA's and TourismQA's questions.

MapQA-ADJ and MapQA-AME are MapQA's types 1 and 4 as Spatial-RAG measures them (arXiv 2502.18470, table 3).
TourismQA: D. Contractor et al., "Large scale question answering using tourism data", arXiv 1909.03527.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from evals.ports import Item, OfferRule, Score, Task
from evals.suites.files import AskedText, read_typed
from evals.suites.mapqa import Mapqa
from evals.suites.scoring.mapqa import MapqaRecord, read_mapqa
from evals.suites.scoring.recommend import (
    FULL,
    RecommendRecord,
    read_recommend,
    recommend_metrics,
    score_recommendation,
)
from evals.worlds.maps import ListedPlace, kept_place_map
from map_tools.errors import InputFileError
from map_tools.maps.info import read_info
from map_tools.providers.base import Provider
from map_tools.providers.osm import OsmProvider
from map_tools.text import normalise
from map_tools.types import Frozen
from mapagent.core.answer import Answer
from mapagent.core.question import Question
from mapagent.runtime.config import Settings
from mapagent.runtime.opening import map_home, open_provider

RANKED = 10
"""So many places are asked for: the largest k of the published tables."""
MANIFEST = "manifest.json"


class Recommend:
    """Generated wishes over the map they were made for (`mapagent generate recommend`)."""

    name = "recommend"

    def load(self, data: Path, protocol: OfferRule) -> tuple[Item, ...]:  # noqa: ARG002 (one protocol)
        """All wishes in the file's order; every family is a category."""
        return tuple(recommend_item(record) for record in read_recommend(data))

    def provider(self, data: Path, settings: Settings, world: Path | None = None) -> Provider | None:  # noqa: ARG002
        """The map that the manifest beside the wishes names, or the one the settings name.

        Raises:
            InputFileError: There is no manifest, or the map is another build than the wishes are about.
            UnknownNameError: There is no such map on this machine.
        """
        folder = data if data.is_dir() else data.parent
        manifest = _manifest(folder)
        name = settings.map or str(manifest.get("map"))
        path = map_home(settings).path(name)
        if read_info(path).source_sha256 != manifest.get("map_source_sha256"):
            raise InputFileError(
                f"The map '{name}' is not the one that the wishes in {folder} are about.",
                "Make both again with `mapagent generate recommend`.",
            )
        return open_provider(settings.model_copy(update={"map": name, "provider": "osm"}))

    def score(self, item: Item, answer: Answer) -> Score:
        """By withheld truth."""
        return score_recommendation(item, answer)

    def metrics(self, judged: Sequence[tuple[Item, Score]]) -> dict[str, Any]:
        """Ranking, pass rates, failures; what is reported apart stands apart."""
        return recommend_metrics(judged)


def recommend_item(record: RecommendRecord) -> Item:
    """The item of a record: its family is its category."""
    return Item(
        id=record.id,
        category=record.family,
        task=Task(question=Question(text=record.question, near=record.near), ranked=RANKED),
        gold=record,
        group=record.id,
        defective=record.defective,
        apart=record.apart,
    )


def _manifest(folder: Path) -> dict[str, Any]:
    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InputFileError(
            f"{path}, which tells the map of the wishes, cannot be read.", "Give the folder of a benchmark."
        ) from error
    if not isinstance(manifest, dict):
        raise InputFileError(f"{path} is no JSON object.", "Give the folder of a benchmark.")
    return manifest


_FAMILIES = {1: "adjacent", 4: "around"}


class RecommendMapqa(Recommend):
    """The questions over MapQA's own published places.

    The world is thinner than the paper's 92,415 places, so figures are an upper bound.
    """

    name = "recommend-mapqa"

    def load(self, data: Path, protocol: OfferRule) -> tuple[Item, ...]:  # noqa: ARG002 (one protocol)
        """The questions of the two types in the file's order."""
        records = [record for record in read_mapqa(data) if record.type in _FAMILIES and record.answers]
        unclear = unclear_branches(records)
        return tuple(recommend_item(_of_mapqa(record, unclear=record.id in unclear)) for record in records)

    def provider(self, data: Path, settings: Settings, world: Path | None = None) -> Provider | None:
        """The published places as a map, as for the suite `mapqa`."""
        return Mapqa().provider(data, settings, world)


def unclear_branches(records: Sequence[MapqaRecord]) -> frozenset[str]:
    """Ids of the questions whose answer differs where the same is asked, in whatever words.

    Their place's name is that of several (branches of a bank), and nothing in the words tells which is meant.
    """
    answers: dict[tuple[object, ...], set[frozenset[str]]] = {}
    for record in records:
        answers.setdefault(_asked(record), set()).add(frozenset(map(normalise, record.answers)))
    return frozenset(record.id for record in records if len(answers[_asked(record)]) > 1)


def _asked(record: MapqaRecord) -> tuple[object, ...]:
    """What a question asks for beside which place."""
    names = frozenset(normalise(entity.name or "") for entity in record.subjects())
    return record.type, record.amenity, names


def _of_mapqa(record: MapqaRecord, *, unclear: bool) -> RecommendRecord:
    return RecommendRecord.model_validate(
        {
            "id": record.id,
            "family": _FAMILIES[record.type],
            "question": record.question,
            "grades": dict.fromkeys(record.answers, FULL),
            "whole": True,
            "lies": record.answers,
            "apart": record.apart,
            "defective": "the same is asked elsewhere with another answer" if unclear else "",
        }
    )


QUESTIONS, ENTITIES = "questions.jsonl", "entities.jsonl"
ATTRIBUTION = "TourismQA, Contractor et al."
TAGS: Mapping[str, tuple[str, str]] = {
    "R": ("amenity", "restaurant"),
    "H": ("tourism", "hotel"),
    "A": ("tourism", "attraction"),
}
"""The three types of entities (R, H and A stand in their ids) as OpenStreetMap has them."""


class TourismEntity(Frozen):
    """A place; `text` is whatever is written about it."""

    model_config = ConfigDict(extra="ignore")

    id: Annotated[str, Field(min_length=1)]
    name: Annotated[str, Field(min_length=1)]
    type: Literal["R", "H", "A"]
    lat: Annotated[float, Field(ge=-90, le=90)]
    lon: Annotated[float, Field(ge=-180, le=180)]
    text: str = ""


class TourismQuestion(Frozen):
    """A question with the ids of the places that were recommended."""

    model_config = ConfigDict(extra="ignore")

    id: Annotated[str, Field(min_length=1)]
    question: AskedText
    city: str = ""
    answers: Annotated[tuple[str, ...], Field(min_length=1)]


class RecommendTourismqa(Recommend):
    """TourismQA's questions over its own places.

    The authors publish links and the ids of answers; questions, places and reviews have to be collected by
    whoever may (https://github.com/dair-iitd/TourismQA). Those who have them write two files of JSON lines:

        questions.jsonl   {"id", "question", "city", "answers": [ids of entities]}
        entities.jsonl    {"id", "name", "type": "R" | "H" | "A", "lat", "lon", "text"}

    `text` is the description and the reviews.

    What lies as asked is not known here, so there are no pass rates; Spatial-RAG had a model judge them.
    """

    name = "recommend-tourismqa"

    def load(self, data: Path, protocol: OfferRule) -> tuple[Item, ...]:  # noqa: ARG002 (one protocol)
        """All questions in the file's order.

        Raises:
            InputFileError: A file is missing or malformed, or an answer is no entity; names the question.
        """
        entities = {entity.id: entity for entity in _entities(data)}
        names = Counter(normalise(entity.name) for entity in entities.values())
        questions = read_typed(data / QUESTIONS, TourismQuestion, ())
        return tuple(recommend_item(_record(question, entities, names)) for question in questions)

    def provider(self, data: Path, settings: Settings, world: Path | None = None) -> Provider | None:  # noqa: ARG002
        """A map made of the entities."""
        listed = [_listed(entity) for entity in _entities(data)]
        home = map_home(settings)
        folder = kept_place_map(
            listed, prefix="tourismqa", home=home, source=ENTITIES, attribution=ATTRIBUTION
        )
        return OsmProvider.open(folder)


def _entities(data: Path) -> Sequence[TourismEntity]:
    return read_typed(data / ENTITIES, TourismEntity, ())


def _record(
    question: TourismQuestion, entities: Mapping[str, TourismEntity], names: Counter[str]
) -> RecommendRecord:
    unknown = [answer for answer in question.answers if answer not in entities]
    if unknown:
        raise InputFileError(
            f"The answer {unknown[0]} of question {question.id} is not in {ENTITIES}.",
            "Remove the answer, or add the entity.",
        )
    answers = [entities[answer].name for answer in question.answers]
    shared = any(names[normalise(name)] > 1 for name in answers)
    return RecommendRecord(
        id=question.id,
        family="point",
        question=question.question,
        grades=dict.fromkeys(answers, FULL),
        apart="an answer shares its name with another place" if shared else "",
    )


def _listed(entity: TourismEntity) -> ListedPlace:
    key, value = TAGS[entity.type]
    tags = {"name": entity.name, key: value} | ({"description": entity.text} if entity.text else {})
    return ListedPlace(entity.lat, entity.lon, tags)
