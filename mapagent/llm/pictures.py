"""Pictures as a model gets them: small, without metadata, as data URLs."""

import base64
import io
from pathlib import Path

from map_tools.errors import UsageError
from mapagent.images import opened

MAX_SIDE_PX = 1536
"""Servers scale larger pictures down themselves, to 768 px on the short side
(https://platform.openai.com/docs/guides/images-vision#calculating-costs), and count more tokens for them."""

_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8\xff"


def picture_for_model(path: Path, max_side_px: int = MAX_SIDE_PX) -> bytes:
    """A picture file as PNG bytes: upright, at most `max_side_px` wide and high, nothing but its pixels.

    Raises:
        InputFileError: The file is missing, unreadable, too large, cut short, or no picture.
    """
    from PIL import Image, ImageOps

    with opened(path) as image:
        upright = ImageOps.exif_transpose(image).convert("RGB")
    upright.thumbnail((max_side_px, max_side_px))
    bare = Image.new("RGB", upright.size)  # a new image carries no EXIF, no comments, no profile
    bare.paste(upright)
    stream = io.BytesIO()
    bare.save(stream, format="PNG", optimize=True)
    return stream.getvalue()


def data_url(image: bytes) -> str:
    """A picture in the form `image_url` takes.

    Raises:
        UsageError: The bytes are neither PNG nor JPEG.
    """
    if image.startswith(_PNG):
        kind = "image/png"
    elif image.startswith(_JPEG):
        kind = "image/jpeg"
    else:
        raise UsageError("A picture for the model is neither PNG nor JPEG.", "Save it as one of them.")
    return f"data:{kind};base64,{base64.b64encode(image).decode('ascii')}"
