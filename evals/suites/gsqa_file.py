"""The file of GS-QA: questions of 28 templates, each with its gold statement and every right answer."""

from pathlib import Path
from typing import Any, Literal

from pydantic import ConfigDict, Field, StrictInt, model_validator

from evals.answers import AnswerKind
from evals.suites.typed_records import AskedText, read_typed
from map_tools.types import Frozen

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
