"""Files and folders for one user's eyes: they hold what was asked, and what services answered."""

import os
from pathlib import Path
from typing import TextIO

FOLDER_MODE, FILE_MODE = 0o700, 0o600


def private_folder(folder: Path) -> None:
    """Makes the folder, if it is not there, so that nobody else can look into it.

    Raises:
        OSError: It cannot be made.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=FOLDER_MODE)


def write_private(path: Path) -> TextIO:
    """Opens a new, empty text file that nobody else can read.

    Raises:
        OSError: It cannot be made.
    """
    path.unlink(missing_ok=True)  # an older file would keep its own mode
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, FILE_MODE)
    return os.fdopen(descriptor, "w", encoding="utf-8", newline="\n")
