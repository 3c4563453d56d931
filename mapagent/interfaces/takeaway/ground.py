"""The map beneath a picture: areas, water, streets of a map on this machine, as the page's tiles have them."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from map_tools.maps.store import MapStore
from mapagent.interfaces.http.tiles.grid import unit
from mapagent.interfaces.http.tiles.render import Sea, ShapeIndex, layers, shape_index
from mapagent.interfaces.takeaway.features import EMBEDDED_PROVIDER
from mapagent.runtime.config import Settings
from mapagent.runtime.opening import map_home

_WATER = "water"
"""The layer the sea is painted as."""

type Box = tuple[float, float, float, float]
"""West, north, east, south in the unit square of Web Mercator (`tiles.grid.unit`)."""


@dataclass(frozen=True, slots=True)
class Patch:
    """A piece of the map: the layer it belongs to, and a shapely geometry in the unit square."""

    layer: str
    geometry: Any


type Ground = Callable[[Box, float], Iterator[Patch]]
"""What lies in a box that is shown at a zoom."""


def ground_of(store: MapStore, index: ShapeIndex) -> Ground:
    """The ground that a map gives."""
    sea = Sea(store.sea)

    def patches(box: Box, zoom: float) -> Iterator[Patch]:
        import shapely

        west, north, east, south = box
        for piece in shapely.clip_by_rect(
            shapely.transform(sea.touching(box), unit), west, north, east, south
        ):
            yield Patch(_WATER, piece)
        rows, numbers = index.touching(box, zoom)
        wkb = np.array([store.geometry(int(row)) for row in rows], dtype=object)
        cut = shapely.clip_by_rect(shapely.transform(shapely.from_wkb(wkb), unit), west, north, east, south)
        names = [layer.name for layer in layers()]
        for number, geometry in zip(numbers.tolist(), cut.tolist(), strict=True):
            if not geometry.is_empty:
                yield Patch(names[number], geometry)

    return patches


@contextmanager
def ground_beneath(record: Mapping[str, Any], settings: Settings) -> Iterator[Ground | None]:
    """The ground of the map that an answer comes from; None if it comes from elsewhere.

    Args:
        record: The answer as plain data (`show.as_record`).
        settings: Where the maps of this machine are.

    Raises:
        MapStoreError: The map is damaged.
    """
    if record["map"] is None or record["provider"] != EMBEDDED_PROVIDER:
        yield None
        return
    store = MapStore.open(map_home(settings).path(record["map"]))
    try:
        yield ground_of(store, shape_index(store))
    finally:
        store.close()
