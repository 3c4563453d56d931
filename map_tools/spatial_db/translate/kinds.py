"""Works out which parts of a query are geometries, of which of PostGIS's types, and where they come from."""

from dataclasses import dataclass, replace
from enum import StrEnum

from sqlglot import exp

from map_tools.spatial_db.port import Schema
from map_tools.spatial_db.translate.functions import function_named, name_of
from map_tools.spatial_db.translate.sources import BaseColumn, Sources


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
