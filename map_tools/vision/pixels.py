"""Pictures of any make brought to one form: upright, opaque, eight bits of red, green and blue."""

from io import BytesIO
from typing import Any

WORKING_SIDE_PX = 2000
"""Screens are rarely wider; the time to read a picture grows with its area."""
TRANSPARENT_ON = "white"
_DEEP = ("I", "I;16", "I;16B", "I;16L", "F")
"""Pillow's modes of more than eight bits (https://pillow.readthedocs.io/en/stable/handbook/concepts.html#modes)."""


def as_rgb(image: Any) -> Any:
    """An open Pillow image as RGB.

    EXIF's turn is applied, transparent parts are put on white, 16 bits are scaled down to eight, and of an
    animation the first picture counts.
    """
    from PIL import Image, ImageOps

    image.seek(0)
    upright = ImageOps.exif_transpose(image)
    if upright.mode in _DEEP:
        return _eight_bits(upright).convert("RGB")
    if upright.mode in ("RGBA", "LA", "PA") or "transparency" in upright.info:
        layer = upright.convert("RGBA")
        ground = Image.new("RGBA", layer.size, TRANSPARENT_ON)
        return Image.alpha_composite(ground, layer).convert("RGB")
    return upright.convert("RGB")


def shrunk(image: Any, max_side_px: int = WORKING_SIDE_PX) -> Any:
    """The image, no wider and no higher than the limit."""
    if max(image.size) <= max_side_px:
        return image
    smaller = image.copy()
    smaller.thumbnail((max_side_px, max_side_px))
    return smaller


def as_png(image: Any) -> bytes:
    """The image as PNG, without metadata: colour profiles, too, carry names of people and devices."""
    stream = BytesIO()
    image.save(stream, format="PNG", icc_profile=None)  # not given, Pillow writes that of the original
    return stream.getvalue()


def _eight_bits(image: Any) -> Any:
    """Brightness scaled so that the highest value of the format is white."""
    import numpy as np
    from PIL import Image

    values = np.asarray(image, dtype=np.float64)
    top = 255.0 if values.max(initial=0.0) <= 255 else 65535.0
    return Image.fromarray(np.clip(values * 255.0 / top, 0, 255).astype(np.uint8))
