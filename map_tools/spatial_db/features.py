"""Features of a spatial database as places, and as tools name them."""

from collections.abc import Iterator, Mapping
from typing import Any

from map_tools.kinds.tag_categories import categories_of
from map_tools.maps.places import place_of
from map_tools.spatial_db.memory.engine import FeatureRef, MemoryEngine
from map_tools.spatial_db.memory.table import FeatureTable
from map_tools.spatial_db.memory.texts import NO_TEXT, TextColumn
from map_tools.types import Extent, Frozen, LatLng, Place

_ADDRESS = ("addr_street", "addr_city", "addr_state", "addr_postcode")
_NO_TAGS = frozenset({"id", "osm_type", "other_ids", "region", "source", "lat", "lon"})
"""Columns that say nothing of a feature itself."""
MOST_KEPT = 20_000
"""Features that are kept as places once they were asked for."""
_POINT = Extent(kind="point")


class FeatureId(Frozen):
    """A feature as tools name it: its table and its id there."""

    table: str
    id: str


class FeatureInfo(Frozen):
    """A feature in a tool's result.

    Attributes:
        lat, lng: The point that stands for it, in degrees.
        distance_m: From the origin of the search.
        size: Its area (m²) or its length (m), where that was asked for.
    """

    table: str
    id: str
    name: str = ""
    lat: float
    lng: float
    address: str = ""
    distance_m: float | None = None
    size: float | None = None

    @property
    def location(self) -> LatLng:
        """Where it is."""
        return LatLng(lat=self.lat, lng=self.lng)


class Features:
    """Reads features of an engine.

    Args:
        engine: The data.
    """

    def __init__(self, engine: MemoryEngine) -> None:
        self.engine = engine
        self._columns: dict[str, tuple[tuple[str, TextColumn], ...]] = {}
        self._places: dict[FeatureRef, Place] = {}

    def id_of(self, ref: FeatureRef) -> str:
        """The feature's id in its table; its row where the table has no ids."""
        table = self.engine.table(ref)
        return table.text(ref.row, "id") or table.text(ref.row, "osm_id") or f"row {ref.row}"

    def ref(self, identity: FeatureId) -> FeatureRef | None:
        """The feature of an id; None if there is none."""
        if identity.id.startswith("row "):
            return FeatureRef(identity.table, int(identity.id.removeprefix("row ")))
        return self.engine.ref(identity.table, identity.id)

    def address(self, ref: FeatureRef) -> str:
        """Number and street, city, state, postcode; empty where the data has none."""
        return _address(self.engine.table(ref), ref.row)

    def info(
        self, ref: FeatureRef, *, distance_m: float | None = None, size: float | None = None
    ) -> FeatureInfo:
        """The feature as a tool shows it."""
        position = self.engine.position(ref)
        return FeatureInfo(
            table=ref.table,
            id=self.id_of(ref),
            name=self.engine.name(ref),
            lat=position.lat,
            lng=position.lng,
            address=self.address(ref),
            distance_m=distance_m,
            size=size,
        )

    def place(self, ref: FeatureRef) -> Place:
        """The feature as a place; its id is its table and row ("pois/4711"), the same in every build."""
        known = self._places.get(ref)
        if known is None:
            if len(self._places) >= MOST_KEPT:
                self._places.clear()
            known = self._places[ref] = self._made(ref)
        return known

    def ref_of(self, place_id: str) -> FeatureRef | None:
        """The feature that a place's id names; None if it names none."""
        name, _, row = place_id.rpartition("/")
        table = self.engine.tables.get(name)
        if table is None or not row.isdecimal() or int(row) >= len(table):
            return None
        return FeatureRef(name, int(row))

    def _made(self, ref: FeatureRef) -> Place:
        table = self.engine.table(ref)
        tags = dict(self._tags(table, ref.row))
        place = place_of(f"{ref.table}/{ref.row}", tags, categories_of(tags), self.engine.position(ref), "")
        changes: dict[str, Any] = {
            "address": _address(table, ref.row) or None,
            "timezone": None,
            "attributes": {key: value for key, value in tags.items() if key != "name"},
            "extent": _extent(table, ref.row),
        }
        return place.model_copy(update=changes)

    def _tags(self, table: FeatureTable, row: int) -> Iterator[tuple[str, str]]:
        """What the row says, by OpenStreetMap's keys."""
        columns = self._columns.get(table.name)
        if columns is None:
            columns = self._columns[table.name] = tuple(_keyed(table.columns, table.name_column))
        for key, column in columns:
            code = int(column.codes[row])
            if code != NO_TEXT:
                yield key, column.values[code]


def _keyed(columns: Mapping[str, TextColumn], name_column: str) -> Iterator[tuple[str, TextColumn]]:
    """The columns with the keys of the tags they were made of."""
    for name, column in columns.items():
        if name == name_column:
            yield "name", column
        elif name.startswith("addr_"):
            yield f"addr:{name.removeprefix('addr_')}", column
        elif name not in _NO_TAGS:
            yield name, column


def _address(table: FeatureTable, row: int) -> str:
    parts = [table.text(row, column) or "" for column in _ADDRESS]
    number = table.text(row, "addr_housenumber")
    if number and parts[0]:
        parts[0] = f"{number} {parts[0]}"
    return ", ".join(part for part in parts if part)


def _extent(table: FeatureTable, row: int) -> Extent:
    """What the table knows of the shape of a row."""
    if table.shapes is None:
        return _POINT
    area_m2, length_m = float(table.shapes.areas_m2[row]), float(table.shapes.lengths_m[row])
    if area_m2 > 0:
        return Extent(kind="area", area_m2=area_m2)
    return Extent(kind="line", length_m=length_m) if length_m > 0 else _POINT
