"""GS-QA (Saeedan et al.): open questions of 28 templates over OpenStreetMap, and their published measures.

The published extract of its data base is the gazetteer that tells where a name or an address lies.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import ConfigDict, Field, StrictInt, model_validator

from evals.answers import AnswerKind
from evals.metrics.measures import wind_of
from evals.ports import Item, OfferRule, Score, Task
from evals.suites.files import AskedText, read_typed
from evals.suites.scoring.gsqa import Geocoder, gsqa_metrics, score_gsqa
from evals.worlds.database import MapDatabase, WorldDatabase, beside, extract_rows, point_of
from map_tools.providers.base import Provider
from map_tools.text import normalise
from map_tools.types import Frozen, LatLng
from mapagent.core.answer import Answer
from mapagent.core.question import Question
from mapagent.runtime.config import Settings

FILE_NAMES = ("dev.jsonl", "holdout.jsonl", "dataset.json")
KIND_OF_TEMPLATE: dict[str, AnswerKind] = {
    **{f"T{number}": "name" for number in range(1, 13)},
    **{f"T{number}": "loc" for number in range(13, 21)},
    "T21": "angle",
    "T22": "angle",
    "T23": "count",
    "T24": "count",
    "T25": "distance",
    "T26": "distance",
    "T27": "area",
    "T28": "length",
}
"""Output types of the templates (GS-QA, table 3, as corrected by table 9: T11 and T12 ask for names)."""
HALF_SECTOR_DEG = 22.5
"""Half the width of a sector (GS-QA, section 3.2, "Towards")."""
_NEEDED: dict[AnswerKind, str] = {
    "name": "name",
    "angle": "angle",
    "count": "count",
    "distance": "distance",
    "area": "area",
    "length": "length",
}
"""The field every right answer of a type must have; locations have an address or a position."""


class GsqaAnswer(Frozen):
    """One right answer: a feature of the data base, or just a number.

    Attributes:
        distance, area, length: In metres and square metres. `angle`: an azimuth in degrees.
        address: Street, city, state and postcode as the published evaluator joins them.
        multihop_answer: The fact of another source that T7 asks for.
    """

    model_config = ConfigDict(extra="ignore")

    id: int | None = None
    name: str | None = None
    lon: float | None = Field(default=None, ge=-180, le=180)
    lat: float | None = Field(default=None, ge=-90, le=90)
    distance: float | None = None
    angle: float | None = None
    count: int | None = None
    area: float | None = None
    length: float | None = None
    address: str | None = None
    multihop_answer: str | None = None


class GsqaRecord(Frozen):
    """One question.

    Attributes:
        answers: All right ones; a reply is right if it matches any.
        entities: The filled slots of the template.
        towards_azimuth: For "towards" questions, the azimuth from the first to the second anchor.
        world_ok: The gold statement gives these answers on the published extract of the data base.
        true_gold: Generated questions: sectors cross north, roads are whole, so no published defect applies.
    """

    model_config = ConfigDict(extra="ignore")

    id: StrictInt | str
    template: str
    question: AskedText
    answer_type: Literal["name", "loc", "angle", "count", "distance", "area", "length"]
    sql: str = ""
    answers: tuple[GsqaAnswer, ...]
    entities: dict[str, dict[str, Any]] = Field(default_factory=dict)
    towards_azimuth: float | None = None
    world_ok: bool
    true_gold: bool = False

    @model_validator(mode="after")
    def _consistent(self) -> "GsqaRecord":
        kind = KIND_OF_TEMPLATE.get(self.template)
        if kind is None:
            raise ValueError(f"there is no template '{self.template}'")
        if kind != self.answer_type:
            raise ValueError(f"template {self.template} asks for {kind}, not for {self.answer_type}")
        needed = _NEEDED.get(kind)
        if needed and self.answers and all(getattr(answer, needed) is None for answer in self.answers):
            raise ValueError(f"no answer has a '{needed}'")
        return self

    @property
    def apart(self) -> str:
        """Why the question does not count in the headline; empty if it does."""
        if self.template in {"T7", "T8"}:
            return "needs an external source"
        return "" if self.world_ok else "its gold does not follow from the published extract"

    @property
    def defect(self) -> str:
        """Why its gold is not what the question asks for; empty if it is (docs/benchmark-audit.md)."""
        azimuth = self.towards_azimuth
        if self.true_gold:
            return ""
        if azimuth is not None and not HALF_SECTOR_DEG <= azimuth % 360 <= 360 - HALF_SECTOR_DEG:
            return "the wedge is cut off at north"
        if self.template == "T12":
            return "the longest piece is stored, not the longest road or river"
        return ""


def read_gsqa(data: Path) -> tuple[GsqaRecord, ...]:
    """All records in the file's order.

    Raises:
        InputFileError: The file is missing, or a record is malformed, a duplicate or of an unknown template;
            the message names its line.
    """
    return read_typed(data, GsqaRecord, FILE_NAMES)


PLACES = "pois.parquet"
_QUERY = """
SELECT poi_name, addr_street, addr_city, addr_state, addr_postcode, geometry::VARCHAR
FROM read_parquet(?) ORDER BY osm_id
"""


def open_geocoder(world: Path) -> Geocoder:
    """Looks up names and addresses in the extract; of several places of one name it knows the first.

    Args:
        world: The folder that holds `pois.parquet`.

    Raises:
        InputFileError: There is no such file, or it is not the extract's.
        ConfigError: DuckDB is not installed.
    """
    positions: dict[str, LatLng] = {}
    for texts, position in _places(world / PLACES):
        for text in texts:
            positions.setdefault(normalise(text), position)
    positions.pop("", None)
    return lambda text: positions.get(normalise(text))


def _places(path: Path) -> Iterator[tuple[tuple[str, str], LatLng]]:
    """((name, address), position) of each place; addresses as the published evaluator joins them."""
    for name, street, city, state, postcode, point in extract_rows(path, _QUERY):
        address = ", ".join(str(part) for part in (street, city, state, postcode) if part)
        yield (str(name or ""), address), point_of(point)


WORLD = "gsqa_world"


class Gsqa:
    """The questions over the map that the settings name; every template is a category.

    The headline is what follows from the published extract, without T7 and T8 (docs/benchmark-audit.md); the
    rest is asked too, and reported apart (`metrics`).
    """

    name = "gsqa"

    def __init__(self) -> None:
        self._geocode: Geocoder | None = None
        self._notes: dict[str, Any] = {"geocoder": "none: only stated positions count"}

    def load(self, data: Path, protocol: OfferRule) -> tuple[Item, ...]:  # noqa: ARG002 (one protocol)
        """All questions in the file's order."""
        return tuple(_item(record) for record in read_gsqa(data))

    def provider(self, data: Path, settings: Settings, world: Path | None = None) -> Provider | None:
        """The published extract as a map, or the map the settings name, for questions made over it.

        `world` is the extract's folder; without it one called "gsqa_world" next to the questions is taken.
        Addresses without a position are looked up in it too.
        """
        if world is None and settings.map is None:
            world = beside(data, WORLD)
        if world is None:
            return MapDatabase.of_settings(settings)

        self._geocode = open_geocoder(world)
        self._notes = {"geocoder": "the world's own names and addresses"}
        return WorldDatabase.of_world(world, settings.data_home, name="gsqa")

    def score(self, item: Item, answer: Answer) -> Score:
        """Accuracy@τ, with all other measures in `values`."""
        return score_gsqa(item, answer, self._geocode)

    def metrics(self, judged: Sequence[tuple[Item, Score]]) -> dict[str, Any]:
        """Headline, macro means, errors, what was attempted, sensitivity."""
        return gsqa_metrics(judged)

    def notes(self) -> Mapping[str, Any]:
        """How positions of replies are found, for the run record."""
        return self._notes

    def warnings(self) -> Sequence[str]:
        """Nothing to say."""
        return ()


def _item(record: GsqaRecord) -> Item:
    return Item(
        id=str(record.id),
        category=record.template,
        task=Task(question=Question(text=record.question)),
        gold=_gold(record),
        group=str(record.id),
        defective=record.defect,
        apart=record.apart,
    )


def _gold(record: GsqaRecord) -> dict[str, Any]:
    """The right answers by what they are compared with; `texts` is what prose is compared with."""
    kind = record.answer_type
    names = [answer.name for answer in record.answers if answer.name]
    gold: dict[str, Any] = {"template": record.template, "kind": kind, "names": names}
    if kind == "name":
        facts = [answer.multihop_answer for answer in record.answers if answer.multihop_answer]
        return gold | ({"facts": facts, "texts": facts} if facts else {"texts": names})
    if kind == "loc":
        addresses = [answer.address for answer in record.answers if answer.address]
        return gold | {
            "addresses": addresses,
            "positions": [
                (answer.lat, answer.lon)
                for answer in record.answers
                if answer.lat is not None and answer.lon is not None
            ],
            "texts": addresses,
        }
    found = [value for answer in record.answers if (value := getattr(answer, kind)) is not None]
    texts = [wind_of(value) if kind == "angle" else f"{value:.0f}" for value in found]
    return gold | {"numbers": found, "texts": texts}
