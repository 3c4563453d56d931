"""Letters for drawn test pictures."""

from importlib.resources import files
from io import BytesIO
from typing import Any

import pytest
from PIL import ImageFont


def face(size_px: int) -> Any:
    """Roboto; skips the test where the package is not installed."""
    pytest.importorskip("font_roboto")
    path = files("font_roboto").joinpath("files", "Roboto-Medium.ttf")
    return ImageFont.truetype(BytesIO(path.read_bytes()), size_px)
