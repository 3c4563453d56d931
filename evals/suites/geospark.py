"""GeoSpark Bench (package geospark-ai 0.10.0): topology, distances and short chains over shapes and landmarks.

A question comes in two forms: `prompt_structured` brings the geometries of what it names as GeoJSON, `prompt_natural`
names them only. The right answers were computed with Shapely and pyproj by its authors.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError, model_validator

from evals.answers import read_said
from evals.ports import Item, OfferRule, Score, Task
from evals.suites.files import AskedText, read_whole
from map_tools.errors import InputFileError
from map_tools.providers.base import Provider
from map_tools.text import same_name
from map_tools.validation import first_fault
from mapagent.core.answer import Answer, Status
from mapagent.core.question import Question
from mapagent.runtime.config import Settings

FILES = ("geotopo.json", "geodistance.json", "georeason.json")
_TRUTHS = {"true": True, "yes": True, "false": False, "no": False}


class Meta(BaseModel):
    """What goes with the right answer.

    Attributes:
        tolerance_m: A number that is no farther from the right one is right.
    """

    model_config = ConfigDict(extra="ignore")

    tolerance_m: Annotated[float, Field(ge=0)] | None = None


class GeosparkRecord(BaseModel):
    """One question as published."""

    model_config = ConfigDict(extra="ignore", strict=True)

    id: Annotated[str, Field(min_length=1)]
    category: str
    prompt_natural: AskedText
    prompt_structured: AskedText
    answer_type: Literal["numeric", "boolean", "category"]
    ground_truth: bool | FiniteFloat | int | str
    ground_truth_meta: Meta = Meta()

    @model_validator(mode="after")
    def _of_its_type(self) -> "GeosparkRecord":
        truth, meta = self.ground_truth, self.ground_truth_meta
        match self.answer_type:
            case "boolean":
                fits = isinstance(truth, bool)
            case "category":
                fits = isinstance(truth, str)
            case _:
                number = isinstance(truth, int | float) and not isinstance(truth, bool)
                fits = number and meta.tolerance_m is not None
        if not fits:
            raise ValueError(f"{truth!r} is no {self.answer_type} answer, or one without a tolerance_m")
        return self


class _File(BaseModel):
    model_config = ConfigDict(extra="ignore")

    questions: tuple[GeosparkRecord, ...]


class Geospark:
    """The questions with their geometries in the text; every category of the benchmark is one."""

    name = "geospark"

    def load(self, data: Path, protocol: OfferRule) -> tuple[Item, ...]:  # noqa: ARG002 (one protocol)
        """All questions of the three files in a folder, or those of one file."""
        paths = [data / name for name in FILES if (data / name).is_file()] if data.is_dir() else [data]
        if not paths:
            raise InputFileError(f"{data} holds none of {', '.join(FILES)}.", "Check --data.")
        items = tuple(self._item(record) for path in paths for record in _records(path))
        twice = [name for name, count in Counter(item.id for item in items).items() if count > 1]
        if twice or not items:
            what = f"has the id {twice[0]} twice" if twice else "holds no questions"
            raise InputFileError(f"{data} {what}.", "Take the files as published.")
        return items

    def provider(self, data: Path, settings: Settings, world: Path | None = None) -> Provider | None:  # noqa: ARG002
        """None: the text says it all."""
        return None

    def score(self, item: Item, answer: Answer) -> Score:
        """Numbers by the benchmark's own tolerance, truths and names exactly."""
        if answer.status in {Status.UNANSWERABLE, Status.AMBIGUOUS}:
            return Score(correct=False, refused=True)
        match item.gold["answer_type"]:
            case "numeric":
                return _score_number(item, answer)
            case "boolean":
                return _score_truth(item, answer)
            case _:
                names = [one.name for one in read_said(answer, "name")]
                return Score(correct=names != [] and same_name(names[0], item.gold["truth"]))

    def metrics(self, judged: Sequence[tuple[Item, Score]]) -> dict[str, Any]:  # noqa: ARG002 (nothing further)
        """Nothing beside the accuracies."""
        return {}

    def _item(self, record: GeosparkRecord) -> Item:
        return Item(
            id=record.id,
            category=record.category,
            task=Task(question=self._question(record)),
            gold={
                "answer_type": record.answer_type,
                "truth": record.ground_truth,
                "tolerance_m": record.ground_truth_meta.tolerance_m,
            },
            group=record.id,
        )

    def _question(self, record: GeosparkRecord) -> Question:
        return Question(text=record.prompt_structured).with_data_apart()


class GeosparkNatural(Geospark):
    """The questions without geometries, over the map that the settings name, if any."""

    name = "geospark-natural"

    def _question(self, record: GeosparkRecord) -> Question:
        return Question(text=record.prompt_natural)


def _records(path: Path) -> tuple[GeosparkRecord, ...]:
    try:
        return _File.model_validate_json(read_whole(path)).questions
    except ValidationError as error:
        fault = first_fault(error)
        raise InputFileError(
            f"{path}: {fault.where or 'the file'}: {fault.reason}.", "Correct it."
        ) from error


def _score_number(item: Item, answer: Answer) -> Score:
    metres = [one.distance_m for one in read_said(answer, "distance") if one.distance_m is not None]
    if not metres:
        return Score(correct=False, invalid=True)
    off = abs(metres[0] - item.gold["truth"])
    return Score(correct=off <= item.gold["tolerance_m"], values={"off_m": off})


def _score_truth(item: Item, answer: Answer) -> Score:
    words = answer.text.replace(",", " ").replace(".", " ").split()
    said = _TRUTHS.get(words[0].casefold()) if words else None
    return Score(correct=said is item.gold["truth"], invalid=said is None)
