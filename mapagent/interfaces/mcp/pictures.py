"""Pictures as tools are given them: as data, or by name in the one folder the server may read."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from map_tools.errors import UsageError
from mapagent.interfaces.pictures import called, encoded_picture

DESCRIPTION = (
    'A map picture: "data:image/png;base64,...", or the name of a file in the folder that the server was '
    "started with (--images)."
)


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
