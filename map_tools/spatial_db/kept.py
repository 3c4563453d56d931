"""The embedded spatial database of a map or of a folder of GeoParquet files: built once, then kept.

It is called after a hash of what it is made of and of how it is laid out: what has changed is built anew.
"""

import hashlib
from collections.abc import Iterable, Iterator
from importlib import metadata
from importlib.resources import files
from pathlib import Path

from map_tools.errors import InputFileError
from map_tools.maps.info import FEATURES_FILE
from map_tools.maps.store import MapStore
from map_tools.spatial_db.duckdb_build import build_duckdb
from map_tools.spatial_db.duckdb_db import DuckDBDatabase
from map_tools.spatial_db.load import from_geoparquet, from_map

_DIGITS = 16
_LAYOUT_FILES = ("macros.sql", "tables.toml")
"""What decides how a file is laid out, besides DuckDB's own format."""
_READ_BYTES = 1 << 20


def open_kept(source: Path, cache: Path) -> DuckDBDatabase:
    """Opens the database made of `source`; it is built first if the cache has none.

    Args:
        source: A map's folder, or a folder of GeoParquet files.
        cache: Where databases are kept.

    Raises:
        InputFileError: `source` is neither, or cannot be read.
        MapStoreError: The map is damaged.
        ConfigError: DuckDB or its spatial extension is missing.
    """
    return _from_geoparquet(source, cache) if _is_geoparquet(source) else _from_map(source, cache)


def _is_geoparquet(source: Path) -> bool:
    if not source.is_dir():
        raise InputFileError(f"There is no folder '{source}'.", "Name a map or a folder of GeoParquet files.")
    return any(source.glob("*.parquet"))


def _from_geoparquet(source: Path, cache: Path) -> DuckDBDatabase:
    path = _path(cache, _content_of(source))
    if not path.is_file():
        build_duckdb(from_geoparquet(source), path)
    return DuckDBDatabase.open(path)


def _from_map(source: Path, cache: Path) -> DuckDBDatabase:
    store = MapStore.open(source)
    try:
        path = _path(cache, [store.info.files[FEATURES_FILE].sha256.encode()])
        if not path.is_file():
            build_duckdb(from_map(store), path)
    finally:
        store.close()
    return DuckDBDatabase.open(path)


def _path(cache: Path, content: Iterable[bytes]) -> Path:
    digest = hashlib.sha256(_engine_version().encode())
    for name in _LAYOUT_FILES:
        digest.update((files(__package__) / name).read_bytes())
    for part in content:
        digest.update(part)
    return cache / f"{digest.hexdigest()[:_DIGITS]}.duckdb"


def _engine_version() -> str:
    """DuckDB's version; empty if it is missing, which building the file then says."""
    try:
        return metadata.version("duckdb")
    except metadata.PackageNotFoundError:
        return ""


def _content_of(folder: Path) -> Iterator[bytes]:
    for path in sorted(folder.glob("*.parquet")):
        yield f"\0{path.name}\0".encode()
        with path.open("rb") as stream:
            while block := stream.read(_READ_BYTES):
                yield block
