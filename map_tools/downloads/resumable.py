"""Downloads of large files, which go on where they were cut off.

Beside the file that is to come lie `FILE.part`, what has come of it, and `FILE.part.of`, which says what it is a
part of: an address, and the validator by which the server knows whether it still has the same file
(RFC 9110, sections 8.8 and 13.1.5).
"""

import fcntl
import hashlib
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from map_tools.downloads.fetching import Fetcher, RemoteFile, announced_bytes
from map_tools.errors import DownloadError, MapStoreError, UsageError

if TYPE_CHECKING:
    import httpx2

Arrived = Callable[[int, int | None], None]
"""Called now and then with the bytes that have arrived and those that there are, if the server says so."""

_MD5 = re.compile(rb"\s*([0-9a-fA-F]{32})\b")
_MD5_LIMIT_BYTES = 10_000
_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+)")
_SPARE_BYTES = 16_000_000
"""What is left free where nobody says how much will come."""


def published_md5(fetcher: Fetcher, url: str, what: str) -> str | None:
    """The checksum that lies beside a file as `FILE.md5`; None if there is none.

    Raises:
        DownloadError: The server cannot be reached, or what lies there is no checksum.
    """
    address = f"{url}.md5"
    try:
        text = fetcher.read(address, f"the checksum of {what}", limit_bytes=_MD5_LIMIT_BYTES)
    except DownloadError as error:
        if error.missing:
            return None
        raise
    found = _MD5.match(text)
    if found is None:
        raise DownloadError(
            f"What is at {address} is no MD5 checksum.", "Try again later, or fetch the file by hand."
        )
    return found.group(1).decode().lower()


class Download:
    """A file on its way.

    Args:
        fetcher: What fetches it.
        remote: What the server announced.
        target: Where it is to lie.
        what: How sentences call it: "the extract of Denmark".
        arrived: Told how far it is.
    """

    def __init__(
        self,
        fetcher: Fetcher,
        remote: RemoteFile,
        target: Path,
        *,
        what: str,
        arrived: Arrived | None = None,
    ) -> None:
        self._fetcher = fetcher
        self._remote = remote
        self._target = target
        self._part = target.with_name(f"{target.name}.part")
        self._origin = target.with_name(f"{target.name}.part.of")
        self._what = what
        self._arrived = arrived

    @property
    def have_bytes(self) -> int:
        """How much an earlier download has left that this one can go on from."""
        if not self._validator():
            return 0
        size = self._part.stat().st_size if self._part.is_file() else 0
        return size if size <= (self._remote.size_bytes or size) else 0

    def run(self, md5: str | None) -> None:
        """Fetches what is missing and checks the whole; the file appears when it is complete.

        A complete one that an earlier run has left is taken if its checksum says that it is the same.

        Args:
            md5: The checksum it must have; None if none is published.

        Raises:
            DownloadError: It was cut off too often (what has come stays, to go on from), is of another size than
                announced, or has another checksum (nothing stays).
            MapStoreError: It cannot be written.
            UsageError: Another process is fetching it.
        """
        try:
            self._target.parent.mkdir(parents=True, exist_ok=True)
            if md5 is not None and self._target.is_file() and _md5(self._target) == md5:
                return
            with self._alone() as stream:
                self._fetcher.attempts()(self._once, stream)
                stream.flush()
                self._check(md5)
                self._part.replace(self._target)
                self._origin.unlink(missing_ok=True)
        except OSError as error:
            raise MapStoreError(
                f"{self._part} cannot be written: {error.strerror or error}.",
                "Make sure that there is space and that you may write there.",
            ) from error

    @contextmanager
    def _alone(self) -> Iterator[BinaryIO]:
        """The part, opened; a part that two processes write is no file."""
        with self._part.open("ab") as stream:
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise UsageError(
                    f"Another process is fetching {self._what} to {self._part}.", "Wait for it, or stop it."
                ) from None
            yield stream

    def _once(self, stream: BinaryIO) -> None:
        stream.flush()  # of an attempt that was cut off
        have = self.have_bytes
        if not have:
            stream.truncate(0)
        if have and have == self._remote.size_bytes:
            return
        validator = self._validator()
        headers = {"range": f"bytes={have}-", "if-range": validator} if have else None
        with self._fetcher.opened("GET", self._remote.url, self._what, headers) as reply:
            total = self._begin(reply, stream, have)
            self._take(reply, stream, total)

    def _begin(self, reply: "httpx2.Response", stream: BinaryIO, have: int) -> int | None:
        """Makes the part fit the reply; returns the size of the whole file, None if nobody says it."""
        if reply.status_code == HTTPStatus.PARTIAL_CONTENT:
            found = _RANGE.fullmatch(reply.headers.get("content-range", ""))
            if found is None or int(found[1]) != have or _validator_of(reply) not in {"", self._validator()}:
                self._discard(stream)
                raise DownloadError(
                    f"The server sent another part of {self._what} than it was asked for.",
                    "Run the same command again: it begins anew.",
                    passing=True,
                )
            total: int | None = int(found[2])
        elif reply.status_code == HTTPStatus.OK:
            total = announced_bytes(reply)
            stream.truncate(0)
            self._origin.write_text(f"{self._remote.url}\n{_validator_of(reply)}\n", "utf-8")
        else:
            self._discard(stream)
            raise DownloadError(
                f"The server does not go on with {self._what} (HTTP {reply.status_code}).",
                "Run the same command again: it begins anew.",
                passing=True,
            )
        expected = self._remote.size_bytes
        if expected is not None and total != expected:
            self._discard(stream)
            raise DownloadError(
                f"The server announced {_sized(expected)} for {self._what} and sends {_sized(total)}.",
                "Run the same command again: the file may have been replaced just now.",
            )
        return total

    def _take(self, reply: "httpx2.Response", stream: BinaryIO, total: int | None) -> None:
        size = os.fstat(stream.fileno()).st_size
        limit = (
            total if total is not None else size + shutil.disk_usage(self._part.parent).free - _SPARE_BYTES
        )
        for chunk in reply.iter_raw():
            size += len(chunk)
            if size > limit:
                self._discard(stream)
                raise DownloadError(
                    f"The server sends more than {_sized(limit)} for {self._what}.",
                    "Is that the right address?",
                )
            stream.write(chunk)
            if self._arrived is not None:
                self._arrived(size, total)

    def _check(self, md5: str | None) -> None:
        if md5 is None:
            return
        found = _md5(self._part)
        if found != md5:
            self._part.unlink()
            self._origin.unlink(missing_ok=True)
            raise DownloadError(
                f"What arrived of {self._what} does not have its checksum (it has {found}, not {md5}).",
                "Run the same command again: it begins anew.",
            )

    def _discard(self, stream: BinaryIO) -> None:
        stream.truncate(0)
        with suppress(FileNotFoundError):
            self._origin.unlink()

    def _validator(self) -> str:
        """The validator of the file that the part is of; empty if it cannot be gone on with."""
        try:
            url, validator = self._origin.read_text("utf-8").splitlines()
        except (OSError, ValueError):
            return ""
        return validator if url == self._remote.url else ""


def _md5(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()


def _validator_of(reply: "httpx2.Response") -> str:
    """What tells this version of the file from others: a strong ETag, else when it was last changed."""
    etag: str = reply.headers.get("etag", "")
    modified: str = reply.headers.get("last-modified", "")
    return etag if etag and not etag.startswith("W/") else modified


def _sized(size_bytes: int | None) -> str:
    return "an unknown number of bytes" if size_bytes is None else f"{size_bytes:,} bytes"
