"""All maps of the server as tiles: opened when first looked at, and what was drawn kept in memory.

An open map has its store, the boxes of its shapes and the roads of its router. What is told of one is its description,
and its best-known places for questions to begin with.
"""

import asyncio
import gzip
from collections import Counter, OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

from map_tools.kinds.concepts import AREA_KINDS
from map_tools.maps.feature import LINE_CODE, LOCALITY
from map_tools.maps.home import MapHome
from map_tools.maps.info import MapInfo
from map_tools.maps.routing import Router
from map_tools.maps.search.names import canonical
from map_tools.maps.store import MapStore
from mapagent.interfaces.http.pool import Pool
from mapagent.interfaces.http.tiles.grid import Tile
from mapagent.interfaces.http.tiles.mvt import only_layers
from mapagent.interfaces.http.tiles.render import Sea, ShapeIndex, draw, draw_sea, shape_index
from mapagent.interfaces.takeaway.ground import Ground, ground_of

MOST_OPEN = 4
CACHE_BYTES = 64 * 2**20
ENTRY_BYTES = 300
"""What remembering a tile takes besides its content: most of the grid's tiles are empty."""
ROADS = ("edges",)
"""The one layer of the router's tiles that is drawn: the others are its nodes and shortcuts."""
COMPRESSION = 5
"""Of gzip; higher levels take three times as long for 2 % less."""
LANDMARKS = 6
CONSIDERED = 300
"""How many of the most important features are looked at, and how many below the localities: on the map of a country
those come first by the thousand, and none of them is a landmark."""
type _Key = tuple[str, Tile]


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


@dataclass(frozen=True, slots=True)
class About:
    """A map's description, and names of some of its best-known places."""

    info: MapInfo
    landmarks: tuple[str, ...]


def about(folder: Path) -> About:
    """Reads what is told of the map in a folder.

    Raises:
        MapStoreError: The folder is damaged, foreign or of another version.
    """
    store = MapStore.open(folder)
    try:
        return About(store.info, landmarks(store, LANDMARKS))
    finally:
        store.close()


def landmarks(store: MapStore, number: int) -> tuple[str, ...]:
    """Names that only one place of the map bears, best-known first, each of another kind.

    What many languages have a name for is known to many; areas such as towns are no landmarks.
    """
    order = np.argsort(-store.importance, kind="stable")
    below = order[store.importance[order] < LOCALITY]
    rows = dict.fromkeys((*order[:CONSIDERED].tolist(), *below[:CONSIDERED].tolist()))
    places = [(row, store.place(row)) for row in rows if store.shapes[row] != LINE_CODE]
    places.sort(key=lambda each: -len(each[1].aliases))
    found: dict[str, str] = {}
    for row, place in places:
        if len(found) == number:
            break
        if not place.name or not AREA_KINDS.isdisjoint(place.categories):
            continue
        if place.categories[0] not in found and _bears_alone(store, row, place.name):
            found[place.categories[0]] = place.name
    return tuple(found.values())


def _bears_alone(store: MapStore, row: int, name: str) -> bool:
    number = store.names.exact(canonical(name))
    return number is not None and store.names.rows(number).tolist() == [row]


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
