"""What rules share: knowledge of the query, PostGIS's overloads, constants, and short ways to build SQL."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlglot import exp

from map_tools.errors import QueryRefusedError
from map_tools.spatial_db.port import Schema
from map_tools.spatial_db.translate.kinds import Geo, Kind, Kinds, Sources, SpatialFunction, name_of, row_of


class Context:
    """One translation on its way."""

    def __init__(self, tree: exp.Query, schema: Schema) -> None:
        self.schema = schema
        self.sources = Sources(tree, schema)
        self.kinds = Kinds(tree, schema)
        self.notes: list[str] = []

    def note(self, text: str) -> None:
        """Adds a note to the result, once."""
        if text not in self.notes:
            self.notes.append(text)


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: the node it is for, and a function that gives what takes its place (None: not this one)."""

    node: type[exp.Expr]
    apply: Callable[[Any, Context], exp.Expr | None]


def call(name: str, *arguments: exp.Expr) -> exp.Anonymous:
    """A call of a function, with copies of the arguments."""
    return exp.Anonymous(this=name, expressions=[argument.copy() for argument in arguments])


def both(*conditions: exp.Expr) -> exp.Paren:
    """All conditions, in this order, in parentheses."""
    return exp.Paren(this=exp.and_(*conditions, copy=False, wrap=False))


def between(value: exp.Expr, low: exp.Expr, high: exp.Expr) -> exp.Between:
    """`value BETWEEN low AND high`."""
    return exp.Between(this=value, low=low, high=high)


def refused(what: str, remedy: str) -> QueryRefusedError:
    """The error of something that the embedded database has no equal of."""
    return QueryRefusedError(what, remedy)


def overload(
    function: SpatialFunction, arguments: list[exp.Expr], context: Context
) -> tuple[Kind, list[Geo | None]]:
    """Which of PostGIS's overloads is meant: one geography among the arguments makes geographies of all."""
    geos = [context.kinds.of(argument) for argument in arguments[: function.geometries]]
    for argument, geo in zip(arguments, geos, strict=False):
        if geo is None and literal_text(argument) is None:
            raise refused(
                f"It is not clear whether {argument.sql('postgres')[:60]} is a geometry or a geography.",
                "Cast it: ::geography for metres, ::geometry for degrees.",
            )
    known = {geo.kind for geo in geos if geo is not None}
    if len(known) == 2 and function.geography is None:
        raise refused(
            f"{function.name} is given a geometry and a geography.",
            function.refusal or "Cast both to ::geometry.",
        )
    return (Kind.GEOMETRY if known == {Kind.GEOMETRY} else Kind.GEOGRAPHY), geos


def check_geometry(name: str, arguments: list[exp.Expr], context: Context) -> None:
    """Raises if a function of geometries is given a geography.

    Raises:
        QueryRefusedError: Says what to write instead.
    """
    function = row_of(name)
    kind, _ = overload(function, arguments, context)
    if kind is Kind.GEOGRAPHY and function.refusal and literal_text(arguments[0]) is None:
        raise refused(f"{name} is given a geography.", function.refusal)


def as_geometries(arguments: list[exp.Expr]) -> list[exp.Expr]:
    """Arguments with bare texts read as geometries."""
    return [
        from_text(text, argument) if (text := literal_text(argument)) is not None else argument
        for argument in arguments
    ]


def from_text(text: str, at: exp.Expr) -> exp.Expr:
    """A well-known text as a geometry.

    Raises:
        QueryRefusedError: It is not in WGS84.
    """
    return exp.Cast(this=exp.Literal.string(without_srid(text, at)), to=exp.DataType.build("GEOMETRY"))


WGS84 = 4326
FLATTENING = 1 / 298.257223563
"""Of the WGS84 ellipsoid."""
_TEXT_FUNCTIONS = frozenset({"st_geomfromtext", "st_geometryfromtext", "st_pointfromtext", "st_geogfromtext"})
_SRID = re.compile(r"\s*SRID\s*=\s*(\d+)\s*;", re.IGNORECASE)
_NUMBER = r"(-?(?:[0-9]+\.?[0-9]*|\.[0-9]+))"
_POINT = re.compile(rf"\s*POINT\s*\(\s*{_NUMBER}\s+{_NUMBER}\s*\)\s*", re.IGNORECASE)
MAX_EDGE_DEG = 1.0
"""PostGIS joins the corners of a geography by great circles, DuckDB by straight lines in degrees. For an edge
of one degree of longitude the two are at most 120 m apart, dlon^2 / 8 sin(lat) cos(lat) radius at 45 degrees;
in tests over real places no answer differed up to there, and 0.5 % did at seven degrees."""


def literal_text(node: exp.Expr) -> str | None:
    """The text of a text literal, None for anything else."""
    while isinstance(node, exp.Paren):
        node = node.this
    return str(node.name) if isinstance(node, exp.Literal) and node.is_string else None


def point_of(node: exp.Expr) -> tuple[float, float] | None:
    """Longitude and latitude of a constant such as CAST('POINT(1 2)' AS GEOMETRY), None for anything else.

    It may be written in PostGIS's words still: ST_GeomFromText('POINT(1 2)', 4326)::geography.
    """
    inner = node
    while isinstance(inner, exp.Cast | exp.Paren) or name_of(inner) in _TEXT_FUNCTIONS:
        parts = [inner.this] if isinstance(inner, exp.Cast | exp.Paren) else list(inner.iter_expressions())
        if not all(map(is_wgs84, parts[1:])):
            return None
        inner = parts[0]
    text = literal_text(inner) if inner is not node else None
    match = _POINT.fullmatch(text) if text is not None else None
    return (float(match[1]), float(match[2])) if match else None


def is_wgs84(node: exp.Expr) -> bool:
    """True for the number 4326."""
    return isinstance(node, exp.Literal) and node.name == str(WGS84)


def without_srid(text: str, at: exp.Expr) -> str:
    """A well-known text without "SRID=4326;" before it.

    Raises:
        QueryRefusedError: It names another coordinate system.
    """
    match = _SRID.match(text)
    if match is None:
        return text
    if int(match[1]) != WGS84:
        raise QueryRefusedError(
            f"{at.sql('postgres')[:60]} is not in WGS84.", "Write longitude and latitude with SRID 4326."
        )
    return text[match.end() :]


def double(value: float) -> exp.Literal:
    """A number with an exponent, for DuckDB takes one without for a decimal and sums of those overflow."""
    return exp.Literal(this=f"{value:.16e}", is_string=False)


def check_edges(node: exp.Expr) -> None:
    """Raises if a constant outline becomes a geography although its edges are too long for straight ones.

    Raises:
        QueryRefusedError: Says what to write instead.
    """
    texts = (literal.name for literal in node.find_all(exp.Literal) if literal.is_string)
    longest = max((_longest_edge(text) for text in texts), default=0.0)
    for envelope in node.find_all(exp.Anonymous):
        if envelope.name.lower() == "st_makeenvelope":
            longest = max(longest, _width(envelope))
    if longest > MAX_EDGE_DEG:
        raise QueryRefusedError(
            f"An outline with an edge over {longest:.1f} degrees of longitude follows great circles as"
            " a geography, which the embedded database cannot do.",
            "Compare geometries instead (x::geometry), or use a region of the table regions.",
        )


def _longest_edge(text: str) -> float:
    """Degrees of longitude of the longest edge in a well-known text; 0 for a point or what is none."""
    bare = _SRID.sub("", text).strip()
    if not bare.upper().startswith(("POLYGON", "LINESTRING", "MULTIPOLYGON", "MULTILINESTRING")):
        return 0.0
    import numpy as np
    import shapely

    try:
        coordinates = shapely.get_coordinates(shapely.from_wkt(bare))
    except shapely.errors.GEOSException:
        return 0.0  # the engine says what is wrong with it
    return float(np.abs(np.diff(coordinates[:, 0])).max(initial=0.0))


def _width(envelope: exp.Anonymous) -> float:
    numbers = [
        part.name if isinstance(part, exp.Literal) else part.sql() for part in envelope.expressions[:3]
    ]
    try:
        return abs(float(numbers[2]) - float(numbers[0]))
    except (ValueError, IndexError):
        return float("inf")
