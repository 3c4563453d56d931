"""Where the rows of a spatial database come from: any map, or a folder of GeoParquet files."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from map_tools.errors import InputFileError
from map_tools.maps.feature import SHAPES, Shape
from map_tools.maps.store import MapStore
from map_tools.spatial_db.duckdb_engine import connect, sql_text
from map_tools.spatial_db.port import Column
from map_tools.spatial_db.tables import GEOMETRY, Shapes, TableDefinition, definitions

_BATCH = 10_000
_TYPES = {"VARCHAR": "text", "BIGINT": "bigint", "INTEGER": "bigint", "DOUBLE": "double precision"}
"""DuckDB's types of GeoParquet columns, as PostgreSQL names them."""

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class TableData:
    """A table to be loaded.

    Attributes:
        name: Its name.
        columns: Its columns; the one of type geography is last.
        rows: Gives the rows anew each time: one value a column, the geometry as well-known binary or None.
    """

    name: str
    columns: tuple[Column, ...]
    rows: Callable[[], Iterable[Row]]


def from_map(store: MapStore, *, unnamed: bool = False) -> tuple[TableData, ...]:
    """The five tables of GS-QA's schema made from a map's features; ids are those of OpenStreetMap.

    Args:
        store: The map.
        unnamed: Places without a name are taken too, as far as the map has them.
    """
    return tuple(
        TableData(definition.name, definition.columns, _MapRows(store, definition))
        for definition in (replace(one, named=one.named and not unnamed) for one in definitions())
    )


@dataclass(frozen=True, slots=True)
class _MapRows:
    """The rows of one table; `id` counts from 1 in the order of the map."""

    store: MapStore
    definition: TableDefinition

    def __call__(self) -> Iterator[Row]:
        number = 0
        for first in range(0, len(self.store), _BATCH):
            found = self.store.query(
                "SELECT f.row, f.kind, f.osm_id, f.tags, s.wkb FROM features f"
                " LEFT JOIN shapes s ON s.row = f.row"
                " WHERE f.row >= ? AND f.row < ? AND f.kept IS NULL ORDER BY f.row",
                (first, first + _BATCH),
            )
            for row, kind, osm_id, tags_text, wkb in found:
                tags = json.loads(tags_text)
                shape = SHAPES[self.store.shapes[row]]
                if self.definition.takes(tags, shape):
                    number += 1
                    yield self._row(number, kind, osm_id, tags, self._geometry(row, shape, wkb))

    def _row(self, number: int, kind: str, osm_id: int, tags: dict[str, str], geometry: bytes | None) -> Row:
        values = (tags.get(key) for key in self.definition.tags.values())
        return (number, osm_id, kind, tags.get("name"), *values, geometry)

    def _geometry(self, row: int, shape: Shape, wkb: bytes | None) -> bytes | None:
        if shape is not Shape.POINT and self.definition.shapes is not Shapes.POINT:
            return wkb
        from shapely import Point

        place = self.store.location(row)
        return bytes(Point(place.lng, place.lat).wkb)


def from_geoparquet(folder: Path) -> tuple[TableData, ...]:
    """The tables of a folder of GeoParquet files, named after the files; those without geometry are left out.

    See https://geoparquet.org/releases/v1.1.0/.

    Raises:
        InputFileError: No file there has a geometry, or one cannot be read.
    """
    found = [_parquet_table(path) for path in sorted(folder.glob("*.parquet"))]
    tables = tuple(table for table in found if table is not None)
    if not tables:
        raise InputFileError(
            f"'{folder}' has no GeoParquet file.",
            "Give a folder with pois.parquet, regions.parquet and so on.",
        )
    return tables


def _parquet_table(path: Path) -> TableData | None:
    import duckdb

    with connect() as connection:
        try:
            described = connection.execute(f"DESCRIBE SELECT * FROM {_scan(path)}").fetchall()  # noqa: S608
        except duckdb.Error as error:
            raise InputFileError(f"'{path}' cannot be read as Parquet.", "Download it again.") from error
    types = {name: kind for name, kind, *_ in described}
    if not types.get(GEOMETRY, "").startswith("GEOMETRY"):
        return None
    plain = tuple(Column(name, _TYPES.get(kind, "text")) for name, kind in types.items() if name != GEOMETRY)
    return TableData(path.stem, (*plain, Column(GEOMETRY, "geography")), _ParquetRows(path, plain))


@dataclass(frozen=True, slots=True)
class _ParquetRows:
    path: Path
    plain: tuple[Column, ...]

    def __call__(self) -> Iterator[Row]:
        names = ", ".join(f'"{column.name}"' for column in self.plain)
        with connect() as connection:
            cursor = connection.execute(f"SELECT {names}, ST_AsWKB({GEOMETRY}) FROM {_scan(self.path)}")  # noqa: S608
            while batch := cursor.fetchmany(_BATCH):
                yield from batch


def _scan(path: Path) -> str:
    return f"read_parquet({sql_text(str(path))})"
