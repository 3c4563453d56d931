"""What the search by name has to know of a map: the port, whatever the map is kept in, and a map kept in a folder."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from map_tools.maps.geodesic import Floats, sphere_m
from map_tools.maps.postings import Numbers, among
from map_tools.maps.search.name_index import NameHit, NameIndex
from map_tools.types import ADDRESS, LatLng


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

    def at(self, rows: Sequence[int]) -> "Traits":
        """Those of some features, by their places in these arrays."""
        chosen = list(rows)
        return Traits(self.lats[chosen], self.lngs[chosen], self.importance[chosen], self.shapes[chosen])

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
        """The names like a name in canonical form (`maps.search.names.likeness`), best first."""
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

    def of_kind(self, rows: Sequence[int], categories: Sequence[str]) -> set[int]:
        """Those of these features that have one of the categories."""
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
    """See `map_tools.maps.search.gazetteer.Gazetteer`.

    Args:
        names: The index of names.
        traits: Of all features, by row.
        record: What the map says of the feature in a row.
        members: The rows of some categories.
        outline: The outline of the area in a row, None for what has none.
        query: Rows of the features' database.
    """

    def __init__(
        self,
        names: NameIndex,
        traits: Traits,
        *,
        record: Callable[[int], Record],
        members: Callable[[Sequence[str]], Numbers],
        outline: Callable[[int], bytes | None],
        query: Callable[[str, tuple[Any, ...]], list[tuple[Any, ...]]],
    ) -> None:
        self.like = names.search
        self.number = names.exact
        self.name = names.name
        self.traits = traits.at
        self.outline = outline
        self._names = names
        self._record = record
        self._members = members
        self._query = query

    def bearers(self, names: Sequence[int], near: LatLng | None, most: int) -> list[list[int]]:
        """See `Gazetteer.bearers`."""
        return [self._bearers(name, near, most) for name in names]

    def records(self, rows: Sequence[int]) -> list[Record]:
        """See `Gazetteer.records`."""
        return [self._record(row) for row in rows]

    def of_kind(self, rows: Sequence[int], categories: Sequence[str]) -> set[int]:
        """See `Gazetteer.of_kind`."""
        given = np.array(rows, np.uint32)
        kept: list[int] = given[among(given, np.sort(self._members(categories)))].tolist()
        return set(kept)

    def at_address(self, street: str, number: str) -> list[tuple[int, bool]]:
        """See `Gazetteer.at_address`."""
        found = self._query(
            "SELECT a.row, f.categories FROM addresses a JOIN features f ON f.row = a.row "
            "WHERE a.street = ? AND a.number = ?",
            (street, number),
        )
        return [(row, categories == ADDRESS) for row, categories in found]

    def has_addresses_in(self, city: str) -> bool:
        """See `Gazetteer.has_addresses_in`."""
        return bool(self._query("SELECT 1 FROM addresses WHERE city = ? LIMIT 1", (city,)))

    def _bearers(self, name: int, near: LatLng | None, most: int) -> list[int]:
        rows = self._names.rows(name)
        if len(rows) > most:
            traits = self.traits(rows.tolist())
            order = np.argsort(
                -traits.importance if near is None else traits.distances_m(near), kind="stable"
            )
            rows = rows[order[:most]]
        found: list[int] = rows.tolist()
        return found
