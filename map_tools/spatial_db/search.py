"""Whole searches over the tables of a spatial database: around a spot, in or across an area, everywhere."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from map_tools.compute.geodesy import distance_m
from map_tools.compute.shapes import geometry_of
from map_tools.errors import UnsupportedError
from map_tools.kinds.tag_categories import tag_filters
from map_tools.kinds.wanted import read_wanted
from map_tools.maps.geodesic import geodesic_m
from map_tools.maps.search.names import canonical
from map_tools.providers.base import Spot, position_of
from map_tools.providers.features import FeatureList, FeatureSearch
from map_tools.spatial_db.features import Features
from map_tools.spatial_db.grounding.kinds import KindReader
from map_tools.spatial_db.grounding.places import SAME_SPOT_M
from map_tools.spatial_db.memory.build import OTHER_NAMES
from map_tools.spatial_db.memory.engine import FeatureRef, MemoryEngine
from map_tools.spatial_db.memory.points import Sector
from map_tools.spatial_db.memory.table import Condition, Conditions, FeatureTable
from map_tools.spatial_db.memory.texts import Rows
from map_tools.types import LatLng, NearbyPlace, Place, Shape

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
