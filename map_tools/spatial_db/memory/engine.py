"""A spatial database in memory, asked by verbs: nearest, within, inside, count, area, length, distance."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from map_tools.compute.geodesy import bearing_deg, distance_m
from map_tools.errors import MapStoreError
from map_tools.maps.postings import load_array
from map_tools.maps.search.name_index import NameIndex
from map_tools.maps.search.names import canonical
from map_tools.spatial_db.memory.build import CATALOGUE, LAYOUT
from map_tools.spatial_db.memory.points import PointIndex, Side
from map_tools.spatial_db.memory.table import Condition, FeatureTable, Shapes
from map_tools.spatial_db.memory.texts import Rows, TextColumn
from map_tools.types import LatLng

MIN_LIKENESS = 0.7


@dataclass(frozen=True, slots=True)
class FeatureRef:
    """A feature: its table and the number of its row there."""

    table: str
    row: int


@dataclass(frozen=True, slots=True)
class Hit:
    """A feature found near a point."""

    ref: FeatureRef
    distance_m: float


@dataclass(frozen=True, slots=True)
class NamedFeature:
    """A feature whose name is like the one looked for (`score` 0 to 1; 1 is the same name)."""

    ref: FeatureRef
    score: float


class MemoryEngine:
    """The tables of a folder that `build_memory` wrote. Any number of threads may ask it.

    Args:
        tables: The tables by name.
        names: The names of all features.
        firsts: The number of each table's first row in `names`.
        note: Remarks kept with the folder.
    """

    def __init__(
        self,
        tables: Mapping[str, FeatureTable],
        names: NameIndex,
        firsts: Mapping[str, int],
        note: Mapping[str, Any],
    ) -> None:
        self.tables = tables
        self.note = note
        self._names = names
        self._firsts = sorted((first, name) for name, first in firsts.items())

    @classmethod
    def open(cls, folder: Path) -> "MemoryEngine":
        """Maps a folder into memory.

        Raises:
            MapStoreError: It is not one that `build_memory` wrote, or of another version.
        """
        try:
            catalogue = json.loads((folder / CATALOGUE).read_text("utf-8"))
            if catalogue["layout"] != LAYOUT:
                raise MapStoreError(
                    f"The spatial database '{folder.name}' is of another version.", "Build it anew."
                )
            tables = {
                name: _load_table(folder / name, name, entry) for name, entry in catalogue["tables"].items()
            }
            names = NameIndex.load(folder / "names")
        except (OSError, ValueError, KeyError) as error:
            raise MapStoreError(
                f"The spatial database '{folder.name}' is damaged.", "Build it anew."
            ) from error
        firsts = {name: entry["first"] for name, entry in catalogue["tables"].items()}
        return cls(tables, names, firsts, catalogue["note"])

    def table(self, ref: FeatureRef) -> FeatureTable:
        """The table of a feature."""
        return self.tables[ref.table]

    def name(self, ref: FeatureRef) -> str:
        """The name of a feature; empty if it has none."""
        return self.table(ref).name_of(ref.row)

    def ref(self, table: str, identity: str | int) -> FeatureRef | None:
        """The feature with this value in the column "id" (else "osm_id") of a table, None if none has it."""
        source = self.tables.get(table)
        if source is None:
            return None
        column = source.columns.get("id") or source.columns.get("osm_id")
        row = column.row_of(str(identity)) if column is not None else None
        return None if row is None else FeatureRef(table, row)

    def position(self, ref: FeatureRef) -> LatLng:
        """The point that stands for a feature: the point itself, or the centroid."""
        return self.table(ref).position(ref.row)

    def is_area(self, ref: FeatureRef) -> bool:
        """Whether a feature has an outline."""
        shapes = self.table(ref).shapes
        return shapes is not None and bool(shapes.areas_m2[ref.row] > 0)

    def find_name(self, text: str, *, fuzzy: bool = True) -> list[NamedFeature]:
        """The features called like this, those of exactly this name only if there are any, best first."""
        wanted = canonical(text)
        for spelling in _spellings(wanted):
            exact = self._names.exact(spelling)
            if exact is not None:
                return [NamedFeature(self._ref(row), 1.0) for row in self._names.rows(exact).tolist()]
        if not fuzzy:
            return []
        return [
            NamedFeature(self._ref(row), hit.score)
            for hit in self._names.search(wanted, at_least=MIN_LIKENESS)
            for row in self._names.rows(hit.name).tolist()
        ]

    def nearest(
        self,
        table: str,
        conditions: Sequence[Condition],
        origin: LatLng,
        *,
        k: int = 1,
        sector: Side | None = None,
        but: frozenset[FeatureRef] = frozenset(),
    ) -> list[Hit]:
        """The k features nearest to a point, by the points that stand for them.

        Args:
            table: Where they are.
            conditions: What they must be.
            origin: Where distances are measured from, on the ellipsoid.
            k: How many.
            sector: In which direction they must lie.
            but: Features left out, such as the one that `origin` is of.
        """
        source = self.tables[table]
        kind, rest = source.kind_of(conditions)
        mask = source.kind_mask(kind, rest)
        found = source.points.nearest(origin, kind, k + len(but), only=mask, sector=sector)
        pairs = zip(found.rows.tolist(), found.distances_m.tolist(), strict=True)
        hits = [Hit(FeatureRef(table, row), metres) for row, metres in pairs]
        return [hit for hit in hits if hit.ref not in but][:k]

    def within(
        self,
        table: str,
        conditions: Sequence[Condition],
        origin: LatLng,
        radius_m: float,
        *,
        sector: Side | None = None,
    ) -> Rows:
        """The rows within a radius of a point (inclusive, on the ellipsoid), in no order."""
        source = self.tables[table]
        kind, rest = source.kind_of(conditions)
        mask = source.kind_mask(kind, rest)
        return source.points.within(origin, kind, radius_m, only=mask, sector=sector)

    def inside(
        self, table: str, conditions: Sequence[Condition], region: Any, *, whole: bool = False
    ) -> Rows:
        """The rows that meet a region, in ascending order.

        Args:
            table: Where they are.
            conditions: What they must be.
            region: A shapely geometry in longitude and latitude.
            whole: Only what lies in it with all of its outline.
        """
        import shapely

        source = self.tables[table]
        rows = np.sort(source.rows_where(conditions))
        west, south, east, north = region.bounds
        shapely.prepare(region)
        if source.shapes is None:
            lats, lngs = source.lats[rows], source.lngs[rows]
            boxed = (lats >= south) & (lats <= north) & (lngs >= west) & (lngs <= east)
            rows = rows[boxed]
            meets = shapely.intersects_xy(region, source.lngs[rows], source.lats[rows])
            return np.asarray(rows[meets], np.int64)
        boxes = source.shapes.boxes[rows]
        boxed = (
            (boxes[:, 0] <= east) & (boxes[:, 2] >= west) & (boxes[:, 1] <= north) & (boxes[:, 3] >= south)
        )
        rows = rows[boxed]
        test = shapely.covers if whole else shapely.intersects
        if len(rows):
            rows = rows[test(region, source.shapes.geometries(rows))]
        return np.asarray(rows, np.int64)

    def geometry(self, ref: FeatureRef) -> Any:
        """The geometry of a feature (shapely, longitude and latitude), made valid if it is not."""
        import shapely

        table = self.table(ref)
        if table.shapes is None:
            return shapely.Point(table.lngs[ref.row], table.lats[ref.row])
        return shapely.make_valid(table.shapes.geometries(np.array([ref.row]))[0])

    def sizes(self, table: str, rows: Rows, measure: Literal["area", "length"]) -> np.ndarray[Any, Any]:
        """Areas (square metres) or lengths (metres) of rows; 0 for points."""
        shapes = self.tables[table].shapes
        if shapes is None:
            return np.zeros(len(rows), np.float64)
        return (shapes.areas_m2 if measure == "area" else shapes.lengths_m)[rows]

    def distance_m(self, a: FeatureRef, b: FeatureRef) -> float:
        """The geodesic distance between the points of two features."""
        return distance_m(self.position(a), self.position(b))

    def azimuth_deg(self, a: FeatureRef, b: FeatureRef) -> float:
        """The direction of b as seen from a, clockwise from north."""
        return bearing_deg(self.position(a), self.position(b))

    def _ref(self, number: int) -> FeatureRef:
        first, name = next((first, name) for first, name in reversed(self._firsts) if first <= number)
        return FeatureRef(name, number - first)


def _load_table(folder: Path, name: str, entry: Mapping[str, Any]) -> FeatureTable:
    slices = {kind: (int(first), int(end)) for kind, (first, end) in entry["slices"].items()}
    return FeatureTable(
        name=name,
        name_column=entry["name_column"],
        columns=_LazyColumns(folder, entry["columns"]),
        points=PointIndex.load(folder, slices),
        lats=load_array(folder, "lats"),
        lngs=load_array(folder, "lngs"),
        shapes=Shapes.load(folder) if entry["shaped"] else None,
    )


class _LazyColumns(Mapping[str, TextColumn]):
    """The columns of a folder, each opened when it is first asked for."""

    def __init__(self, folder: Path, names: Sequence[str]) -> None:
        self._folder = folder
        self._names = tuple(names)
        self._open: dict[str, TextColumn] = {}

    def __getitem__(self, name: str) -> TextColumn:
        if name not in self._names:
            raise KeyError(name)
        if name not in self._open:
            self._open[name] = TextColumn.load(self._folder, name)
        return self._open[name]

    def __iter__(self) -> Any:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def _spellings(name: str) -> tuple[str, ...]:
    """A comparable name, and what it is if the "St." inside stands for the other word."""
    return (name, name.replace(" street ", " saint "), name.replace(" saint ", " street "))
