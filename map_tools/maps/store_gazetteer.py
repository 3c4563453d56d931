"""The names of a map that is kept in a folder, for the search by name."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from map_tools.maps.gazetteer import Record, Traits
from map_tools.maps.name_index import NameIndex
from map_tools.maps.postings import Numbers, among
from map_tools.types import ADDRESS, LatLng


class StoreGazetteer:
    """See `map_tools.maps.gazetteer.Gazetteer`.

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
