"""The places of a benchmark as a map and as a spatial database: any agent can be asked over them.

What is published comes as GeoParquet; it is built once and kept below the data home under its hash. Questions
made over a map of the user's are asked over that map's own database.
"""

import hashlib
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Self

from map_tools.errors import InputFileError
from map_tools.maps.feature import Feature, Shape
from map_tools.maps.info import INFO_FILE, MapInfo, mark_files, write_info
from map_tools.maps.ingest import covered_box, write_store, zone_at
from map_tools.maps.routing import Router
from map_tools.maps.store import MapStore
from map_tools.providers.osm import OsmProvider
from map_tools.spatial_db.load import TableData, from_geoparquet
from map_tools.spatial_db.memory.build import LAYOUT, build_memory
from map_tools.spatial_db.memory.engine import MemoryEngine
from map_tools.tag_categories import categories_of
from mapagent.config import Settings
from mapagent.providers import provider_setting
from modules.spatial_database.opening import kept_engine
from modules.spatial_database.sources import CACHE_FOLDER

WORLDS = "worlds"
_READ_BYTES = 1 << 20
_ENGINE, _MAP = "tables", "map"
_TAGS = {"addr_street": "addr:street", "addr_city": "addr:city", "addr_state": "addr:state",
    "addr_postcode": "addr:postcode", "addr_housenumber": "addr:housenumber"}  # fmt: skip
_NOT_TAGS = frozenset({"id", "osm_id", "other_ids", "region", "source", "lat", "lon", "geometry"})


class DatabaseProvider(OsmProvider):
    """A map whose questions all go to its spatial database, as those of these benchmarks do.

    Args:
        store: The places as a map.
        router: Routes over it; None for a map without roads to travel on.
        engine: The same places as tables.
    """

    def __init__(self, store: MapStore, router: Router | None, engine: MemoryEngine) -> None:
        super().__init__(store, router)
        self._engine = engine

    @classmethod
    def of_map(cls, settings: Settings) -> "DatabaseProvider | None":
        """The map that the settings name; None where they name another provider or there is no map.

        Raises:
            UnknownNameError: There is no map of this name.
            MapStoreError: The map is damaged.
        """
        path = provider_setting(settings).map_path if settings.provider == "osm" else None
        if path is None:
            return None
        engine = kept_engine(path, settings.data_home / CACHE_FOLDER)
        store = MapStore.open(path)
        return DatabaseProvider(store, Router(store.tiles) if store.tiles else None, engine)

    @property
    def engine(self) -> MemoryEngine:
        """The places as tables (`modules.spatial_database.sources.HasEngine`)."""
        return self._engine

    def exact(self, text: str) -> bool:
        """Whether a place or a region of the tables is called exactly this, or one that only the map has."""
        return bool(self._engine.find_name(text, fuzzy=False)) or super().exact(text)

    def score(self, text: str) -> float:
        """How well the best name fits."""
        named = next((hit.score for hit in self._engine.find_name(text)), 0.0)
        return max(named, super().score(text))


class WorldProvider(DatabaseProvider):
    """A benchmark's published places.

    Args:
        store: The places as a map; there are no roads to travel on.
        engine: The same as tables.
        source: The folder of GeoParquet files they come from.
    """

    def __init__(self, store: MapStore, engine: MemoryEngine, source: Path) -> None:
        super().__init__(store, None, engine)
        self.source = source

    @classmethod
    def of_world(cls, folder: Path, home: Path, *, name: str, note: Mapping[str, Any] | None = None) -> Self:
        """The provider of a folder of GeoParquet files.

        Args:
            folder: The files.
            home: The data home, where what is built from them is kept.
            name: What the map is called.
            note: What is kept with the tables, such as what a direction means.

        Raises:
            InputFileError: The folder holds no places.
            MapStoreError: What was kept is damaged.
        """
        kept = home / WORLDS / f"{name}-{_key(folder, note)}"
        if not (kept / _MAP / INFO_FILE).is_file():
            _build(folder, kept, name, note or {})
        return cls(MapStore.open(kept / _MAP), MemoryEngine.open(kept / _ENGINE), folder)


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


def _build(folder: Path, kept: Path, name: str, note: Mapping[str, Any]) -> None:
    """Builds both forms beside and renames: a kill leaves nothing half-made."""
    if not folder.is_dir():
        raise InputFileError(
            f"There is no folder '{folder}'.", "Name the folder of the extract with --world."
        )
    tables = from_geoparquet(folder)
    build_memory(tables, kept / _ENGINE, note=note)
    beside_map = kept / f".{_MAP}"
    shutil.rmtree(beside_map, ignore_errors=True)
    beside_map.mkdir(parents=True)
    counts = write_store(_features(tables), beside_map)
    box = covered_box(beside_map)
    info = MapInfo(
        name=name,
        source_file=folder.name,
        source_sha256=_key(folder, None),
        timezone=zone_at(box),
        bbox=box,
        counts=counts,
        routable=False,
        files=mark_files(beside_map),
    )
    write_info(beside_map, info)
    beside_map.rename(kept / _MAP)


def _features(tables: tuple[TableData, ...]) -> Iterator[Feature]:
    """The rows of all tables as features of a map, numbered through."""
    import shapely

    number = 0
    for table in tables:
        columns = [column.name for column in table.columns]
        for row in table.rows():
            if row[-1] is None:
                continue
            number += 1
            tags = _tags(dict(zip(columns, row, strict=True)), table.name)
            geometry = shapely.from_wkb(bytes(row[-1]))
            shape = _shape(geometry)
            if shape is Shape.POINT:
                yield Feature("n", number, tags, categories_of(tags), shape, geometry.y, geometry.x)
            else:
                valid = shapely.make_valid(geometry)
                kind = "w" if shape is Shape.LINE else "r"
                yield Feature(kind, number, tags, categories_of(tags), shape, wkb=bytes(valid.wkb))


def _tags(values: Mapping[str, Any], table: str) -> dict[str, str]:
    """The tags that a row was made of."""
    tags = {
        (
            "name"
            if key == "name" or (key.endswith("_name") and key != "official_name")
            else _TAGS.get(key, key)
        ): str(value)
        for key, value in values.items()
        if value is not None and key not in _NOT_TAGS
    }
    return tags | ({"boundary": "administrative"} if table == "regions" else {})


def _shape(geometry: Any) -> Shape:
    if geometry.geom_type.endswith("Point"):
        return Shape.POINT
    return Shape.AREA if geometry.geom_type.endswith("Polygon") else Shape.LINE
