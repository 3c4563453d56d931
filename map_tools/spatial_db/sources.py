"""Which providers bring data that can be searched as a whole."""

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from map_tools.spatial_db.memory.engine import MemoryEngine

CACHE_FOLDER = "spatial"
"""Where, below the data home, databases in memory are kept."""
DIRECTIONS = "directions"
"""Note of a database that says what "north of" means in it (`HALVES`); without it, octants are meant."""
HALVES = "sides"
"""Value of that note: anywhere further north, as in the queries of MapQA (Li et al., 2025)."""


@runtime_checkable
class HasEngine(Protocol):
    """A provider that brings its spatial database along."""

    @property
    def engine(self) -> "MemoryEngine":
        """The database."""
        ...
