"""What the emulated services work with: a map, its raw tags, and its routes."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Self

from map_tools.maps.store import MapStore
from map_tools.overture import provenance as overture
from map_tools.providers.osm import OsmProvider
from map_tools.types import LatLng

KINDS = {"n": "node", "w": "way", "r": "relation"}


@dataclass(frozen=True, slots=True)
class Thing:
    """An object of the map as the services tell it: its kind ("node"), number, tags and position."""

    row: int
    kind: str
    number: int
    tags: Mapping[str, str]
    at: LatLng


class OsmWorld:
    """A map.

    Args:
        provider: Names and routes.
        store: Tags and positions.
    """

    def __init__(self, provider: OsmProvider, store: MapStore) -> None:
        self.provider = provider
        self._store = store
        self._things: dict[int, Thing] = {}

    @classmethod
    def open(cls, map_path: Path) -> Self:
        """The map in a folder.

        Raises:
            MapStoreError: The folder is damaged, foreign or of another version.
        """
        return cls(OsmProvider.open(map_path), MapStore.open(map_path))

    @property
    def tiles(self) -> Path | None:
        """Folder of the routing tiles, None if the map has none."""
        return self._store.tiles

    def thing(self, row: int) -> Thing:
        """An object; read once, for searches of one place look at the same ones again and again."""
        if row not in self._things:
            kind, number = self._store.query("SELECT kind, osm_id FROM features WHERE row = ?", (row,))[0]
            tags, at = self._store.tags(row), self._store.location(row)
            self._things[row] = Thing(row, KINDS[kind], int(number), tags, at)
        return self._things[row]

    def of(self, kind: str, number: int) -> Thing | None:
        """The object of this kind ("way") and number; None if there is none."""
        row = self._store.row_of(f"osm:{kind[0]}{number}")
        return None if row is None else self.thing(row)

    def has_outline(self, thing: Thing) -> bool:
        """True for an area."""
        return self._store.has_outline(thing.row)

    def around(self, at: LatLng, radius_m: float) -> list[Thing]:
        """All objects whose point lies in a circle."""
        return self._objects(row for row, _ in self._store.nearby(at, radius_m))

    def inside(self, thing: Thing) -> list[Thing]:
        """All objects whose point lies in an area, itself among them (as for Overpass)."""
        return self._objects((thing.row, *self._store.inside(thing.row)))

    def _objects(self, rows: Iterable[int]) -> list[Thing]:
        return [self.thing(row) for row in rows if row not in self._foreign]

    @cached_property
    def _foreign(self) -> frozenset[int]:
        """The rows of places of Overture Maps, which the emulated services do not have."""
        found = self._store.query("SELECT row FROM features WHERE kind = ?", (overture.KIND,))
        return frozenset(row for (row,) in found)

    async def close(self) -> None:
        """Closes the map."""
        await self.provider.close()
        await asyncio.to_thread(self._store.close)
