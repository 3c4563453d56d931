"""The type face of generated pictures: Roboto (Apache-2.0), from the package `font-roboto`.

Pillow's own font has no letters beyond ASCII, and pictures of a benchmark have to be the same everywhere.
"""

from functools import lru_cache
from typing import Any

from map_tools.errors import ConfigError
from mapagent.interfaces.takeaway.lettering import has, roboto


def font(size_px: int, weight: str = "Medium") -> Any:
    """A Pillow font.

    Raises:
        ConfigError: The package is not installed.
    """
    found = roboto(size_px, weight)
    if found is None:
        raise ConfigError(
            "The package font-roboto, whose letters the pictures are drawn with, is not installed.",
            "Install it with: pip install 'mapagent[vision]'.",
        )
    return found


@lru_cache(maxsize=4096)
def drawable(char: str) -> bool:
    """True if the font has a picture of this letter."""
    return has(font(16), char)
