"""Boxes around geometries, which indexes, minima and maxima serve, so they are tested first."""

import math
from collections.abc import Iterator

from sqlglot import exp

from map_tools.spatial_db.duckdb_build import LAT, LON
from map_tools.spatial_db.translate.constants import double, point_of
from map_tools.spatial_db.translate.context import between, both, call
from map_tools.spatial_db.translate.kinds import Geo
from map_tools.spatial_db.translate.sources import BaseColumn


def boxed(name: str, found: exp.Expr, arguments: list[exp.Expr], geos: list[Geo | None]) -> exp.Expr:  # noqa: ARG001
    """A relation of a table's points with an area: first the area's box on plain numbers."""
    for argument, geo, other in zip(arguments, geos, reversed(arguments), strict=False):
        if argument is not other and geo is not None and geo.base is not None and geo.base.table.is_points:
            return both(*_within_bounds(geo.base, other), found)
    return found


def _within_bounds(base: BaseColumn, other: exp.Expr) -> tuple[exp.Expr, exp.Expr]:
    """A table's points lie within the bounds of another geometry."""
    return (
        between(exp.column(LON, table=base.alias), call("ST_XMin", other), call("ST_XMax", other)),
        between(exp.column(LAT, table=base.alias), call("ST_YMin", other), call("ST_YMax", other)),
    )


def in_box(base: BaseColumn, other: exp.Expr, metres: exp.Expr) -> tuple[exp.Expr, ...]:
    """A table's column lies in the box that holds everything within some metres of another geometry."""
    if not base.table.is_points:
        column = exp.column(base.name, table=base.alias)
        return (exp.ArrayOverlaps(this=column, expression=call("mg_box", other, metres)),)
    centre = point_of(other)
    sides: Iterator[exp.Expr]
    known_m = float(metres.name) if isinstance(metres, exp.Literal) and not metres.is_string else math.inf
    if centre is not None and math.isfinite(known_m):
        sides = map(double, around(*centre, known_m))
    else:
        sides = (call(macro, other, metres) for macro in ("mg_west", "mg_south", "mg_east", "mg_north"))
    west, south, east, north = sides
    return (
        between(exp.column(LON, table=base.alias), west, east),
        between(exp.column(LAT, table=base.alias), south, north),
    )


def around(lon: float, lat: float, metres: float) -> tuple[float, float, float, float]:
    """West, south, east and north as the macros of `macros.sql` work them out, which costs the engine 2 ms."""
    dy = metres / 110_500
    reach = abs(lat) + dy
    dx = 360.0 if reach >= 89 else metres / (111_000 * math.cos(math.radians(reach)))
    is_round = lon - dx < -180 or lon + dx > 180
    west, east = (-180.0, 180.0) if is_round else (lon - dx, lon + dx)
    return west, lat - dy, east, lat + dy
