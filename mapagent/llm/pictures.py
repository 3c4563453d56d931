"""Pictures as a model gets them: small, as data URLs."""

import base64

from map_tools.errors import UsageError

SHOWN_SIDE_PX = 1536
"""Servers scale larger pictures down themselves, to 768 px on the short side
(https://platform.openai.com/docs/guides/images-vision#calculating-costs), and count more tokens for them."""

_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8\xff"


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
