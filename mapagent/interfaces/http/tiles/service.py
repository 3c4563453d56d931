"""All maps of the server as tiles: opened when first looked at, and what was drawn kept in memory."""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable
from pathlib import Path

from map_tools.maps.home import MapHome
from mapagent.interfaces.http.pool import Pool
from mapagent.interfaces.http.tiles.about import About, about
from mapagent.interfaces.http.tiles.grid import Tile
from mapagent.interfaces.http.tiles.open_map import OpenMap
from mapagent.interfaces.takeaway.ground import Ground

MOST_OPEN = 4
CACHE_BYTES = 64 * 2**20
ENTRY_BYTES = 300
"""What remembering a tile takes besides its content: most of the grid's tiles are empty."""

type _Key = tuple[str, Tile]


class TileService:
    """Tiles and descriptions of the maps in a home.

    Args:
        home: Where the maps are.
        counts: Is told how many tiles came from "memory" and how many were "drawn".
    """

    def __init__(self, home: MapHome, counts: Counter[str]) -> None:
        self._home = home
        self._counts = counts
        self._maps: Pool[Path, OpenMap] = Pool(_opened, MOST_OPEN)
        self._about: dict[Path, About] = {}
        self._drawn: OrderedDict[_Key, bytes] = OrderedDict()
        self._bytes = 0

    def names(self) -> tuple[str, ...]:
        """The maps there are."""
        return self._home.list()

    def build(self, name: str) -> str:
        """Name of a map's present build; tiles of a build never change.

        Raises:
            UnknownNameError: There is no such map.
            UsageError: The name is not one a map can have.
        """
        return self._home.path(name).resolve().name

    async def about(self, name: str) -> About:
        """What is told of a map.

        Raises:
            UsageError: As `build`.
            MapStoreError: The map is damaged.
        """
        folder = self._home.path(name).resolve()
        if folder not in self._about:
            self._about[folder] = await asyncio.to_thread(about, folder)
        return self._about[folder]

    async def tile(self, name: str, tile: Tile) -> bytes:
        """A tile of a map, compressed with gzip; empty where there is nothing.

        Raises:
            UsageError: As `build`.
            MapStoreError: The map is damaged.
        """
        key = (self.build(name), tile)
        found = self._drawn.get(key)
        if found is not None:
            self._counts["memory"] += 1
            self._drawn.move_to_end(key)
            return found
        async with self._maps.lease(self._home.path(name).resolve()) as opened:
            drawn = await opened.tile(tile)
        self._counts["drawn"] += 1
        self._keep(key, drawn)
        return drawn

    async def with_ground[T](self, name: str, work: Callable[[Ground], T]) -> T:
        """What some work comes to that draws over a map.

        Raises:
            UsageError: As `build`.
            MapStoreError: The map is damaged.
        """
        async with self._maps.lease(self._home.path(name).resolve()) as opened:
            return await opened.with_ground(work)

    async def close(self) -> None:
        """Closes all maps."""
        await self._maps.close()

    def _keep(self, key: _Key, drawn: bytes) -> None:
        if key not in self._drawn:
            self._bytes += len(drawn) + ENTRY_BYTES
        self._drawn[key] = drawn
        while self._bytes > CACHE_BYTES:
            _, dropped = self._drawn.popitem(last=False)
            self._bytes -= len(dropped) + ENTRY_BYTES


async def _opened(folder: Path) -> OpenMap:
    return await asyncio.to_thread(OpenMap.open, folder)
