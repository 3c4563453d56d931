"""Opens the picture of a question in the one form that readers take."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from map_tools.vision.pixels import as_png, as_rgb, shrunk
from mapagent.core.question import opened
from mapagent.llm.request import SHOWN_SIDE_PX


@dataclass(frozen=True, slots=True)
class Sheet:
    """A picture ready to be read: `image` is a Pillow image in RGB, `png` the same as bytes."""

    image: Any
    png: bytes

    @property
    def width_px(self) -> int:
        """Pixels from left to right."""
        return int(self.image.width)

    @property
    def height_px(self) -> int:
        """Pixels from top to bottom."""
        return int(self.image.height)


def open_sheet(path: Path) -> Sheet:
    """Checks, decodes and normalises a picture file; blocking.

    Raises:
        InputFileError: The file is missing, too large, damaged or no picture.
    """
    with opened(path) as image:
        upright = shrunk(as_rgb(image))
    return Sheet(upright, as_png(upright))


def shown_image(path: Path) -> bytes:
    """A picture as models are shown it: small, as PNG.

    Raises:
        InputFileError: It cannot be read.
    """
    return as_png(shrunk(open_sheet(path).image, SHOWN_SIDE_PX))
