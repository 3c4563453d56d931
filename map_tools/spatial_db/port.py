"""The port of all spatial databases: what a caller may ask, what comes back, and what else they can do for a provider.

The dialect is PostgreSQL's with PostGIS, whatever the engine: columns of type geography (longitude, latitude
on WGS84) measure in metres and square metres, as in https://postgis.net/docs/using_postgis_dbmanagement.html.
The values of a result are plain ones, the same for every engine, whatever its library returns.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from map_tools.providers.base import Spot
from map_tools.types import Frozen, NearbyPlace, Place, Shape

if TYPE_CHECKING:
    from map_tools.spatial_db.memory.engine import MemoryEngine


Value = str | int | float | bool | None | list["Value"]
"""A value of a result. Points come as "POINT (longitude latitude)", other geometries are described."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table; `type` is PostgreSQL's name for it ("text", "bigint", "geography")."""

    name: str
    type: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table one may query.

    Attributes:
        name: Its name.
        columns: Its columns in order.
        rows: How many rows it has (a server's estimate after its last ANALYZE).
        geometry: Its column of type geography, None if it has none.
        geometry_types: What occurs in that column, in capital letters ("POINT", "MULTIPOLYGON").
        srid: The spatial reference of that column; 4326 is WGS84 in degrees.
    """

    name: str
    columns: tuple[Column, ...]
    rows: int
    geometry: str | None = None
    geometry_types: tuple[str, ...] = ()
    srid: int = 4326

    @property
    def is_points(self) -> bool:
        """True if the geometries are known to be points, all of them."""
        return self.geometry_types == ("POINT",)

    def column(self, name: str) -> Column | None:
        """The column of this name, None if there is none."""
        return next((column for column in self.columns if column.name == name), None)


@dataclass(frozen=True, slots=True)
class Schema:
    """The tables of a database."""

    tables: tuple[Table, ...]

    def table(self, name: str) -> Table | None:
        """The table of this name, None if there is none."""
        return next((table for table in self.tables if table.name == name), None)


@dataclass(frozen=True, slots=True)
class QueryResult:
    """The rows of a query.

    Attributes:
        columns: Their names.
        rows: The first rows, at most as many as asked for.
        truncated: True if there were more.
        sql_run: The SQL the engine was given, after checks and translation.
        notes: What a reader should know about the result ("`<->` orders by distance on a sphere").
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    truncated: bool
    sql_run: str
    notes: tuple[str, ...] = ()


DEFAULT_TIMEOUT_S = 60.0
"""The time-out of GS-QA's SQL baseline (section 5.1); Geo-ReAct uses 120 s (section 5.1)."""
DEFAULT_MAX_ROWS = 20
"""The row limit of GS-QA's SQL baseline."""


class SpatialDatabase(Protocol):
    """A database of map features that can only be read. Several queries may run at the same time."""

    @property
    def name(self) -> str:
        """Name of the engine: "duckdb" or "postgis"."""
        ...

    def schema(self) -> Schema:
        """The tables, as they were when the database was opened."""
        ...

    async def query(
        self, sql: str, *, timeout_s: float = DEFAULT_TIMEOUT_S, max_rows: int = DEFAULT_MAX_ROWS
    ) -> QueryResult:
        """The first rows of one SELECT statement.

        Args:
            sql: One SELECT (or WITH ... SELECT) in PostGIS dialect.
            timeout_s: Seconds after which the statement is stopped.
            max_rows: How many rows at most.

        Raises:
            QueryRefusedError: The statement is not allowed, or this engine has no equal of it.
            QueryError: The engine could not carry it out, or not in time.
        """
        ...

    def close(self) -> None:
        """Stops what is running and lets the database go."""
        ...


_DECIMALS = 6
"""Decimals of a degree in a shown point: a tenth of a metre."""
_MAX_DIGITS = 300
"""Of a whole number: a float has no more, and Python refuses to write one of 4,300."""
MAX_TEXT = 10_000
"""Characters of one value; what is longer is cut."""


def plain(value: Any) -> Value:
    """A value as text, number, truth value, list or None."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Decimal):
        return _number(value)
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    text = str(value)
    return text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]}... ({len(text)} characters)"


def _number(value: Decimal) -> Value:
    if not value.is_finite():
        return float(value)
    if value.adjusted() > _MAX_DIGITS:
        return f"{value:.6e}"
    return int(value) if value == value.to_integral_value() else float(value)


def shown_geometry(wkb: bytes | str | None) -> Value:
    """A geometry given in well-known binary, or that in hexadecimal digits.

    A point is written out; anything else is described by its type, its number of points and its bounding box:
    SQL refers to it by id, and thousands of coordinates help nobody.
    """
    if wkb is None:
        return None
    import shapely

    geometry = shapely.from_wkb(wkb)
    if geometry.geom_type == "Point":
        return str(shapely.to_wkt(geometry, rounding_precision=_DECIMALS))
    west, south, east, north = (round(float(bound), _DECIMALS) for bound in geometry.bounds)
    count = shapely.get_num_coordinates(geometry)
    return f"{geometry.geom_type.upper()} of {count} points within {west} {south}, {east} {north}"


def plain_rows(rows: Iterable[tuple[Any, ...]], geometries: frozenset[int]) -> tuple[tuple[Value, ...], ...]:
    """All values of all rows; `geometries` are the numbers of the columns that hold geometries."""
    return tuple(
        tuple(
            shown_geometry(value) if number in geometries else plain(value)
            for number, value in enumerate(row)
        )
        for row in rows
    )


Relation = Literal["around", "inside", "touching"]
"""Around a spot; inside an area, outlines by the point that stands for them; or with any part in it."""


class FeatureSearch(Frozen):
    """What is looked for among all features of a database.

    Attributes:
        words: A kind in words, with what it must be like ("Thai restaurant with outdoor seating"), or a name.
        center: Where distances are from.
        area: The area that is searched: the id of a place, or an outline.
        radius_m: Greatest distance from the centre; None: any.
        sector: Middle and half of the directions, in degrees, as seen from the centre. Features that are more
            than points may lie outside of it: which of their points counts is for the caller to say.
        limit: How many of the nearest are wanted; None: all.
    """

    words: str
    relation: Relation = "around"
    center: Spot | None = None
    area: str | Shape | None = None
    radius_m: float | None = None
    sector: tuple[float, float] | None = None
    limit: int | None = None


class FeatureList(Frozen):
    """What was found.

    Attributes:
        items: By distance where there is a centre, else in the order of the tables.
        complete: There are no more.
        kinds: What the words were taken for, as conditions on columns; empty where they are a name.
    """

    items: tuple[NearbyPlace, ...]
    complete: bool = True
    kinds: tuple[str, ...] = ()


class NamedPlaces(Frozen):
    """All places that words can mean; `exact`: the words are their name to the letter."""

    places: tuple[Place, ...]
    exact: bool = True


@runtime_checkable
class SearchesFeatures(Protocol):
    """A provider that searches all of its features as a spatial database does."""

    async def named(self, words: str, *, region: bool = False) -> NamedPlaces:
        """All places that words mean: a name, with city and state behind commas, an id, a corner.

        Args:
            words: The words.
            region: Whether something with an outline is wanted.

        Raises:
            PlaceNotFoundError: Nothing is called like this.
        """
        ...

    async def features(self, search: FeatureSearch) -> FeatureList:
        """All features that a search finds.

        Raises:
            UnsupportedError: The area has no outline.
        """
        ...


CACHE_FOLDER = "spatial"
"""Where, below the data home, databases in memory are kept."""
DIRECTIONS = "directions"
"""Note of a database that says what "north of" means in it (`HALVES`); without it, octants are meant."""
HALVES = "sides"
"""Value of that note: anywhere further north, as in the queries of MapQA (Li et al., 2025)."""


@runtime_checkable
class HasEngine(Protocol):
    """A provider that brings its spatial database along."""

    @property
    def engine(self) -> "MemoryEngine":
        """The database."""
        ...
