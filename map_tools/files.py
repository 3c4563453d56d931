"""Files of ours: known again by a digest, private to one user, or lines that are safe to kill.

Private is what holds questions and the replies of services. Lines are written by one process at a time, each whole
or not at all: what a kill leaves is at most half a line at the end, cut off when the file is opened again.
"""

import fcntl
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Self, TextIO

from map_tools.errors import InputFileError, OutputFileError, UsageError

FOLDER_MODE, FILE_MODE = 0o700, 0o600
_BLOCK = 1 << 16


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


def file_sha256(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal digits; it is read block by block."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


class Journal:
    """Lines in a file, appended one by one; use as a context manager.

    Args:
        path: The file.
        descriptor: Of the file, open for appending and locked.
        remedy: What the user can do if it cannot be written.
    """

    def __init__(self, path: Path, descriptor: int, remedy: str) -> None:
        self.path = path
        self._descriptor = descriptor
        self._remedy = remedy

    @classmethod
    def open(cls, path: Path, *, remedy: str, mode: int = 0o644) -> Self:
        """Opens a file, or makes it with this mode; half a line at its end is cut off.

        Raises:
            UsageError: Another process is writing to it.
            InputFileError: It cannot be written.
        """
        try:
            descriptor = os.open(path, os.O_CREAT | os.O_RDWR | os.O_APPEND | os.O_CLOEXEC, mode)
        except OSError as error:
            raise InputFileError(_unwritable(path, error), remedy) from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.ftruncate(descriptor, whole_bytes(path))
        except BlockingIOError as error:
            os.close(descriptor)
            raise UsageError(
                f"Another process is writing to {path.parent}.", "Wait for it, or write somewhere else."
            ) from error
        except OSError as error:
            os.close(descriptor)
            raise InputFileError(_unwritable(path, error), remedy) from error
        return cls(path, descriptor, remedy)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Lets another process write."""
        os.close(self._descriptor)

    def append(self, line: bytes) -> None:
        """Writes one line, its end included; it survives a kill of this process once this returns.

        Raises:
            OutputFileError: It cannot be written, as on a full disk; nothing of it is left in the file.
        """
        begin = os.fstat(self._descriptor).st_size
        left = line
        try:
            while left:
                left = left[os.write(self._descriptor, left) :]
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._descriptor, begin)
            raise OutputFileError(_unwritable(self.path, error), self._remedy) from error

    def lines(self) -> Iterator[bytes]:
        """The lines there are, without their ends."""
        with self.path.open("rb") as stream:
            for line in stream:
                yield line.rstrip(b"\n")


def whole_bytes(path: Path) -> int:
    """Length of the part of a file that ends with a line's end."""
    with path.open("rb") as stream:
        end = stream.seek(0, os.SEEK_END)
        while end > 0:
            begin = max(0, end - _BLOCK)
            stream.seek(begin)
            found = stream.read(end - begin).rfind(b"\n")
            if found >= 0:
                return begin + found + 1
            end = begin
    return 0


def write_json(path: Path, values: Mapping[str, Any]) -> None:
    """Writes beside and renames: what is there after a kill is the old file or the new one. Only the user may read it.

    Raises:
        OSError: It cannot be written; the old file is as it was.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    text = json.dumps(values, indent=1, ensure_ascii=False)
    try:
        with write_private(beside) as stream:
            stream.write(f"{text}\n")
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(path)
    except OSError:
        with suppress(OSError):
            beside.unlink()
        raise


def _unwritable(path: Path, error: OSError) -> str:
    return f"{path} cannot be written: {error.strerror}."
