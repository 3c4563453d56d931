"""TourismQA (D. Contractor et al., "Large scale question answering using tourism data", arXiv 1909.03527).

The authors publish links and the ids of answers; questions, places and reviews have to be collected by
whoever may (https://github.com/dair-iitd/TourismQA). Those who have them write two files of JSON lines:

    questions.jsonl   {"id", "question", "city", "answers": [ids of entities]}
    entities.jsonl    {"id", "name", "type": "R" | "H" | "A", "lat", "lon", "text"}

`text` is the description and the reviews.

What lies as asked is not known here, so there are no pass rates; Spatial-RAG had a model judge them.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from evals.ports import Item, OfferRule
from evals.suites.recommend import Recommend, recommend_item
from evals.suites.recommend_file import FULL, RecommendRecord
from evals.suites.typed_records import AskedText, read_typed
from evals.worlds.maps import ListedPlace, kept_place_map
from map_tools.errors import InputFileError
from map_tools.providers.base import Provider
from map_tools.providers.osm import OsmProvider
from map_tools.text import normalise
from map_tools.types import Frozen
from mapagent.config import Settings
from mapagent.providers import map_home

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
    """TourismQA's questions over its own places."""

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
