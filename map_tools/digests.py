"""Digests of files, by which maps, tables and datasets are known again."""

import hashlib
from pathlib import Path


def file_sha256(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal digits; it is read block by block."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
