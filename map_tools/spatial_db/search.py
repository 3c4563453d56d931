"""Features of a spatial database as places, and whole searches for them: around a spot, in an area, everywhere."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from map_tools.compute.geodesy import distance_m
from map_tools.compute.shapes import geometry_of
from map_tools.errors import UnsupportedError
from map_tools.kinds.tag_categories import categories_of, tag_filters
from map_tools.kinds.wanted import read_wanted
from map_tools.maps.geodesic import geodesic_m
from map_tools.maps.places import place_of
from map_tools.maps.search.names import canonical
from map_tools.providers.base import Spot, position_of
from map_tools.spatial_db.grounding.kinds import KindReader
from map_tools.spatial_db.grounding.places import SAME_SPOT_M
from map_tools.spatial_db.memory.build import OTHER_NAMES
from map_tools.spatial_db.memory.engine import FeatureRef, MemoryEngine
from map_tools.spatial_db.memory.points import Sector
from map_tools.spatial_db.memory.table import Condition, Conditions, FeatureTable
from map_tools.spatial_db.memory.texts import NO_TEXT, Rows, TextColumn
from map_tools.spatial_db.port import FeatureList, FeatureSearch
from map_tools.types import Extent, Frozen, LatLng, NearbyPlace, Place, Shape

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


_KEYWORD_COLUMNS = ("cuisine", "operator", "brand", "sport", "museum")
ANYTHING = "anything"
"""The kind that words such as "place" stand for."""
type Groups = list[tuple[str, Conditions]]
"""Features that fulfil any of these: all conditions on a table."""


class Searcher:
    """Searches an engine.

    Args:
        features: Reads its features.
    """

    def __init__(self, features: Features) -> None:
        self._engine: MemoryEngine = features.engine
        self._features = features
        self._kinds = KindReader(features.engine)

    def found(self, search: FeatureSearch) -> FeatureList:
        """All features that a search finds.

        Raises:
            UnsupportedError: The area has no outline.
        """
        groups, kinds = self._meant(search)
        found = self.around(search, groups) if search.relation == "around" else self.within(search, groups)
        return found.model_copy(update={"kinds": kinds})

    def _meant(self, search: FeatureSearch) -> tuple[Groups, tuple[str, ...]]:
        """What the words of a search mean, and as what kind they were understood; a name is none."""
        kind = self._kinds.read(search.words, "area" if search.relation == "touching" else "point")
        if kind is not None and kind.table in self._engine.tables:
            return [(kind.table, conditions) for conditions in kind.alternatives], (kind.sql(),)
        wanted = read_wanted(search.words)
        if wanted.categories:
            understood = () if wanted.keyword else wanted.categories
            return self.groups(wanted.categories, wanted.keyword), understood
        if not wanted.keyword:
            return self.groups((), None), (ANYTHING,)
        return self.groups((), search.words), ()

    def around(self, search: FeatureSearch, groups: Groups) -> FeatureList:
        """Features by their distance; one of the centre's own name at its spot is the centre once more."""
        if search.center is None:
            return FeatureList(items=tuple(self._items(self._refs(groups))))
        origin, but = position_of(search.center), self._same(search.center)
        if search.limit is not None:
            return self._nearest(search, groups, origin, but)
        radius_m = np.inf if search.radius_m is None else search.radius_m
        engine = self._engine
        found = self._merged(
            (table, engine.within(table, conditions, origin, radius_m, sector=self._side(search, table)))
            for table, conditions in groups
        )
        return FeatureList(items=self._by_distance([ref for ref in found if ref not in but], origin))

    def _nearest(
        self, search: FeatureSearch, groups: Groups, origin: LatLng, but: frozenset[FeatureRef]
    ) -> FeatureList:
        """As many of the nearest as are wanted; one more tells whether there are others."""
        wanted = (search.limit or 0) + 1
        hits = {
            hit.ref: hit
            for table, conditions in groups
            for hit in self._engine.nearest(
                table, conditions, origin, k=wanted, sector=self._side(search, table), but=but
            )
        }
        within = [
            hit for hit in hits.values() if search.radius_m is None or hit.distance_m <= search.radius_m
        ]
        within.sort(key=lambda hit: hit.distance_m)
        items = tuple(
            NearbyPlace(place=self._features.place(hit.ref), distance_m=hit.distance_m)
            for hit in within[: wanted - 1]
        )
        return FeatureList(items=items, complete=len(within) < wanted)

    def within(self, search: FeatureSearch, groups: Groups) -> FeatureList:
        """Features inside an area, or reaching into it; never the area itself."""
        area, own = self._geometry(search.area)
        inside = self._engine.inside if search.relation == "touching" else self._standing_in
        found = self._merged((table, inside(table, conditions, area)) for table, conditions in groups)
        return FeatureList(items=tuple(self._items(ref for ref in found if ref != own)))

    def _standing_in(self, table: str, conditions: Sequence[Condition], region: Any) -> Rows:
        """The rows whose point lies in a region."""
        import shapely

        source = self._engine.tables[table]
        rows = np.sort(source.rows_where(conditions))
        west, south, east, north = region.bounds
        lats, lngs = source.lats[rows], source.lngs[rows]
        rows = rows[(lats >= south) & (lats <= north) & (lngs >= west) & (lngs <= east)]
        shapely.prepare(region)
        return np.asarray(rows[shapely.intersects_xy(region, source.lngs[rows], source.lats[rows])], np.int64)

    def _geometry(self, area: str | Shape | None) -> tuple[Any, FeatureRef | None]:
        """The outline of an area, and the feature that it is of."""
        if isinstance(area, Shape):
            return geometry_of(area), None
        ref = self._features.ref_of(area or "")
        if ref is None or not self._engine.is_area(ref):
            name = area if ref is None else self._engine.name(ref)
            raise UnsupportedError(f"'{name}' has no outline here.", "Search within a radius instead.")
        return self._engine.geometry(ref), ref

    def _side(self, search: FeatureSearch, table: str) -> Sector | None:
        """The sector that features must lie in, where they are points."""
        if search.sector is None or self._engine.tables[table].shapes is not None:
            return None
        return Sector(*search.sector)

    def _same(self, center: Spot) -> frozenset[FeatureRef]:
        """The feature that is the centre, and what bears its name at the same spot."""
        if isinstance(center, LatLng) or center.location is None:
            return frozenset()
        own = self._features.ref_of(center.id)
        hits = self._engine.find_name(center.name, fuzzy=False) if canonical(center.name) else []
        here = {
            hit.ref
            for hit in hits
            if distance_m(self._engine.position(hit.ref), center.location) <= SAME_SPOT_M
        }
        return frozenset(here if own is None else here | {own})

    def everywhere(self, groups: Groups) -> tuple[Place, ...]:
        """All features of some kinds."""
        return tuple(map(self._features.place, self._refs(groups)))

    def _refs(self, groups: Groups) -> Iterator[FeatureRef]:
        return self._merged(
            (table, self._engine.tables[table].rows_where(conditions)) for table, conditions in groups
        )

    def _merged(self, found: Iterable[tuple[str, Rows]]) -> Iterator[FeatureRef]:
        """The features of some rows by table, each once, ascending."""
        by_table: dict[str, list[Rows]] = {}
        for table, rows in found:
            by_table.setdefault(table, []).append(rows)
        for table, parts in by_table.items():
            yield from (FeatureRef(table, row) for row in np.unique(np.concatenate(parts)).tolist())

    def _items(self, refs: Iterable[FeatureRef]) -> Iterator[NearbyPlace]:
        for ref in refs:
            yield NearbyPlace(place=self._features.place(ref), distance_m=None)

    def _by_distance(self, refs: Sequence[FeatureRef], origin: LatLng) -> tuple[NearbyPlace, ...]:
        lats, lngs = (
            np.array([getattr(self._engine.table(ref), what)[ref.row] for ref in refs], np.float64)
            for what in ("lats", "lngs")
        )
        metres = geodesic_m(origin.lat, origin.lng, lats, lngs)
        return tuple(
            NearbyPlace(place=self._features.place(refs[number]), distance_m=float(metres[number]))
            for number in np.argsort(metres, kind="stable").tolist()
        )

    def groups(self, categories: tuple[str, ...], keyword: str | None) -> Groups:
        """The tables and conditions that category ids and a keyword mean; a name where there is no kind."""
        kinds: Groups = [
            (table.name, (Condition(column=tags.key, value=value), *_besides(table, tags.also)))
            for tags in tag_filters(categories)
            for table in self._engine.tables.values()
            for value in _present(table, tags.key, tags.values)
        ]
        places = [name for name in self._engine.tables if name == "pois"] or list(self._engine.tables)[:1]
        groups: Groups = kinds if categories else [(name, ()) for name in places]
        if not keyword:
            return groups
        return [
            (table, (*conditions, Condition(column=column, value=keyword, match="has")))
            for table, conditions in groups
            for column in (self._engine.tables[table].name_column, *OTHER_NAMES, *_KEYWORD_COLUMNS)
            if column in self._engine.tables[table].columns
        ]


def _besides(table: FeatureTable, tags: Iterable[tuple[str, str]]) -> Conditions:
    """Further tags as conditions, as far as a table has columns for them."""
    return tuple(
        Condition(column=key, value=value, match="has") for key, value in tags if key in table.columns
    )


def _present(table: FeatureTable, column: str, values: frozenset[str] | None) -> Iterator[str]:
    """Those of some values that rows of a table have in a column of kinds; None: any value."""
    if values is not None:
        yield from (value for value in sorted(values) if f"{column}={value}" in table.points.slices)
        return
    for kind in table.points.slices:
        key, _, value = kind.partition("=")
        if key == column and value:
            yield value
