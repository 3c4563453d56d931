"""What the search by name has to know of a map, whatever the map is kept in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from map_tools.maps.geodesic import Floats, sphere_m
from map_tools.maps.name_index import NameHit
from map_tools.types import LatLng


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
