"""MapEval-Visual (Dihan et al., 2025), as in the MapAgent paper, section 4: questions about map screenshots.

"Unanswerable" is offered on every question: the source lists it only where it is right. Folders that
`mapagent generate map-images` writes have the same form.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from evals.ports import Item, OfferRule, Score, Task
from evals.suites.choices import score_choice
from evals.suites.typed_records import read_typed
from evals.suites.visual_frames import TrueFrame, location_metrics, off_share, read_frames
from map_tools.providers.base import Provider
from mapagent.answer import Answer
from mapagent.config import Settings
from mapagent.question import LETTERS, Question

QUESTIONS_FILE = "dev.jsonl"


class VisualRecord(BaseModel):
    """A line of the file; `answer` is a letter, or None if the picture does not tell."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: str
    image: str
    question: str
    options: tuple[str, ...]
    answer: str | None
    category: str


class MapEvalVisual:
    """MapEval-Visual: a question and a picture; a map beside it only where the settings name one."""

    name = "mapeval-visual"

    def __init__(self) -> None:
        self._frames: dict[str, TrueFrame] = {}

    def load(self, data: Path, protocol: OfferRule) -> tuple[Item, ...]:  # noqa: ARG002
        """All questions, their pictures by path; the pictures are opened when they are asked about.

        Raises:
            InputFileError: A line that cannot be read, a duplicate id, a missing picture: with its line.
        """
        path = data / QUESTIONS_FILE if data.is_dir() else data
        self._frames = read_frames(path.parent)
        records = read_typed(path, VisualRecord, (), flaw=lambda record: _flaw(record, path.parent))
        return tuple(_item(record, path.parent) for record in records)

    def provider(self, data: Path, settings: Settings, world: Path | None = None) -> Provider | None:  # noqa: ARG002
        """The map the settings name; None without one: then the picture alone answers."""
        from mapagent.providers import open_provider

        return open_provider(settings) if settings.map is not None else None

    def score(self, item: Item, answer: Answer) -> Score:
        """Right option, or refusal of what cannot be answered; with `off` where the true frame is known."""
        score = score_choice(item, answer)
        truth = self._frames.get(item.group)
        off = off_share(answer, truth) if truth else None
        return score if off is None else score.model_copy(update={"values": {**score.values, "off": off}})

    def metrics(self, judged: Sequence[tuple[Item, Score]]) -> dict[str, Any]:
        """How many were refused and how many wrong; of generated pictures also how well they are located."""
        refused = sum(score.refused for _, score in judged)
        wrong = sum(not score.correct and not score.refused for _, score in judged)
        pictures = {item.group for item, _ in judged if item.group in self._frames}
        off = {item.group: score.values["off"] for item, score in judged if "off" in score.values}
        where = location_metrics(len(pictures), tuple(off.values()))
        return {"refused": refused, "answered_wrong": wrong, **where}


def _flaw(record: VisualRecord, folder: Path) -> str:
    """What is wrong with a record as a whole; empty if nothing is."""
    if not (folder / record.image).is_file():
        return f"there is no picture {record.image}"
    if record.answer is not None and not 0 <= LETTERS.find(record.answer) < len(record.options):
        return f"the answer '{record.answer}' is none of the options"
    return ""


def _item(record: VisualRecord, folder: Path) -> Item:
    gold = None if record.answer is None else LETTERS.find(record.answer)
    return Item(
        id=record.id,
        category=record.category,
        task=Task(
            question=Question(text=record.question, options=record.options, image=folder / record.image)
        ),
        gold=gold,
        answerable=gold is not None,
        group=record.image,
    )
