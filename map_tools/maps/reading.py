"""A map as those see it who answer questions from it, whatever it is kept in."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from map_tools.types import LatLng, Place, Shape


class MapReading(Protocol):
    """A map as it is at one moment. A feature is known by its row, which is valid only here."""

    def find(
        self,
        text: str,
        near: LatLng | None = None,
        limit: int = 5,
        *,
        kind: Sequence[str] = (),
        inside: int | None = None,
    ) -> list[tuple[int, float]]:
        """Features whose name or address fits a text as (row, score from 0 to 1); see `MapStore.find`."""
        ...

    def name_score(self, text: str) -> float:
        """0 to 1: how well the best name of the map fits a text."""
        ...

    def has_name(self, text: str) -> bool:
        """Whether a feature bears exactly this name, spelling variants aside."""
        ...

    def row_of(self, place_id: str) -> int | None:
        """The row of a place id such as "osm:n123"; None if the map has no such feature."""
        ...

    def places(self, rows: Sequence[int]) -> list[Place]:
        """Everything known of some features."""
        ...

    def has_outline(self, row: int) -> bool:
        """True for an area; of one that is a mere address no outline is kept all the same."""
        ...

    def outline(self, row: int) -> bytes | None:
        """An area's outline as well-known binary, (longitude, latitude); None for what has none."""
        ...

    def shape(self, row: int) -> Shape | None:
        """The outline of an area, or the whole line that a feature is a piece of; None for all else."""
        ...

    def nearby(
        self,
        center: LatLng,
        radius_m: float,
        categories: Sequence[str] = (),
        keyword: str | None = None,
        limit: int | None = None,
    ) -> list[tuple[int, float]]:
        """Features around a point as (row, distance in metres), ascending; see `MapStore.nearby`."""
        ...

    def nearby_shape(
        self,
        shape: Shape,
        at: LatLng,
        radius_m: float,
        *,
        categories: Sequence[str] = (),
        keyword: str | None = None,
        limit: int | None = None,
    ) -> list[tuple[int, float]]:
        """Features around a shape, as `nearby`; `at` stands for it among those that are equally far."""
        ...

    def everywhere(self, categories: Sequence[str] = (), keyword: str | None = None) -> list[int]:
        """The rows of all features of a kind, ascending; a line that is mapped in pieces once."""
        ...

    def inside(self, row: int, categories: Sequence[str] = (), keyword: str | None = None) -> list[int]:
        """Rows of the features whose point lies inside an area, without the area itself; ascending."""
        ...

    def best_known(self, count: int) -> list[int]:
        """The rows of the features of most importance; of equals, the earlier rows first."""
        ...


class ReadableMap(Protocol):
    """A map that can be read, by several threads at once."""

    def reading(self) -> AbstractContextManager[MapReading]:
        """The map as it is now, for one call to answer from."""
        ...

    def close(self) -> None:
        """Frees what it holds."""
        ...
