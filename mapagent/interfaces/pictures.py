"""Pictures as callers give them.

One that comes as text is a file for as long as its question is answered; another is named in the one folder that a
server may read.
"""

import base64
import binascii
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from map_tools.errors import InputFileError, UsageError
from mapagent.core.question import MAX_BYTES

NAME = "picture"
"""What messages call a picture that has no name of its own."""
DESCRIPTION = (
    'A map picture: "data:image/png;base64,...", or the name of a file in the folder that the server was '
    "started with (--images)."
)


@contextmanager
def encoded_picture(encoded: str) -> Iterator[Path]:
    """The picture as a file, which is gone afterwards.

    Args:
        encoded: Base64 (RFC 4648), or a data URL (RFC 2397). What is inside is checked by
            `mapagent.core.question.check_image`, like every picture.

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
def picture_file(given: str, folder: Path | None) -> Iterator[Path]:
    """The file of a picture while the body runs.

    Args:
        given: A data URL, or a file's name relative to the folder.
        folder: The folder whose pictures may be read; None: none may.

    Raises:
        InputFileError: The data is not Base64, or too much; or (from the block) it is no picture.
        UsageError: The file is outside the folder, or there is no folder.
    """
    if given.startswith("data:"):
        with encoded_picture(given) as path:
            yield path
        return
    path = _inside(given, folder)
    with called(given, path):
        yield path


@contextmanager
def called(name: str, path: Path) -> Iterator[None]:
    """Messages from the block speak of a file by this name: nobody outside is told where it lies."""
    try:
        yield
    except InputFileError as error:
        raise InputFileError(error.message.replace(str(path), name), error.remedy) from None


def _inside(name: str, folder: Path | None) -> Path:
    if folder is None:
        raise UsageError(
            "This server reads no picture files.",
            "Give the picture as data:image/png;base64,..., or start the server with --images FOLDER.",
        )
    path = (folder / name).resolve()
    if not path.is_relative_to(folder.resolve()):
        raise UsageError(
            f"The picture '{name[:80]}' is outside the server's picture folder.", "Move it there."
        )
    return path


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
