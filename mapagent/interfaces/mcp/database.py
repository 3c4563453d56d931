"""The spatial database of the provider's map, opened when it is first asked."""

import asyncio
from pathlib import Path

from map_tools.errors import UnsupportedError
from map_tools.providers.base import HasBuild, Provider
from map_tools.spatial_db.port import SpatialDatabase

FOLDER = "sql"
"""Where, below the data home, embedded databases of maps are kept (the same for every user of one)."""


class MapDatabase:
    """Opens the database once for all calls.

    Args:
        data_home: Below it databases are kept.
    """

    def __init__(self, data_home: Path) -> None:
        self._folder = data_home / FOLDER
        self._opening: asyncio.Task[SpatialDatabase] | None = None

    async def open(self, provider: Provider) -> SpatialDatabase:
        """The database; built if there is none yet, which takes a while for a large map.

        Raises:
            UnsupportedError: The provider has no map of its own.
            ConfigError: DuckDB or its spatial extension is missing.
        """
        if self._opening is None or (self._opening.done() and self._opening.exception()):
            self._opening = asyncio.create_task(asyncio.to_thread(self._open, provider))
        # A caller that gives up does not stop the building: others wait for it, and the next call needs it.
        return await asyncio.shield(self._opening)

    def _open(self, provider: Provider) -> SpatialDatabase:
        from map_tools.spatial_db.duckdb_db import open_kept

        if not isinstance(provider, HasBuild):
            raise UnsupportedError(
                f"The provider '{provider.name}' has no map of its own to query.",
                "Start the server with --provider osm and a map.",
            )
        return open_kept(provider.build, self._folder)

    async def close(self) -> None:
        """Stops what runs and closes the database, if it was opened."""
        if self._opening is None:
            return
        await asyncio.wait({self._opening})
        if not self._opening.exception():
            self._opening.result().close()
