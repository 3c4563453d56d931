"""MapEval-Visual (Dihan et al., 2025), as in the MapAgent paper, section 4: questions about map screenshots.

For folders of generated pictures it is known where they truly are, and so how far off an answer's frame is.

"Unanswerable" is offered on every question: the source lists it only where it is right. Folders that
`mapagent generate map-images` writes have the same form.
"""

from collections.abc import Sequence
from math import hypot
from pathlib import Path
from statistics import median
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from evals.ports import Item, OfferRule, Score, Task
from evals.suites.files import read_records, read_typed
from evals.suites.mapeval import score_choice
from map_tools.errors import InputFileError
from map_tools.facts import PictureFact
from map_tools.providers.base import Provider
from map_tools.types import LatLng
from map_tools.vision.frame import ground_scale, to_plane
from mapagent.core.answer import Answer
from mapagent.core.question import LETTERS, Question
from mapagent.runtime.config import Settings

FRAMES_FILE = "frames.jsonl"
LOCATED_SHARE = 0.05
"""A picture counts as located if its middle is off by at most this share of its width."""


class TrueFrame(BaseModel):
    """A line of `frames.jsonl`."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    image: str
    center: LatLng
    width_px: int
    metres_per_px: float


def read_frames(folder: Path) -> dict[str, TrueFrame]:
    """The frames by picture; none where the folder has no such file.

    Raises:
        InputFileError: A line that is no frame, with its number.
    """
    path = folder / FRAMES_FILE
    if not path.is_file():
        return {}
    frames: dict[str, TrueFrame] = {}
    for line, raw in read_records(path):
        try:
            frame = TrueFrame.model_validate(raw)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise InputFileError(
                f"{path}, line {line}: '{where}': {first['msg']}.", "Generate the folder anew."
            ) from error
        frames[frame.image] = frame
    return frames


def off_share(answer: Answer, truth: TrueFrame) -> float | None:
    """How far off an answer's frame is in the middle, in widths of the picture; None: it has no frame."""
    seen = next((item.value for item in answer.evidence if isinstance(item.value, PictureFact)), None)
    if seen is None or seen.frame is None:
        return None
    apart = to_plane(seen.frame.center) - to_plane(truth.center)
    return hypot(apart.real, apart.imag) * ground_scale(truth.center) / (truth.width_px * truth.metres_per_px)


def location_metrics(pictures: int, off: Sequence[float]) -> dict[str, Any]:
    """Shares located rightly and wrongly, and the errors, of pictures whose frames are known.

    Args:
        pictures: How many there are.
        off: The errors of those for which a frame was found, as shares of the width.
    """
    if not pictures:
        return {}
    right = sum(one <= LOCATED_SHARE for one in off)
    return {
        "pictures": pictures,
        "located": right / pictures,
        "located_wrong": (len(off) - right) / pictures,
        "off_median": median(off) if off else None,
        "off_worst": max(off, default=None),
    }


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
        from mapagent.runtime.opening import open_provider

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
