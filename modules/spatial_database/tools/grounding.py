"""Tools that ground words in the tables of a map (Geo-ReAct, section 4.1.2).

ResolveLocation gives coordinates for the name or id of a place, GetPOIFilter table, column and value for a kind of
feature, GetRegionGeometry a predicate for a region (an outline, a circle, or a street corner), and InspectSchema tells
what the columns of a table hold.
"""

from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from map_tools.compute.geodesy import distance_m
from map_tools.errors import UnsupportedError
from map_tools.spatial_db.describe import ColumnStatistics
from map_tools.spatial_db.grounding.kinds import KindReader
from map_tools.spatial_db.grounding.places import PlaceFinder, corner_of
from map_tools.spatial_db.memory.engine import FeatureRef, MemoryEngine
from map_tools.spatial_db.memory.table import Condition, FeatureTable
from map_tools.spatial_db.search import FeatureInfo, Features
from map_tools.types import LatLng
from modules.spatial_database.tools.base import Arguments, Concept, Result, Role, SpatialTool

DEFAULT_RADIUS_M = 5_000.0
"""The circle that stands in for a region without an outline, where none is asked for."""
SAME_REGION_M = 200_000.0
"""Of several regions of a name the one within this distance of a given point is meant."""

COMMON = 8
"""Commonest values shown of each column."""


class LocationArguments(Arguments):
    """What is to be found.

    Attributes:
        location: A name, perhaps with city and state behind commas, or an OpenStreetMap id (negative for a
            relation).
        city, state: What it must lie in.
        kind: Whether a place to measure from or a region is meant.
    """

    location: str = Field(min_length=1)
    city: str = ""
    state: str = ""
    kind: Literal["place", "region"] = "place"


class LocationResult(Result):
    """The features found.

    Attributes:
        places: All that fit; more than one where the name alone does not tell which is meant. Areas and lines
            stand at their centroid.
        note: What a reader should know about the choice.
    """

    places: tuple[FeatureInfo, ...]
    note: str = ""


class ResolveLocation(SpatialTool[LocationArguments, LocationResult]):
    """Finds places by name (Geo-ReAct, section 4.1.2).

    Args:
        engine: The data.
    """

    name: ClassVar[str] = "ResolveLocation"
    description: ClassVar[str] = (
        "Maps the name or the id of a place to a point. Give city and state if the question has them."
    )
    role: ClassVar[Role] = Role.GROUNDING
    concepts: ClassVar[tuple[Concept, ...]] = (Concept.LOCATION,)
    arguments: ClassVar[type[Arguments]] = LocationArguments

    def __init__(self, engine: MemoryEngine) -> None:
        self._features = Features(engine)
        self._finder = PlaceFinder(engine)

    async def run(self, arguments: LocationArguments) -> LocationResult:
        """Finds the place.

        Raises:
            PlaceNotFoundError: Nothing is called like this.
        """
        words = ", ".join(part for part in (arguments.location, arguments.city, arguments.state) if part)
        found = self._finder.find(words, arguments.kind)
        return LocationResult(places=tuple(map(self._features.info, found.refs)), note=found.note)


class FilterArguments(Arguments):
    """What is looked for.

    Attributes:
        poi_type: Words for a kind of feature, with what it must be like ("museum", "Thai restaurant with
            outdoor seating").
        query_type: What is done with the features: "point" to count them or measure from them, "area" or
            "line" to take their sizes.
    """

    poi_type: str = Field(min_length=1)
    query_type: Literal["point", "area", "line"] = "point"


class FilterResult(Result):
    """A filter.

    Attributes:
        table: Where such features are.
        alternatives: A feature is one of the kind if it fulfils all conditions of any of these.
        sql: The same as a condition in PostGIS dialect.
        source: "curated": from the vocabulary; "discovered": the words are values of the data.
        rows: How many features fulfil it.
    """

    table: str
    alternatives: tuple[tuple[Condition, ...], ...]
    sql: str
    source: Literal["curated", "discovered"]
    rows: int


class GetPoiFilter(SpatialTool[FilterArguments, FilterResult]):
    """Reads kinds (Geo-ReAct, section 4.1.2).

    Args:
        engine: The data.
        kinds: Reads the words; default: one of its own.
    """

    name: ClassVar[str] = "GetPOIFilter"
    description: ClassVar[str] = (
        "Maps words for a kind of feature to table, column and value, for SQL and CalculateMetric."
    )
    role: ClassVar[Role] = Role.GROUNDING
    concepts: ClassVar[tuple[Concept, ...]] = (Concept.OBJECT,)
    arguments: ClassVar[type[Arguments]] = FilterArguments

    def __init__(self, engine: MemoryEngine, kinds: KindReader | None = None) -> None:
        self._engine = engine
        self._kinds = kinds or KindReader(engine)

    async def run(self, arguments: FilterArguments) -> FilterResult:
        """Reads the words.

        Raises:
            UnsupportedError: They are no kind that the data knows.
        """
        kind = self._kinds.read(arguments.poi_type, arguments.query_type)
        if kind is None or kind.table not in self._engine.tables:
            raise UnsupportedError(
                f"The data has no kind of feature called '{arguments.poi_type}'.",
                "Say it in other words, or look at the values with InspectSchema.",
            )
        table = self._engine.tables[kind.table]
        return FilterResult(
            table=kind.table,
            alternatives=kind.alternatives,
            sql=kind.sql(),
            source="curated" if kind.curated else "discovered",
            rows=sum(len(table.rows_where(conditions)) for conditions in kind.alternatives),
        )


class RegionArguments(Arguments):
    """What is wanted.

    Attributes:
        region: The region's name, perhaps with its state behind a comma.
        state: The state.
        near: A point the region must be close to, if several have its name.
        radius_m: The circle to take where the region has no outline.
        streets: Two streets, whose crossing is wanted instead of a region.
    """

    region: str = ""
    state: str = ""
    near: LatLng | None = None
    radius_m: float | None = None
    streets: tuple[str, str] | None = None


class RegionResult(Result):
    """A region.

    Attributes:
        mode: "polygon": `features` are the regions of this name; "buffer": a circle around `center`;
            "intersection": `center` is where two streets meet.
        predicate: For SQL's WHERE clause.
        note: What a reader should know.
    """

    mode: Literal["polygon", "buffer", "intersection"]
    features: tuple[FeatureInfo, ...] = ()
    center: LatLng | None = None
    radius_m: float | None = None
    predicate: str = ""
    note: str = ""


class GetRegionGeometry(SpatialTool[RegionArguments, RegionResult]):
    """Finds regions, circles and corners (Geo-ReAct, section 4.1.2).

    Args:
        engine: The data.
    """

    name: ClassVar[str] = "GetRegionGeometry"
    description: ClassVar[str] = (
        "Finds the outline of an administrative region or, where there is none, a circle around the "
        "place; or the point where two streets meet. Gives a predicate for SQL."
    )
    role: ClassVar[Role] = Role.GROUNDING
    concepts: ClassVar[tuple[Concept, ...]] = (Concept.LOCATION, Concept.NEIGHBORHOOD)
    arguments: ClassVar[type[Arguments]] = RegionArguments

    def __init__(self, engine: MemoryEngine) -> None:
        self._engine = engine
        self._features = Features(engine)
        self._finder = PlaceFinder(engine)

    async def run(self, arguments: RegionArguments) -> RegionResult:
        """Finds the region.

        Raises:
            PlaceNotFoundError: There is no such region, place or street corner.
        """
        if arguments.streets is not None:
            return self._corner(*arguments.streets)
        words = ", ".join(part for part in (arguments.region, arguments.state) if part)
        found = self._finder.find(words, "region")
        refs = self._near(found.refs, arguments.near)
        outlines = [ref for ref in refs if self._engine.is_area(ref)]
        if outlines:
            infos = tuple(map(self._features.info, outlines))
            return RegionResult(mode="polygon", features=infos, predicate=_inside(infos[0]), note=found.note)
        return self._circle(refs[0], arguments.radius_m or DEFAULT_RADIUS_M, found.note)

    def _near(self, refs: tuple[FeatureRef, ...], near: LatLng | None) -> tuple[FeatureRef, ...]:
        if near is None or len(refs) == 1:
            return refs
        ranked = sorted(refs, key=lambda ref: distance_m(near, self._engine.position(ref)))
        closest = distance_m(near, self._engine.position(ranked[0]))
        return (ranked[0],) if closest <= SAME_REGION_M else refs

    def _circle(self, ref: FeatureRef, radius_m: float, note: str) -> RegionResult:
        center = self._engine.position(ref)
        reason = f"'{self._engine.name(ref)}' has no outline: a circle of {radius_m:g} m stands in for it."
        return RegionResult(
            mode="buffer",
            features=(self._features.info(ref),),
            center=center,
            radius_m=radius_m,
            predicate=f"ST_DWithin(geometry, 'POINT({center.lng} {center.lat})'::geography, {radius_m:g})",
            note=f"{note} {reason}".strip(),
        )

    def _corner(self, first: str, second: str) -> RegionResult:
        corner = corner_of(self._engine, first, second)
        note = (
            ""
            if corner.gap_m == 0
            else f"The streets do not touch; this is between their nearest points, {corner.gap_m:.0f} m apart."
        )
        return RegionResult(mode="intersection", center=corner.at, note=note)


def _inside(info: FeatureInfo) -> str:
    return f"ST_Intersects(geometry, (SELECT geometry FROM {info.table} WHERE id = {info.id}))"  # noqa: S608


class SchemaArguments(Arguments):
    """What is to be looked at; no columns: all of the table."""

    table: str = Field(min_length=1)
    columns: tuple[str, ...] = ()


class SchemaResult(Result):
    """A table's rows and columns; columns without any value are only named."""

    table: str
    rows: int
    columns: tuple[ColumnStatistics, ...]
    empty: tuple[str, ...] = ()


class InspectSchema(SpatialTool[SchemaArguments, SchemaResult]):
    """Shows statistics of columns (Geo-ReAct, section 4.1.1).

    Args:
        engine: The data.
    """

    name: ClassVar[str] = "InspectSchema"
    description: ClassVar[str] = (
        "Tells what the columns of a table hold: null share, distinct count, common values."
    )
    role: ClassVar[Role] = Role.GROUNDING
    concepts: ClassVar[tuple[Concept, ...]] = (Concept.ACCURACY, Concept.GRANULARITY, Concept.MEANING)
    arguments: ClassVar[type[Arguments]] = SchemaArguments

    def __init__(self, engine: MemoryEngine) -> None:
        self._engine = engine

    async def run(self, arguments: SchemaArguments) -> SchemaResult:
        """Looks at the columns.

        Raises:
            UnsupportedError: There is no such table or column.
        """
        table = self._engine.tables.get(arguments.table)
        if table is None:
            known = ", ".join(self._engine.tables)
            raise UnsupportedError(f"There is no table '{arguments.table}'.", f"Tables: {known}.")
        names = arguments.columns or tuple(table.columns)
        unknown = [name for name in names if name not in table.columns]
        if unknown:
            known = ", ".join(table.columns)
            raise UnsupportedError(
                f"The table '{table.name}' has no column '{unknown[0]}'.", f"Columns: {known}."
            )
        found = [_statistics(table, name) for name in names]
        return SchemaResult(
            table=table.name,
            rows=len(table),
            columns=tuple(one for one in found if one.distinct),
            empty=tuple(one.name for one in found if not one.distinct),
        )


def _statistics(table: FeatureTable, name: str) -> ColumnStatistics:
    column = table.columns[name]
    counts = column.counts
    filled = int(counts.sum())
    best = np.argsort(-counts, kind="stable")[:COMMON]
    return ColumnStatistics(
        name=name,
        type="text",
        null_share=round(1 - filled / len(table), 4) if len(table) else 1.0,
        distinct=len(column.values),
        common=tuple(column.values[int(code)] for code in best),
    )
