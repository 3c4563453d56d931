"""Letters of pictures: Roboto (Apache-2.0) where the package `font-roboto` is installed, else Pillow's own.

Pillow's own font has few letters beyond ASCII, so accents are dropped there; a letter that the face lacks is left out.
"""

import unicodedata
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from typing import Any

from mapagent.core.rendering import clean

_MISSING = "\uffff"
"""No font has a picture of it, so it shows what the font draws for letters that it lacks."""


@lru_cache(maxsize=16)
def roboto(size_px: int, weight: str = "Medium") -> Any | None:
    """A Pillow font of Roboto; None where it is not installed."""
    from PIL import ImageFont

    try:
        path = files("font_roboto").joinpath("files", f"Roboto-{weight}.ttf")
    except ModuleNotFoundError:
        return None
    return ImageFont.truetype(BytesIO(path.read_bytes()), size_px)


def face(size_px: int, weight: str = "Medium") -> Any:
    """The font that pictures are written in."""
    from PIL import ImageFont

    return roboto(size_px, weight) or ImageFont.load_default(size_px)


def has(font: Any, letter: str) -> bool:
    """Whether a font has a picture of a letter."""
    return letter.isspace() or bytes(font.getmask(letter)) != bytes(font.getmask(_MISSING))


def written(words: str, font: Any) -> str:
    """Words with the letters that a font has; empty if it has none of them."""
    letters = (letter if has(font, letter) else _plain(letter, font) for letter in clean(words))
    return " ".join("".join(letters).split())


def wrapped(words: str, font: Any, width_px: float, most_lines: int) -> list[str]:
    """Words in lines that are no wider; what does not fit is cut, and an ellipsis says so."""
    lines: list[str] = []
    for word in written(words, font).split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and font.getlength(longer) <= width_px:
            lines[-1] = longer
        elif len(lines) == most_lines:
            return [*lines[:-1], _cut(f"{lines[-1]} {word}", font, width_px)]
        else:
            lines.append(word)
    return [line if font.getlength(line) <= width_px else _cut(line, font, width_px) for line in lines]


def _plain(letter: str, font: Any) -> str:
    bare = unicodedata.normalize("NFKD", letter)[0]
    return bare if has(font, bare) else ""


def _cut(line: str, font: Any, width_px: float) -> str:
    while line and font.getlength(f"{line}...") > width_px:
        line = line[:-1]
    return f"{line.rstrip()}..."
