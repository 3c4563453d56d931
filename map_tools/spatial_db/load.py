"""Where the rows of a spatial database come from: any map, or a folder of GeoParquet files.

What the tables of GS-QA's schema are made of when they come from a map is defined in `tables.toml`.
"""

import json
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from map_tools.errors import InputFileError
from map_tools.maps.feature import SHAPES, Shape
from map_tools.maps.store import MapStore
from map_tools.spatial_db.duckdb_engine import connect, sql_text
from map_tools.spatial_db.port import Column

_BATCH = 10_000
_TYPES = {"VARCHAR": "text", "BIGINT": "bigint", "INTEGER": "bigint", "DOUBLE": "double precision"}
"""DuckDB's types of GeoParquet columns, as PostgreSQL names them."""

Row = tuple[Any, ...]


GEOMETRY = "geometry"
"""The name of the column of type geography in every table."""
OSM_ID, OSM_TYPE = "osm_id", "osm_type"
"""The feature's OpenStreetMap id among those of its type ("n", "w", "r"): every row can be traced to it."""


class Shapes(StrEnum):
    """Which features a table takes, and with what geometry."""

    ANY = "any"
    POINT = "point"
    OUTLINE = "outline"
    AREA = "area"

    def takes(self, shape: Shape) -> bool:
        """Whether a feature of this shape may be in the table."""
        if self is Shapes.OUTLINE:
            return shape is not Shape.POINT
        return self is not Shapes.AREA or shape is Shape.AREA


@dataclass(frozen=True, slots=True)
class TableDefinition:
    """A table of the schema.

    Attributes:
        name: Its name.
        name_column: The column that holds a feature's name.
        named: True if only features with a name are taken.
        shapes: Which shapes are taken.
        keys: A feature belongs to the table if it has one of these OpenStreetMap keys ...
        values: ... with one of these values, for keys that are listed here.
        tags: Columns in order, with the key of the tag each one holds.
    """

    name: str
    name_column: str
    named: bool
    shapes: Shapes
    keys: tuple[str, ...]
    values: Mapping[str, frozenset[str]]
    tags: Mapping[str, str] = field(default_factory=dict)

    @property
    def columns(self) -> tuple[Column, ...]:
        """All columns of the table."""
        texts = (OSM_TYPE, self.name_column, *self.tags)
        return (
            Column("id", "bigint"),
            Column(OSM_ID, "bigint"),
            *(Column(name, "text") for name in texts),
            Column(GEOMETRY, "geography"),
        )

    def takes(self, tags: Mapping[str, str], shape: Shape) -> bool:
        """Whether a feature with these tags belongs to the table."""
        if not self.shapes.takes(shape) or (self.named and "name" not in tags):
            return False
        return any(self._has(key, tags) for key in self.keys)

    def _has(self, key: str, tags: Mapping[str, str]) -> bool:
        value = tags.get(key)
        if value is None or value == "no":
            return False
        return key not in self.values or value in self.values[key]


@lru_cache(maxsize=1)
def definitions() -> tuple[TableDefinition, ...]:
    """The tables of the schema."""
    data = tomllib.loads((files(__package__) / "tables.toml").read_text("utf-8"))
    return tuple(_definition(name, entry) for name, entry in data.items())


def _definition(name: str, entry: Mapping[str, Any]) -> TableDefinition:
    addresses = {f"addr_{part}": f"addr:{part}" for part in entry.get("addresses", ())}
    return TableDefinition(
        name=name,
        name_column=entry["name"],
        named=entry.get("named", False),
        shapes=Shapes(entry["shapes"]),
        keys=tuple(entry["keys"]),
        values={key: frozenset(values) for key, values in entry.get("values", {}).items()},
        tags={column: column for column in entry["columns"]} | addresses,
    )


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
