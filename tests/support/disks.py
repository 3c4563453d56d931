"""Disks that take no more: full ones and read-only ones, in a mount namespace of the command alone."""

import os
import resource
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

import pytest

from tests.support.cli import PROGRAM, Ran

_FULL = 'mount -t tmpfs -o "size=$0" disk "$1"'
_READ_ONLY = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1"'
_THEN = ' && shift && exec "$@"'


@lru_cache(maxsize=1)
def _may_mount() -> bool:
    """Whether this machine lets us have a namespace of our own (it takes no rights, but some forbid it)."""
    try:
        return subprocess.run(["unshare", "-rm", "true"], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


def _within(mounting: str, size_bytes: int, folder: Path, arguments: tuple[str | Path, ...]) -> Ran:
    if not _may_mount():
        pytest.skip("needs a mount namespace, which this machine does not allow")
    folder.mkdir(parents=True, exist_ok=True)
    command = ["unshare", "-rm", "sh", "-c", f"{mounting}{_THEN}", str(size_bytes), str(folder), *PROGRAM]
    return _ran([*command, *map(str, arguments)])


def on_a_full_disk(folder: Path, size_bytes: int, *arguments: str | Path) -> Ran:
    """The command line where this folder is an empty disk of this size, which vanishes with the command."""
    return _within(_FULL, size_bytes, folder, arguments)


def on_a_read_only_disk(folder: Path, *arguments: str | Path) -> Ran:
    """The command line where nothing can be written to this folder."""
    return _within(_READ_ONLY, 0, folder, arguments)


@contextmanager
def files_up_to(limit_bytes: int) -> Iterator[None]:
    """No file of this process may grow beyond a size: the disk becomes full in the middle of a write."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def with_files_up_to(limit_bytes: int, *arguments: str | Path) -> Ran:
    """The command line where no file may grow beyond a size."""

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, limit_bytes))

    return _ran([*PROGRAM, *map(str, arguments)], limited)


def _ran(command: list[str], first: Callable[[], None] | None = None) -> Ran:
    ran = subprocess.run(
        command, env=dict(os.environ), preexec_fn=first, capture_output=True, text=True, check=False
    )
    return Ran(ran.returncode, ran.stdout, ran.stderr)
