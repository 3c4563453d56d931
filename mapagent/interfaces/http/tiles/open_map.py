"""A map opened for drawing: its store, the boxes of its shapes, and the roads of its router."""

import asyncio
import gzip
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Self

from map_tools.maps.routing import Router
from map_tools.maps.store import MapStore
from mapagent.interfaces.http.tiles.grid import Tile
from mapagent.interfaces.http.tiles.mvt import only_layers
from mapagent.interfaces.http.tiles.render import draw, draw_sea
from mapagent.interfaces.http.tiles.sea import Sea
from mapagent.interfaces.http.tiles.shapes import ShapeIndex, shape_index
from mapagent.interfaces.takeaway.ground import Ground, ground_of

ROADS = ("edges",)
"""The one layer of the router's tiles that is drawn: the others are its nodes and shortcuts."""
COMPRESSION = 5
"""Of gzip; higher levels take three times as long for 2 % less."""


class OpenMap:
    """Draws tiles of one map.

    Args:
        store: The map; closed with this.
        index: The boxes of its shapes.
        sea: Its sea.
    """

    def __init__(self, store: MapStore, index: ShapeIndex, sea: Sea) -> None:
        self._store = store
        self._index = index
        self._sea = sea
        self._router = Router(store.tiles, workers=1) if store.tiles else None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="tiles")

    @classmethod
    def open(cls, path: Path) -> Self:
        """Opens the map in a folder and reads the boxes of its shapes.

        Raises:
            MapStoreError: The folder is damaged, foreign or of another version.
        """
        store = MapStore.open(path)
        try:
            return cls(store, shape_index(store), Sea(store.sea))
        except BaseException:
            store.close()
            raise

    async def tile(self, tile: Tile) -> bytes:
        """A tile, compressed with gzip."""
        loop = asyncio.get_running_loop()
        roads = b""
        if self._router is not None:
            roads = await self._router.road_tile(tile.z, tile.x, tile.y)
        return await loop.run_in_executor(self._thread, self._joined, tile, roads)

    async def with_ground[T](self, work: Callable[[Ground], T]) -> T:
        """What some work comes to that draws over the map."""
        ground = ground_of(self._store, self._index)
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, ground)

    async def close(self) -> None:
        """Ends the threads and closes the map."""
        if self._router is not None:
            await self._router.close()
        await asyncio.to_thread(self._thread.shutdown, wait=True)
        self._store.close()

    def _joined(self, tile: Tile, roads: bytes) -> bytes:
        drawn = draw(self._store, self._index, tile) + draw_sea(self._sea, tile) + only_layers(roads, ROADS)
        return gzip.compress(drawn, COMPRESSION, mtime=0) if drawn else b""
