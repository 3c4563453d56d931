"""What is told of a map: its description, and its best-known places for questions to begin with."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from map_tools.areas import AREA_KINDS
from map_tools.maps.feature import LINE_CODE
from map_tools.maps.info import MapInfo
from map_tools.maps.names import canonical
from map_tools.maps.store import MapStore

LANDMARKS = 6
CONSIDERED = 300
"""How many of the best-known features are looked at."""


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
    """Names that only one place of the map bears, best-known first; areas such as towns are no landmarks."""
    found: list[str] = []
    for row in np.argsort(-store.importance, kind="stable")[:CONSIDERED].tolist():
        if len(found) == number:
            break
        place = store.place(row)
        if store.shapes[row] == LINE_CODE or not AREA_KINDS.isdisjoint(place.categories):
            continue
        if place.name and _bears_alone(store, row, place.name):
            found.append(place.name)
    return tuple(found)


def _bears_alone(store: MapStore, row: int, name: str) -> bool:
    number = store.names.exact(canonical(name))
    return number is not None and store.names.rows(number).tolist() == [row]
