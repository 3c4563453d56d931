"""Which providers bring data that can be searched as a whole."""

from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from map_tools.spatial_db.memory.engine import MemoryEngine


@runtime_checkable
class HasEngine(Protocol):
    """A provider that brings its spatial database along."""

    @property
    def engine(self) -> "MemoryEngine":
        """The database."""
        ...


@runtime_checkable
class HasBuild(Protocol):
    """A provider of a map of this machine (`map_tools.maps.home`)."""

    @property
    def build(self) -> Path:
        """Folder of the build of the map, which never changes."""
        ...


def is_database(provider: object) -> bool:
    """True if a spatial database can be had of this provider."""
    return isinstance(provider, HasEngine | HasBuild)
