"""Rules for azimuths on the ellipsoid, which DuckDB has none of."""

import math

from sqlglot import exp

from map_tools.spatial_db.duckdb_build import LON, REDUCED
from map_tools.spatial_db.translate.context import (
    FLATTENING,
    Context,
    as_geometries,
    call,
    double,
    overload,
    point_of,
)
from map_tools.spatial_db.translate.kinds import Geo, Kind, row_of

_OF_POINTS = "mg_azimuth_reduced"
"""The macro for two points by their longitudes and the tangents of their reduced latitudes."""
_BETWEEN = "mg_azimuth_between"
_MOST_LEVELS = 5
"""Inner queries that a constant is followed through."""


def azimuth(arguments: list[exp.Expr], context: Context) -> exp.Expr:
    """ST_Azimuth: of constants worked out here, of points from plain numbers where the table keeps them."""
    function = row_of("st_azimuth")
    kind, geos = overload(function, arguments, context)
    sides = as_geometries(arguments)
    if kind is Kind.GEOMETRY:
        return call("ST_Azimuth", *sides)
    known = [_constant_point(side, context) for side in sides]
    if known[0] is not None and known[1] is not None:
        return _azimuth_of_constants(known[0], known[1])
    if not all(geo is None or geo.points for geo in geos):
        return call("mg_azimuth", *sides)
    parts = [
        part
        for geo, side, point in zip(geos, sides, known, strict=True)
        for part in _lon_and_reduced(geo, side, point)
    ]
    return call(_OF_POINTS, *parts)


def azimuth_between(node: exp.Between, context: Context) -> exp.Expr | None:
    """`degrees(ST_Azimuth(a, b)) BETWEEN low AND high`: most points are told apart without their azimuth."""
    degrees = node.this.unnest()
    inner = degrees.this if isinstance(degrees, exp.Degrees) else None
    if not isinstance(inner, exp.Anonymous) or inner.name != _OF_POINTS or node.args.get("symmetric"):
        return None
    bounds = ((node.args[key], _number(node.args[key], context)) for key in ("low", "high"))
    known = (bound if number is None else double(number) for bound, number in bounds)
    return call(_BETWEEN, *inner.expressions, *known)


def azimuth_around_north(node: exp.Or, context: Context) -> exp.Expr | None:
    """Two sectors that meet in the north ("BETWEEN 0 AND 22.5 OR ... BETWEEN 337.5 AND 360") are one."""
    sectors = [part.unnest() for part in (node.this, node.expression)]
    if not all(isinstance(sector, exp.Anonymous) and sector.name == _BETWEEN for sector in sectors):
        return None
    points, others = (sector.expressions[:4] for sector in sectors)
    bounds = [[_number(bound, context) for bound in sector.expressions[4:]] for sector in sectors]
    if points != others:
        return None
    match sorted(bounds, key=lambda pair: pair[0] or 0.0):
        case [[0.0, float(east)], [float(west), 360.0]] if east <= 180 <= west:
            parts = (double(west - 360), double(east))
            return call("mg_azimuth_around_north", *points, *parts)
    return None


def _written_out(node: exp.Expr, context: Context) -> exp.Expr | None:
    """A node, or the expression that its column stands for, if an inner query of one row has it."""
    for _ in range(_MOST_LEVELS):
        node = node.unnest()
        if not isinstance(node, exp.Column):
            return node
        origin = context.sources.of(node)
        if not isinstance(origin, exp.Expr) or not _has_one_row(origin.find_ancestor(exp.Select)):
            return None
        node = origin.unalias()
    return None


def _has_one_row(query: exp.Select | None) -> bool:
    """True for a query without tables that is no part of a UNION."""
    if query is None or query.args.get("from_") is not None:
        return False
    around = query.parent
    while isinstance(around, exp.Subquery | exp.Paren):
        around = around.parent
    return not isinstance(around, exp.SetOperation)


def _constant_point(side: exp.Expr, context: Context) -> tuple[float, float] | None:
    """A point that is written out, here or in the inner query that the column comes from."""
    node = _written_out(side, context)
    return point_of(node) if node is not None else None


def _number(bound: exp.Expr, context: Context) -> float | None:
    """A number that is written out, or a sum or difference of such numbers; None for anything else."""
    node = _written_out(bound, context)
    match node:
        case exp.Literal(is_string=False):
            return float(node.name)
        case exp.Neg() | exp.Degrees():
            inner = _number(node.this, context)
            return None if inner is None else -inner if isinstance(node, exp.Neg) else math.degrees(inner)
        case exp.Add() | exp.Sub():
            left, right = _number(node.this, context), _number(node.expression, context)
            if left is None or right is None:
                return None
            return left + right if isinstance(node, exp.Add) else left - right
    return None


def _azimuth_of_constants(start: tuple[float, float], end: tuple[float, float]) -> exp.Expr:
    """The azimuth between two known points; spares the engine hundreds of small sums."""
    from geographiclib.geodesic import Geodesic

    if start == end:
        return exp.Null()
    degrees = Geodesic.WGS84.Inverse(start[1], start[0], end[1], end[0], Geodesic.AZIMUTH)["azi1"]
    return double(math.radians(degrees % 360))


def _lon_and_reduced(
    geo: Geo | None, side: exp.Expr, point: tuple[float, float] | None
) -> tuple[exp.Expr, exp.Expr]:
    """Longitude and the tangent of the reduced latitude (see `macros.sql`) of a point."""
    if geo is not None and geo.base is not None and geo.base.table.is_points:
        return exp.column(LON, table=geo.base.alias), exp.column(REDUCED, table=geo.base.alias)
    if point is not None:
        reduced = (1 - FLATTENING) * math.tan(math.radians(point[1]))
        return double(point[0]), double(reduced)
    return call("ST_X", side), call("mg_reduced", call("ST_Y", side))
