"""What the search by name has to know of a map, whatever the map is kept in; and the same of a store."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from map_tools.maps.feature import ADDRESS
from map_tools.maps.geodesic import Floats, sphere_m
from map_tools.maps.name_index import NameHit
from map_tools.types import LatLng

if TYPE_CHECKING:
    from map_tools.maps.store import MapStore


@dataclass(frozen=True, slots=True)
class Traits:
    """What features are ranked by, as arrays in the order the rows were given in.

    Attributes:
        lats: Latitudes of the points that stand for them.
        lngs: Longitudes.
        importance: 0 to 1 (`maps.feature.importance`).
        shapes: Codes of their shapes (`maps.feature.SHAPES`).
    """

    lats: Floats
    lngs: Floats
    importance: npt.NDArray[np.float32]
    shapes: npt.NDArray[np.uint8]

    def distances_m(self, near: LatLng) -> Floats:
        """Distances on the sphere from a point."""
        return sphere_m(near.lat, near.lng, self.lats, self.lngs)


@dataclass(frozen=True, slots=True)
class Record:
    """What the map says of a feature: its category ids and its OpenStreetMap tags."""

    categories: tuple[str, ...]
    tags: Mapping[str, str]


class Gazetteer(Protocol):
    """The names of a map and who bears them. Names have numbers, features have rows."""

    def like(self, name: str, *, at_least: float) -> list[NameHit]:
        """The names like a name in canonical form (`maps.names.likeness`), best first."""
        ...

    def number(self, name: str) -> int | None:
        """The number of exactly this canonical name."""
        ...

    def name(self, number: int) -> str:
        """The canonical name with this number."""
        ...

    def bearers(self, names: Sequence[int], near: LatLng | None, most: int) -> list[list[int]]:
        """The rows that bear each of these names; of more than `most` those nearest, or best known."""
        ...

    def traits(self, rows: Sequence[int]) -> Traits:
        """What these features are ranked by."""
        ...

    def records(self, rows: Sequence[int]) -> list[Record]:
        """What the map says of these features."""
        ...

    def at_address(self, street: str, number: str) -> list[tuple[int, bool]]:
        """The features at an address in canonical form, and whether each is nothing but an address."""
        ...

    def has_addresses_in(self, city: str) -> bool:
        """Whether an address lies in a city of this canonical name."""
        ...

    def outline(self, row: int) -> bytes | None:
        """An area's outline as well-known binary; None for what has none."""
        ...


class StoreGazetteer:
    """The gazetteer of a map that is kept in a folder.

    Args:
        store: The map.
    """

    def __init__(self, store: "MapStore") -> None:
        self._store = store
        self.like = store.names.search
        self.number = store.names.exact
        self.name = store.names.name
        self.outline = store.outline

    def bearers(self, names: Sequence[int], near: LatLng | None, most: int) -> list[list[int]]:
        """See `Gazetteer.bearers`."""
        return [self._bearers(name, near, most) for name in names]

    def _bearers(self, name: int, near: LatLng | None, most: int) -> list[int]:
        rows = self._store.names.rows(name)
        if len(rows) > most:
            traits = self.traits(rows.tolist())
            order = np.argsort(
                -traits.importance if near is None else traits.distances_m(near), kind="stable"
            )
            rows = rows[order[:most]]
        found: list[int] = rows.tolist()
        return found

    def traits(self, rows: Sequence[int]) -> Traits:
        """See `Gazetteer.traits`."""
        store, chosen = self._store, list(rows)
        return Traits(store.lats[chosen], store.lngs[chosen], store.importance[chosen], store.shapes[chosen])

    def records(self, rows: Sequence[int]) -> list[Record]:
        """See `Gazetteer.records`."""
        return [Record(self._store.categories(row), self._store.tags(row)) for row in rows]

    def at_address(self, street: str, number: str) -> list[tuple[int, bool]]:
        """See `Gazetteer.at_address`."""
        found = self._store.query(
            "SELECT a.row, f.categories FROM addresses a JOIN features f ON f.row = a.row "
            "WHERE a.street = ? AND a.number = ?",
            (street, number),
        )
        return [(row, categories == ADDRESS) for row, categories in found]

    def has_addresses_in(self, city: str) -> bool:
        """See `Gazetteer.has_addresses_in`."""
        return bool(self._store.query("SELECT 1 FROM addresses WHERE city = ? LIMIT 1", (city,)))
