"""Pictures as tools are given them: as data, or by name in the one folder the server may read."""

import base64
import binascii
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile

from map_tools.errors import InputFileError, UsageError
from mapagent.images import MAX_BYTES

_DATA = re.compile(r"data:image/[\w.+-]+;base64,")
"""https://www.rfc-editor.org/rfc/rfc2397: the data of a picture inside an address."""
DESCRIPTION = (
    'A map picture: "data:image/png;base64,...", or the name of a file in the folder that the server was '
    "started with (--images)."
)


@contextmanager
def picture_file(given: str, folder: Path | None) -> Iterator[Path]:
    """The file of a picture while the body runs.

    Args:
        given: A data address, or a file's name relative to the folder.
        folder: The folder whose pictures may be read; None: none may.

    Raises:
        InputFileError: The data is no base64, or too much.
        UsageError: The file is outside the folder, or there is no folder.
    """
    found = _DATA.match(given)
    if found is None:
        yield _inside(given, folder)
        return
    with NamedTemporaryFile(prefix="mapagent-picture-") as file:
        file.write(_decoded(given[found.end() :]))
        file.flush()
        yield Path(file.name)


def _decoded(text: str) -> bytes:
    if len(text) > MAX_BYTES * 4 // 3 + 4:
        raise InputFileError(f"The picture is larger than {MAX_BYTES // 1_000_000} MB.", "Save it smaller.")
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise InputFileError(
            "The picture's data is not base64.", "Encode the file's bytes as base64."
        ) from error


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
