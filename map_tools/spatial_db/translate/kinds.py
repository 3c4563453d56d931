"""Works out which parts of a query are geometries, of which of PostGIS's types, and where they come from.

What each spatial function is in DuckDB, for geometries and geographies, and what it gives, the table of
`functions.toml` tells.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from typing import Any

from sqlglot import exp

from map_tools.spatial_db.port import Schema, Table

_CLASSES = {"stpoint": "st_point", "stdistance": "st_distance"}
"""Functions that sqlglot has a class for."""


@dataclass(frozen=True, slots=True)
class SpatialFunction:
    """One row of the table.

    Attributes:
        name: PostGIS's name in small letters.
        geometries: How many of its first arguments are geometries.
        arguments: How many arguments it may have.
        geometry: DuckDB's function for geometries, None if PostGIS or DuckDB has none.
        geography: DuckDB's function for geographies.
        points: DuckDB's function for geographies that are points, where there is a faster one.
        refusal: What to do instead where there is none.
        gives: The spatial type of its result: "geometry", "geography" or "same"; None if it is none.
        gives_points: True if its result is always a point.
    """

    name: str
    geometries: int
    arguments: tuple[int, ...]
    geometry: str | None = None
    geography: str | None = None
    points: str | None = None
    refusal: str | None = None
    gives: str | None = None
    gives_points: bool = False


def function_named(name: str) -> SpatialFunction | None:
    """The row of a function; None if the table has none."""
    return _table().get(name)


def row_of(name: str) -> SpatialFunction:
    """The row of a function that the table has.

    Raises:
        KeyError: It has none.
    """
    return _table()[name]


def name_of(node: exp.Expr) -> str:
    """The name a function was written with, in small letters."""
    if isinstance(node, exp.Anonymous):
        return str(node.name).lower()
    return _CLASSES.get(node.key, node.key)


@lru_cache(maxsize=1)
def _table() -> Mapping[str, SpatialFunction]:
    data: Mapping[str, Mapping[str, Any]] = tomllib.loads(
        (files(__package__) / "functions.toml").read_text("utf-8")
    )
    return {name: _row(name, entry) for name, entry in data.items()}


def _row(name: str, entry: Mapping[str, Any]) -> SpatialFunction:
    geometries = entry.get("geometries", 1)
    rest = {key: value for key, value in entry.items() if key not in {"geometries", "arguments"}}
    return SpatialFunction(name, geometries, tuple(entry.get("arguments", (geometries,))), **rest)


@dataclass(frozen=True, slots=True)
class BaseColumn:
    """A column of a table of the database, which goes by `alias` where it is used.

    `alias` is empty if the table is in an inner query, so that its other columns are out of reach.
    """

    alias: str
    table: Table
    name: str


Origin = BaseColumn | exp.Expr
"""A table's column, or the expression that an inner query gives the column's name to."""


class Sources:
    """The tables and inner queries of a query.

    Args:
        tree: The query.
        schema: The tables of the database.
    """

    def __init__(self, tree: exp.Query, schema: Schema) -> None:
        self._schema = schema
        self._ctes = {cte.alias.lower(): cte for cte in tree.find_all(exp.CTE)}

    def of(self, column: exp.Column) -> Origin | None:
        """Where a column comes from; None if that cannot be told (it may be an alias of the same query)."""
        select = column.find_ancestor(exp.Select)
        while select is not None:
            found = self._within(select, column.name.lower(), column.table.lower())
            if found is not None:
                return found
            select = select.find_ancestor(exp.Select)
        return None

    def base_tables(self, select: exp.Select) -> Iterator[BaseColumn]:
        """The database's own tables in FROM, each with its geometry column."""
        for source in _from(select):
            table = self._table(source) if isinstance(source, exp.Table) else None
            if table is not None:
                yield BaseColumn(source.alias_or_name, table, table.geometry or "")

    def _within(self, select: exp.Select, name: str, qualifier: str) -> Origin | None:
        for source in _from(select):
            if qualifier and source.alias_or_name.lower() != qualifier:
                continue
            found = self._in_source(source, name)
            if found is not None:
                return found
        return None

    def _in_source(self, source: exp.Expr, name: str) -> Origin | None:
        if isinstance(source, exp.Table):
            table = self._table(source)
            if table is not None:
                return BaseColumn(source.alias_or_name, table, name) if table.column(name) else None
            cte = self._ctes.get(source.name.lower())
            return self._in_query(cte.this, name, _column_names(cte)) if cte is not None else None
        if isinstance(source, exp.Subquery | exp.Lateral) and source.this is not None:
            inner = source.this.this if isinstance(source.this, exp.Subquery) else source.this
            return self._in_query(inner, name, _column_names(source))
        if isinstance(source, exp.Values) and source.expressions:
            first = source.expressions[0]
            names = _column_names(source)
            return first.expressions[names.index(name)] if name in names else None
        return None

    def _in_query(self, query: exp.Expr, name: str, names: list[str]) -> Origin | None:
        while isinstance(query, exp.SetOperation | exp.Subquery):
            query = query.this
        if not isinstance(query, exp.Select):
            return None
        if name in names and names.index(name) < len(query.selects):
            return query.selects[names.index(name)]
        for projection in query.selects:
            if isinstance(projection, exp.Star):
                found = self._within(query, name, "")
            elif isinstance(projection, exp.Column) and isinstance(projection.this, exp.Star):
                found = self._within(query, name, projection.table.lower())
            else:
                found = projection if projection.alias_or_name.lower() == name else None
            if found is not None:
                return replace(found, alias="") if isinstance(found, BaseColumn) else found
        return None

    def _table(self, source: exp.Table) -> Table | None:
        if source.name.lower() in self._ctes:
            return None
        return self._schema.table(source.name.lower())


def _from(select: exp.Select) -> Iterator[exp.Expr]:
    """What stands in FROM and JOIN."""
    begin = select.args.get("from_") or select.args.get("from")
    if begin is not None:
        yield begin.this
    for join in select.args.get("joins") or ():
        yield join.this
    yield from select.args.get("laterals") or ()


def _column_names(source: exp.Expr) -> list[str]:
    """The names that `AS t(a, b)` gives to columns."""
    alias = source.args.get("alias")
    return [column.name.lower() for column in alias.columns] if isinstance(alias, exp.TableAlias) else []


class Kind(StrEnum):
    """PostGIS's two spatial types."""

    GEOMETRY = "geometry"
    """On the plane of longitude and latitude: degrees."""
    GEOGRAPHY = "geography"
    """On the ellipsoid: metres."""


@dataclass(frozen=True, slots=True)
class Geo:
    """What is known of a geometry in a query.

    Attributes:
        kind: Its type.
        points: True if it can only be a point.
        base: The table's column it is, as it stands there; None if it is computed.
    """

    kind: Kind
    points: bool = False
    base: BaseColumn | None = None


_CASTS = {exp.DataType.Type.GEOMETRY: Kind.GEOMETRY, exp.DataType.Type.GEOGRAPHY: Kind.GEOGRAPHY}


def cast_kind(node: exp.Cast) -> Kind | None:
    """The spatial type a cast leads to, None if it leads elsewhere."""
    target = node.to.this
    return _CASTS.get(target) if isinstance(target, exp.DataType.Type) else None


class Kinds:
    """The geometries of one query; must be made before the tree is changed.

    Args:
        tree: The query.
        schema: The tables.
    """

    def __init__(self, tree: exp.Query, schema: Schema) -> None:
        self._sources = Sources(tree, schema)
        self._nodes = list(tree.walk())  # keeps them alive: they are known by identity
        self._known: dict[int, Geo | None] = {}
        for node in self._nodes:
            self.of(node)

    def of(self, node: exp.Expr) -> Geo | None:
        """What a node is as a geometry; None if it is none."""
        key = id(node)
        if key not in self._known:
            self._known[key] = None  # while it is being worked out
            self._known[key] = self._work_out(node)
        return self._known[key]

    def pass_on(self, old: exp.Expr, new: exp.Expr) -> None:
        """A node that takes the place of another is the same geometry."""
        self._nodes.append(new)
        self._known[id(new)] = self._known.get(id(old))

    def _work_out(self, node: exp.Expr) -> Geo | None:
        match node:
            case exp.Paren() | exp.Alias():
                return self.of(node.this)
            case exp.Cast():
                return self._of_cast(node)
            case exp.Column():
                return self._of_column(node)
            case exp.Subquery():
                return self._first_of(node.this)
            case exp.Select():
                return self._first_of(node)
            case exp.Coalesce() | exp.Nullif():
                return self._computed(node.this)
            case exp.Case():
                branches = [branch.args["true"] for branch in node.args["ifs"]]
                return self._computed(branches[0])
            case exp.Func():
                return self._of_function(node)
        return None

    def _of_cast(self, node: exp.Cast) -> Geo | None:
        kind = cast_kind(node)
        if kind is None:
            return None
        inner = self.of(node.this)
        if inner is not None:
            return replace(inner, kind=kind)
        return Geo(kind, points=_is_point_text(node.this))

    def _of_column(self, column: exp.Column) -> Geo | None:
        source = self._sources.of(column)
        if isinstance(source, BaseColumn):
            if source.table.geometry != source.name:
                return None
            return Geo(Kind.GEOGRAPHY, points=source.table.is_points, base=source if source.alias else None)
        return self._computed(source) if source is not None else None

    def _first_of(self, query: exp.Expr) -> Geo | None:
        first = query.selects[0] if isinstance(query, exp.Query) and query.selects else None
        return self._computed(first) if first is not None else None

    def _computed(self, node: exp.Expr | None) -> Geo | None:
        """As another node, but no longer a table's column in place."""
        inner = self.of(node) if node is not None else None
        return replace(inner, base=None) if inner is not None else None

    def _of_function(self, node: exp.Func) -> Geo | None:
        function = function_named(name_of(node))
        if function is None or function.gives is None:
            return None
        arguments = [self.of(argument) for argument in node.iter_expressions()]
        if function.gives == "same":
            first = next(filter(None, arguments), None)
            return replace(first, base=None) if first else None
        points = function.gives_points or _is_point_text(next(iter(node.iter_expressions()), None))
        return Geo(Kind(function.gives), points=points)


def _is_point_text(node: exp.Expr | None) -> bool:
    """True for a literal such as 'POINT(1 2)' or 'SRID=4326;POINT(1 2)'."""
    if not isinstance(node, exp.Literal) or not node.is_string:
        return False
    text: str = node.name.rpartition(";")[2].strip().upper()
    return text.startswith("POINT")
