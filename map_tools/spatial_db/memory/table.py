"""One table in memory: its columns, its points, and its geometries where they are more than points."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from map_tools.maps.geodesic import Floats
from map_tools.maps.postings import load_array
from map_tools.spatial_db.memory.points import Mask, PointIndex
from map_tools.spatial_db.memory.texts import Rows, TextColumn
from map_tools.types import Frozen, LatLng

_MOST_MASKS = 64
ALL = ""
"""The kind that every row is of."""


class Condition(Frozen):
    """What a column must say.

    Attributes:
        column: The column.
        value: The value, in any capitals.
        match: "is": the whole value is this; "has": this occurs in it (SQL's ILIKE '%value%'), as in lists
            of cuisines; there "_" is any one character.
    """

    column: str
    value: str
    match: Literal["is", "has"] = "is"

    def fits(self, text: str) -> bool:
        """Whether a value in small letters fulfils it; "_" stands for any character, as in ILIKE."""
        wanted = self.value.casefold()
        if self.match == "is":
            return text == wanted
        if "_" not in wanted:
            return wanted in text
        return re.search(".".join(map(re.escape, wanted.split("_"))), text) is not None

    def sql(self) -> str:
        """The condition in PostGIS dialect."""
        text = self.value.replace("'", "''")
        return f"{self.column} = '{text}'" if self.match == "is" else f"{self.column} ILIKE '%{text}%'"


Conditions = tuple[Condition, ...]


def kind_key(condition: Condition) -> str:
    """What the kind of a condition is called in the index of points."""
    return f"{condition.column}={condition.value}"


@dataclass(frozen=True, slots=True)
class Shapes:
    """Geometries of a table that are not all points.

    Attributes:
        wkb: Well-known binary of all rows, one after another; `ends` where each one ends.
        boxes: West, south, east, north of each row.
        areas_m2, lengths_m: Sizes on the ellipsoid; 0 where the geometry has none.
    """

    wkb: npt.NDArray[np.uint8]
    ends: npt.NDArray[np.uint64]
    boxes: Floats
    areas_m2: Floats
    lengths_m: Floats

    def geometries(self, rows: Rows) -> npt.NDArray[Any]:
        """The geometries of some rows."""
        import shapely

        starts = np.concatenate((np.zeros(1, np.uint64), self.ends[:-1]))
        found = [bytes(self.wkb[int(starts[row]) : int(self.ends[row])]) for row in rows]
        return np.asarray(shapely.from_wkb(np.array(found, dtype=object)), dtype=object)

    def save(self, folder: Path) -> None:
        """Writes the arrays."""
        for what in ("wkb", "ends", "boxes", "areas_m2", "lengths_m"):
            np.save(folder / f"shape_{what}.npy", getattr(self, what))

    @classmethod
    def load(cls, folder: Path) -> "Shapes":
        """Maps the arrays into memory."""
        names = ("wkb", "ends", "boxes", "areas_m2", "lengths_m")
        return cls(*(load_array(folder, f"shape_{what}") for what in names))


class FeatureTable:
    """A table.

    Args:
        name: Its name.
        name_column: The column that holds a feature's name.
        columns: Its text columns by name, ids among them.
        points: All rows by kind, each at the point that stands for it.
        lats: Latitude of that point by row; `lngs` its longitude.
        shapes: The geometries; None if all are points.
    """

    def __init__(
        self,
        *,
        name: str,
        name_column: str,
        columns: Mapping[str, TextColumn],
        points: PointIndex,
        lats: Floats,
        lngs: Floats,
        shapes: Shapes | None,
    ) -> None:
        self.name = name
        self.name_column = name_column
        self.columns = columns
        self.points = points
        self.lats = lats
        self.lngs = lngs
        self.shapes = shapes
        self._masks: dict[tuple[str, Conditions], Mask] = {}

    def __len__(self) -> int:
        return len(self.lats)

    def text(self, row: int, column: str) -> str | None:
        """A value of a row; None if it is empty, or the table has no such column."""
        found = self.columns.get(column)
        return None if found is None else found.text(row)

    def name_of(self, row: int) -> str:
        """The name of a row; empty if it has none."""
        return self.text(row, self.name_column) or ""

    def position(self, row: int) -> LatLng:
        """The point that stands for a row."""
        return LatLng(lat=float(self.lats[row]), lng=float(self.lngs[row]))

    def kind_of(self, conditions: Sequence[Condition]) -> tuple[str, Conditions]:
        """The kind of the point index that these conditions begin with, and the conditions left over."""
        for number, condition in enumerate(conditions):
            if condition.match == "is" and kind_key(condition) in self.points.slices:
                return kind_key(condition), (*conditions[:number], *conditions[number + 1 :])
        return ALL, tuple(conditions)

    def rows_where(self, conditions: Sequence[Condition]) -> Rows:
        """All rows that fulfil the conditions, in no order."""
        kind, rest = self.kind_of(conditions)
        rows = self.points.rows[self.points.members(kind)]
        mask = self.mask(rows, rest)
        return rows if mask is None else rows[mask]

    def mask(self, rows: Rows, conditions: Sequence[Condition]) -> Mask | None:
        """Which of some rows fulfil the conditions; None if there are no conditions."""
        if not conditions:
            return None
        fitting = np.ones(len(rows), np.bool_)
        for condition in conditions:
            fitting &= self._fits(rows, condition)
        return fitting

    def kind_mask(self, kind: str, conditions: Conditions) -> Mask | None:
        """Which entries of a kind of the point index fulfil the conditions; what was asked last is kept."""
        key = (kind, conditions)
        if conditions and key not in self._masks:
            if len(self._masks) >= _MOST_MASKS:
                self._masks.clear()
            mask = self.mask(self.points.rows[self.points.members(kind)], conditions)
            if mask is not None:
                self._masks[key] = mask
        return self._masks.get(key)

    def _fits(self, rows: Rows, condition: Condition) -> Mask:
        column = self.columns.get(condition.column)
        if column is None:
            return np.zeros(len(rows), np.bool_)
        key = (condition.match, condition.value.casefold())
        return column.fitting(key, condition.fits)[column.codes[rows]]

    @cached_property
    def tree(self) -> Any:
        """The tree over the boxes of the shapes."""
        import shapely

        boxes = self.shapes.boxes if self.shapes is not None else np.empty((0, 4))
        return shapely.STRtree(shapely.box(*boxes.T))
