"""The spatial database in memory that a provider has, or that is built of its map once and then kept."""

import hashlib
from pathlib import Path

from map_tools.errors import UnsupportedError
from map_tools.maps.info import FEATURES_FILE
from map_tools.maps.store import MapStore
from map_tools.providers.base import HasBuild, Provider
from map_tools.spatial_db.load import definitions, from_map
from map_tools.spatial_db.memory.build import CATALOGUE, LAYOUT, build_memory
from map_tools.spatial_db.memory.engine import MemoryEngine
from map_tools.spatial_db.port import HasEngine


def engine_of(provider: Provider, cache: Path) -> MemoryEngine:
    """The provider's database; that of a map is built first if the cache has none.

    Args:
        provider: Whose map it is.
        cache: Folder of all kept databases.

    Raises:
        UnsupportedError: The provider has no map of its own.
        MapStoreError: The map is damaged.
    """
    if isinstance(provider, HasEngine):
        return provider.engine
    if not isinstance(provider, HasBuild):
        raise UnsupportedError(
            f"The provider '{provider.name}' has no map that could be searched as a whole.",
            "Ask with --provider osm and a map.",
        )
    return kept_engine(provider.build, cache)


def kept_engine(build: Path, cache: Path) -> MemoryEngine:
    """The database of a map's folder.

    Places without a name are in it too: a count counts them.

    Raises:
        MapStoreError: The map is damaged.
    """
    store = MapStore.open(build)
    try:
        digest = hashlib.sha256(f"{LAYOUT}\0{definitions()}".encode())
        digest.update(store.info.files[FEATURES_FILE].sha256.encode())
        folder = cache / digest.hexdigest()[:16]
        if not (folder / CATALOGUE).is_file():
            build_memory(from_map(store, unnamed=True), folder, note={"map": store.info.name})
    finally:
        store.close()
    return MemoryEngine.open(folder)
