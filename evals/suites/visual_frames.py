"""Where pictures truly are, for folders of generated pictures, and how far off an answer's frame is."""

from collections.abc import Sequence
from math import hypot
from pathlib import Path
from statistics import median
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from evals.suites.json_records import read_records
from map_tools.errors import InputFileError
from map_tools.facts import PictureFact
from map_tools.types import LatLng
from map_tools.vision.mercator import ground_scale, to_plane
from mapagent.answer import Answer

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
