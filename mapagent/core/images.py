"""Pictures that come with a question: checked before anything else is done with them.

Pillow's decoders: https://pillow.readthedocs.io/en/stable/handbook/image-file-formats.html.
"""

import struct
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from map_tools.errors import InputFileError

MAX_BYTES = 20_000_000
MAX_PIXELS = 50_000_000
"""A picture is decoded as a whole: 50 million pixels take 200 MB, and are far more than any screen has."""
MAX_SIDE_PX, MAX_RATIO = 30_000, 80
"""Longest side, and greatest ratio of the sides; no screenshot exceeds them. To be read, a strip is enlarged."""
FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF")
"""Formats of screenshots and photographs; Pillow's rarer decoders are not exposed to untrusted files."""


@dataclass(frozen=True, slots=True)
class Picture:
    """Properties of a checked picture; `width_px` and `height_px` are those before any scaling."""

    format: str
    width_px: int
    height_px: int


def check_image(path: Path) -> Picture:
    """Opens and decodes a picture within the limits.

    Raises:
        InputFileError: The file is missing, unreadable, too large, cut short, or no picture.
    """
    with opened(path) as image:
        return Picture(image.format or "", image.width, image.height)


@contextmanager
def opened(path: Path) -> Iterator[Any]:
    """Yields a checked picture as a Pillow image, fully decoded, since much damage shows only then.

    Damaged metadata shows when it is used: such errors raised in the `with` block are errors of the file, too.

    Raises:
        InputFileError: As for `check_image`.
    """
    _check_file(path)
    from PIL import Image, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about big pictures, where our own limit is lower, and damage
            with Image.open(path, formats=FORMATS) as image:
                if image.width * image.height > MAX_PIXELS:
                    raise _too_many_pixels(path)
                long, short = max(image.size), min(image.size)
                if long > MAX_SIDE_PX or long > MAX_RATIO * short:
                    raise InputFileError(
                        f"The picture {path} is a strip of {image.width} x {image.height} pixels.",
                        f"Cut it: no side over {MAX_SIDE_PX} px or {MAX_RATIO} times as long as the other.",
                    )
                image.load()
                yield image
    except Image.DecompressionBombError as error:
        raise _too_many_pixels(path) from error
    except UnidentifiedImageError as error:
        raise InputFileError(f"{path} is not a picture.", f"Give one of {', '.join(FORMATS)}.") from error
    except (OSError, SyntaxError, ValueError, EOFError, struct.error) as error:
        raise InputFileError(
            f"The picture {path} is damaged or cannot be read: {error}.", "Save it again."
        ) from error


def _check_file(path: Path) -> None:
    try:
        if not path.is_file():
            raise InputFileError(f"There is no picture '{path}'.", "Give the path of a picture file.")
        size = path.stat().st_size
    except OSError as error:
        raise InputFileError(
            f"The picture {path} cannot be read: {error.strerror}.", "Name a file you may read."
        ) from error
    if size > MAX_BYTES:
        raise InputFileError(
            f"The picture {path} is larger than {MAX_BYTES // 1_000_000} MB.", "Save it smaller."
        )


def _too_many_pixels(path: Path) -> InputFileError:
    return InputFileError(
        f"The picture {path} has more than {MAX_PIXELS // 1_000_000} million pixels.", "Save it smaller."
    )
