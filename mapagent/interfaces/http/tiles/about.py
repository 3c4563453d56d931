"""What is told of a map: its description, and its best-known places for questions to begin with."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from map_tools.kinds.concepts import AREA_KINDS
from map_tools.maps.feature import LINE_CODE, LOCALITY
from map_tools.maps.info import MapInfo
from map_tools.maps.names import canonical
from map_tools.maps.store import MapStore

LANDMARKS = 6
CONSIDERED = 300
"""How many of the most important features are looked at, and how many below the localities: on the map of a country
those come first by the thousand, and none of them is a landmark."""


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
