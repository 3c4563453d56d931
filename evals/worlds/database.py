"""The places of a benchmark as a spatial database, so that any agent can be asked over them.

What is published comes as GeoParquet; it is built once and kept below the data home under its hash. Questions
made over a map of the user's are asked over that map's own database.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evals.worlds.maps import built_map
from map_tools.errors import ConfigError, InputFileError
from map_tools.providers.database import DatabaseProvider
from map_tools.providers.osm import OsmProvider
from map_tools.spatial_db.load import from_geoparquet
from map_tools.spatial_db.memory.build import CATALOGUE, LAYOUT, build_memory
from map_tools.spatial_db.memory.engine import MemoryEngine
from map_tools.spatial_db.memory.opening import kept_engine
from map_tools.spatial_db.port import CACHE_FOLDER
from map_tools.types import LatLng
from mapagent.runtime.config import Settings
from mapagent.runtime.opening import provider_setting

_BEGIN, _END = "POINT (", ")"


def extract_rows(path: Path, query: str) -> list[tuple[object, ...]]:
    """The rows that a query with one parameter, the file, has.

    Raises:
        InputFileError: There is no such file, or it is not the extract's.
        ConfigError: DuckDB is not installed.
    """
    if not path.is_file():
        raise InputFileError(f"There is no file {path}.", "Name the folder of the extract with --world.")
    try:
        import duckdb
    except ImportError as error:
        raise ConfigError("Reading GeoParquet needs DuckDB.", "Install mapagent[sql].") from error
    with duckdb.connect() as database:
        try:
            return database.execute(query, [str(path)]).fetchall()
        except duckdb.Error as error:
            raise InputFileError(f"{path} is not the extract's table of places.", "Check --world.") from error


def point_of(text: object) -> LatLng:
    """The position that DuckDB writes as "POINT (lon lat)"."""
    lon, lat = str(text).removeprefix(_BEGIN).removesuffix(_END).split()
    return LatLng(lat=float(lat), lng=float(lon))


WORLDS = "worlds"
_READ_BYTES = 1 << 20
_TABLES, _MAP = "tables", "map"


class MapDatabase(DatabaseProvider):
    """The database of a map, with the map itself behind it for other names and for ways.

    Args:
        engine: The features as tables.
        provider: The map.
    """

    def __init__(self, engine: MemoryEngine, provider: OsmProvider) -> None:
        super().__init__(engine, map_name=provider.map_name or "", behind=provider, terms=provider.terms)
        self._provider = provider

    @property
    def build(self) -> Path:
        """Folder of the map's build (`map_tools.providers.base.HasBuild`)."""
        return self._provider.build

    @classmethod
    def of_settings(cls, settings: Settings) -> "MapDatabase | None":
        """That of the map that the settings name; None where they name another provider or there is no map.

        Raises:
            UnknownNameError: There is no map of this name.
            MapStoreError: The map is damaged.
        """
        path = provider_setting(settings).map_path if settings.provider == "osm" else None
        if path is None:
            return None
        return cls(kept_engine(path, settings.data_home / CACHE_FOLDER), OsmProvider.open(path))


class WorldDatabase(DatabaseProvider):
    """A benchmark's published places.

    Args:
        engine: The places as tables.
        name: What they are called.
        source: The folder of GeoParquet files they come from.
        kept: Folder of what is built of them.
    """

    def __init__(self, engine: MemoryEngine, name: str, source: Path, kept: Path) -> None:
        super().__init__(engine, map_name=name)
        self.source = source
        self._kept = kept
        self._name = name

    @property
    def build(self) -> Path:
        """Folder of the same places as a map (`map_tools.providers.base.HasBuild`), built on first use."""
        return built_map(from_geoparquet(self.source), self._kept / _MAP, self._name, self._kept.name)

    @classmethod
    def of_world(
        cls, folder: Path, home: Path, *, name: str, note: Mapping[str, Any] | None = None
    ) -> "WorldDatabase":
        """The database of a folder of GeoParquet files.

        Args:
            folder: The files.
            home: The data home, where what is built from them is kept.
            name: What the places are called.
            note: What is kept with the tables, such as what a direction means.

        Raises:
            InputFileError: The folder holds no places.
            MapStoreError: What was kept is damaged.
        """
        kept = home / WORLDS / f"{name}-{_key(folder, note)}"
        if not (kept / _TABLES / CATALOGUE).is_file():
            if not folder.is_dir():
                raise InputFileError(
                    f"There is no folder '{folder}'.", "Name the folder of the extract with --world."
                )
            build_memory(from_geoparquet(folder), kept / _TABLES, note=note)
        return cls(MemoryEngine.open(kept / _TABLES), name, folder, kept)


def beside(data: Path, name: str) -> Path | None:
    """The folder of a benchmark's places next to its questions; None if there is none."""
    folder = data if data.is_dir() else data.parent
    found = (place / name for place in (folder, folder.parent))
    return next((place for place in found if place.is_dir() and any(place.glob("*.parquet"))), None)


def _key(folder: Path, note: Mapping[str, Any] | None) -> str:
    digest = hashlib.sha256(f"{LAYOUT}\0{sorted((note or {}).items())}".encode())
    for path in sorted(folder.glob("*.parquet")):
        digest.update(f"\0{path.name}\0".encode())
        with path.open("rb") as stream:
            while block := stream.read(_READ_BYTES):
                digest.update(block)
    return digest.hexdigest()[:16]
