"""Pictures that come as text: each is a file for as long as its question is answered."""

import base64
import binascii
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from map_tools.errors import InputFileError
from mapagent.core.images import MAX_BYTES

NAME = "picture"
"""What messages call a picture that has no name of its own."""


@contextmanager
def encoded_picture(encoded: str) -> Iterator[Path]:
    """The picture as a file, which is gone afterwards.

    Args:
        encoded: Base64 (RFC 4648), or a data URL (RFC 2397). What is inside is checked by
            `mapagent.core.images.check_image`, like every picture.

    Raises:
        InputFileError: It is not Base64, too large, or (from the block) no picture.
    """
    content = _decoded(encoded)
    with TemporaryDirectory(prefix="mapagent-picture-") as folder:
        path = Path(folder) / NAME
        path.write_bytes(content)
        with called(NAME, path):
            yield path


@contextmanager
def called(name: str, path: Path) -> Iterator[None]:
    """Messages from the block speak of a file by this name: nobody outside is told where it lies."""
    try:
        yield
    except InputFileError as error:
        raise InputFileError(error.message.replace(str(path), name), error.remedy) from None


def _decoded(encoded: str) -> bytes:
    if encoded.startswith("data:"):
        head, _, encoded = encoded.partition(",")
        if not head.endswith(";base64"):
            raise InputFileError(
                "The picture's data URL is not in Base64.", "Write data:image/png;base64,..."
            )
    if len(encoded) > MAX_BYTES * 4 // 3 + 4:
        raise InputFileError(f"The picture is larger than {MAX_BYTES // 1_000_000} MB.", "Save it smaller.")
    try:
        return base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError) as error:
        raise InputFileError("The picture is not in Base64.", "Encode the file's bytes.") from error
