"""Questions people ask a map: facts, finding, comparing, distances, ways, several parts, and what no map can answer.

Written by authors who saw neither the code nor each other's questions, each for one city; the right answers were
worked out by programs of their own from the raw OpenStreetMap extract, and are judged by rules
(`evals.suites.scoring.rules`). `--data` names a folder of TOML files, one for each author; maps are looked for under
the names those files give.
"""

import tomllib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from evals.metrics.statistics import wilson
from evals.ports import Item, OfferRule, Score, Task
from evals.suites.files import AskedText
from evals.suites.scoring.rules import Right, holds
from map_tools.errors import ConfigError, InputFileError
from map_tools.providers.base import Provider
from map_tools.types import LatLng
from map_tools.validation import first_fault
from mapagent.core.answer import Answer, Status
from mapagent.core.question import Question
from mapagent.runtime.config import Settings
from mapagent.runtime.opening import open_provider

type Category = Literal["facts", "finding", "comparing", "distances", "ways", "parts", "unanswerable"]


class EverydayRecord(BaseModel):
    """One question.

    Attributes:
        near: Where the asker stands: latitude, longitude.
        at: The moment of asking, as the clocks of the place show it.
        right: What the answer has to say, all of it; empty for what cannot be answered.
    """

    model_config = ConfigDict(extra="forbid")

    id: Annotated[str, Field(min_length=1)]
    category: Category
    text: AskedText
    near: tuple[float, float] | None = None
    at: datetime | None = None
    right: tuple[Right, ...] = ()

    @model_validator(mode="after")
    def _answered(self) -> "EverydayRecord":
        if (self.category == "unanswerable") != (not self.right):
            raise ValueError("`right` is empty if, and only if, the category is unanswerable")
        return self


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    author: Annotated[str, Field(min_length=1)]
    map: Annotated[str, Field(min_length=1)]
    questions: tuple[EverydayRecord, ...]


class Everyday:
    """Everyday questions, each over the map of its city."""

    name = "everyday"

    def __init__(self) -> None:
        self._settings: Settings | None = None

    def load(self, data: Path, protocol: OfferRule) -> tuple[Item, ...]:  # noqa: ARG002 (one protocol)
        """The questions of all files in a folder, or of one file."""
        paths = sorted(data.glob("*.toml")) if data.is_dir() else [data]
        items = tuple(item for path in paths for item in _items(path))
        twice = [name for name, times in Counter(item.id for item in items).items() if times > 1]
        if twice or not items:
            what = f"has the id {twice[0]} twice" if twice else "holds no questions"
            raise InputFileError(f"{data} {what}.", "Name a folder of question files.")
        return items

    def provider(self, data: Path, settings: Settings, world: Path | None = None) -> Provider | None:  # noqa: ARG002
        """None: every question has the map of its city (`map_of`)."""
        self._settings = settings
        return None

    def map_of(self, item: Item) -> Provider:
        """The map of the question's city.

        Raises:
            UnknownNameError: It has not been added yet.
            ConfigError: A provider was named, which all questions would share.
        """
        if self._settings is None:
            raise ConfigError("Each question has the map of its own city.", "Leave out --provider.")
        return open_provider(self._settings.model_copy(update={"provider": "osm", "map": item.gold["map"]}))

    def score(self, item: Item, answer: Answer) -> Score:
        """All that is right has to be said, and nothing that is wrong; what cannot be answered has to be refused.

        Whatever is no answer counts as refused; what was not understood, or failed, is right nowhere.
        """
        if answer.status is not Status.ANSWERED:
            told = answer.status in {Status.UNANSWERABLE, Status.AMBIGUOUS}
            return Score(correct=told and not item.answerable, refused=True)
        if not item.answerable:
            return Score(correct=False)
        said = "; ".join((answer.text, *(part.text for part in answer.parts.values())))
        parts = [holds(Right.model_validate(one), said) for one in item.gold["right"]]
        return Score(correct=all(parts), values={"parts": sum(parts) / len(parts)})

    def metrics(self, judged: Sequence[tuple[Item, Score]]) -> dict[str, Any]:
        """The share of right answers by author, and by map, each with its 95 % interval (Wilson)."""
        return {by: _shares(by, judged) for by in ("author", "map")}


def _shares(by: str, judged: Sequence[tuple[Item, Score]]) -> Mapping[str, Any]:
    held: dict[str, list[bool]] = defaultdict(list)
    for item, score in judged:
        held[item.gold[by]].append(score.correct)
    return {
        name: {"n": len(all_), "right": sum(all_) / len(all_), "ci95": wilson(sum(all_), len(all_))}
        for name, all_ in sorted(held.items())
    }


def _items(path: Path) -> tuple[Item, ...]:
    try:
        file = _File.model_validate(tomllib.loads(path.read_text("utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputFileError(f"{path} cannot be read: {error}.", "Check --data.") from error
    except ValidationError as error:
        fault = first_fault(error)
        raise InputFileError(f"{path}: {fault.where}: {fault.reason}.", "Correct it.") from error
    return tuple(_item(file, record) for record in file.questions)


def _item(file: _File, record: EverydayRecord) -> Item:
    near = None if record.near is None else LatLng(lat=record.near[0], lng=record.near[1])
    return Item(
        id=record.id,
        category=record.category,
        task=Task(question=Question(text=record.text, near=near, at=record.at)),
        gold={
            "author": file.author,
            "map": file.map,
            "right": [one.model_dump(exclude_none=True) for one in record.right],
        },
        answerable=record.category != "unanswerable",
        group=record.id,
    )
