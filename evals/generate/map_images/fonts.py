"""The type face of generated pictures: Roboto (Apache-2.0), from the package `font-roboto`.

Pillow's own font has no letters beyond ASCII.
"""

from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from typing import Any

from map_tools.errors import ConfigError

_MISSING = "\uffff"
"""No font has a picture of it, so it shows what the font draws for letters that it lacks."""


@lru_cache(maxsize=8)
def font(size_px: int, weight: str = "Medium") -> Any:
    """A Pillow font.

    Raises:
        ConfigError: The package is not installed.
    """
    from PIL import ImageFont

    try:
        path = files("font_roboto").joinpath("files", f"Roboto-{weight}.ttf")
    except ModuleNotFoundError as error:
        raise ConfigError(
            "The package font-roboto, whose letters the pictures are drawn with, is not installed.",
            "Install it with: pip install 'mapagent[vision]'.",
        ) from error
    return ImageFont.truetype(BytesIO(path.read_bytes()), size_px)


@lru_cache(maxsize=4096)
def drawable(char: str) -> bool:
    """True if the font has a picture of this letter."""
    face = font(16)
    return char.isspace() or bytes(face.getmask(char)) != bytes(face.getmask(_MISSING))
