"""What the tables of GS-QA's schema are made of when they come from a map, as defined in `tables.toml`."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from typing import Any

from map_tools.maps.feature import Shape
from map_tools.spatial_db.port import Column

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
