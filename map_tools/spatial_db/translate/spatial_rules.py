"""Rules for PostGIS's functions, operators and casts: by their row in the table, or a rule of their own.

Boxes around geometries are served by indexes, minima and maxima, so where a relation allows it they are tested first.
"""

import math
from collections.abc import Callable, Iterator, Mapping

from sqlglot import exp

from map_tools.errors import QueryRefusedError
from map_tools.spatial_db.duckdb_build import LAT, LON
from map_tools.spatial_db.translate.azimuths import azimuth, azimuth_around_north, azimuth_between
from map_tools.spatial_db.translate.context import (
    WGS84,
    Context,
    Rule,
    as_geometries,
    between,
    both,
    call,
    check_edges,
    check_geometry,
    double,
    from_text,
    is_wgs84,
    literal_text,
    overload,
    point_of,
    refused,
)
from map_tools.spatial_db.translate.kinds import (
    BaseColumn,
    Geo,
    Kind,
    SpatialFunction,
    cast_kind,
    function_named,
    name_of,
    row_of,
)

_RELATIONS = frozenset(
    {"st_intersects", "st_covers", "st_coveredby", "st_within", "st_contains", "st_equals"}
)
"""Relations that only hold where the boxes of both geometries meet."""
_COVERED = {"st_covers": 1, "st_coveredby": 0}
"""Which argument is the covered one."""


def spatial_function(node: exp.Func, context: Context) -> exp.Expr | None:
    """A call of a PostGIS function, by its row in the table and its own rule if it has one."""
    name = name_of(node)
    function = function_named(name)
    if function is None:
        if name.startswith("st_"):
            raise refused(
                f"The embedded database has no equal of {name}.", "Use ST_Distance, ST_DWithin, ST_Area, ..."
            )
        return None
    arguments: list[exp.Expr] = list(node.iter_expressions())
    if len(arguments) not in function.arguments:
        counts = " or ".join(str(count) for count in function.arguments)
        raise refused(
            f"{name} takes {counts} arguments here, not {len(arguments)}.",
            function.refusal or "Look its arguments up in PostGIS's reference.",
        )
    own_rule = _OWN_RULES.get(name)
    if own_rule is not None:
        return own_rule(arguments, context)
    return _by_table(function, arguments, context)


def _by_table(function: SpatialFunction, arguments: list[exp.Expr], context: Context) -> exp.Expr:
    kind, geos = overload(function, arguments, context)
    if kind is Kind.GEOGRAPHY and function.name in _COVERED:
        _check_covered(function.name, geos)
    target = function.geometry if kind is Kind.GEOMETRY else function.geography
    if function.points is not None and all(geo is not None and geo.points for geo in geos):
        target = function.points if kind is Kind.GEOGRAPHY or function.geography is None else target
    if target is None:
        advice = f"{function.name} is not defined for geography here: cast its arguments with ::geometry."
        raise refused(f"The embedded database has no {function.name} for {kind}.", function.refusal or advice)
    found = call(target, *as_geometries(arguments[: function.geometries]), *arguments[function.geometries :])
    return boxed(function.name, found, arguments, geos) if function.name in _RELATIONS else found


def _check_covered(name: str, geos: list[Geo | None]) -> None:
    """PostGIS can tell of geographies whether an outline covers a point; of outlines it finds too few."""
    covered = geos[_COVERED[name]]
    covering = geos[1 - _COVERED[name]]
    if covered is None or not covered.points or covering is None or covering.points:
        raise refused(
            f"{name} of geographies works for a point in an outline only.",
            "Cast both arguments with ::geometry, or use ST_Intersects.",
        )


def _dwithin(arguments: list[exp.Expr], context: Context) -> exp.Expr:
    function = row_of("st_dwithin")
    metres = arguments[2]
    if len(arguments) == 4 and not _is_true(arguments[3]):
        raise refused("ST_DWithin on a sphere has no equal here.", "Leave out the last argument.")
    kind, geos = overload(function, arguments, context)
    if kind is Kind.GEOMETRY:
        return call("ST_DWithin", *as_geometries(arguments[:2]), metres)
    sides = as_geometries(arguments[:2])
    points = all(geo is not None and geo.points for geo in geos)
    exact = exp.LTE(
        this=call("mg_point_distance" if points else "mg_distance", *sides),
        expression=exp.Paren(this=metres.copy()),
    )
    for geo, other in zip(geos, reversed(sides), strict=True):
        if geo is not None and geo.base is not None:
            return both(*in_box(geo.base, other, metres), exact)
    return exp.Paren(this=exact)


def _is_true(node: exp.Expr) -> bool:
    return isinstance(node, exp.Boolean) and bool(node.this)


def _centroid(arguments: list[exp.Expr], context: Context) -> exp.Expr:
    function = row_of("st_centroid")
    geo = context.kinds.of(arguments[0])
    if geo is not None and geo.kind is Kind.GEOGRAPHY and geo.points:
        return arguments[0].copy()
    return _by_table(function, arguments, context)


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


def _point(arguments: list[exp.Expr], context: Context) -> exp.Expr:  # noqa: ARG001
    if len(arguments) == 3 and not is_wgs84(arguments[2]):
        raise _other_srid()
    return call("ST_Point", *arguments[:2])


def _envelope(arguments: list[exp.Expr], context: Context) -> exp.Expr:  # noqa: ARG001
    if len(arguments) == 5 and not is_wgs84(arguments[4]):
        raise _other_srid()
    return call("ST_MakeEnvelope", *arguments[:4])


def _text_geometry(arguments: list[exp.Expr], context: Context) -> exp.Expr:  # noqa: ARG001
    if len(arguments) == 2 and not is_wgs84(arguments[1]):
        raise _other_srid()
    text = literal_text(arguments[0])
    if text is not None:
        return from_text(text, arguments[0])
    return exp.Cast(this=arguments[0].copy(), to=exp.DataType.build("GEOMETRY"))


def _text_geography(arguments: list[exp.Expr], context: Context) -> exp.Expr:
    check_edges(arguments[0])
    return _text_geometry(arguments, context)


def _set_srid(arguments: list[exp.Expr], context: Context) -> exp.Expr:
    check_geometry("st_setsrid", arguments[:1], context)
    if not is_wgs84(arguments[1]):
        raise _other_srid()
    return arguments[0].copy()


def _transform(arguments: list[exp.Expr], context: Context) -> exp.Expr:
    check_geometry("st_transform", arguments[:1], context)
    if not is_wgs84(arguments[1]):
        raise refused(
            "The embedded database has no other coordinate system than 4326, and lengths and areas in 3857"
            " are no true metres.",
            "Measure on geography: ST_Area(x::geography), ST_Distance(a::geography, b::geography).",
        )
    return arguments[0].copy()


def _srid(arguments: list[exp.Expr], context: Context) -> exp.Expr:
    check_geometry("st_srid", arguments, context)
    return exp.Literal.number(WGS84)


def _other_srid() -> QueryRefusedError:
    return refused(
        "The embedded database has no other coordinate system than 4326 (longitude, latitude).", "Write 4326."
    )


_CONSTRUCTORS: Mapping[str, Callable[[list[exp.Expr], Context], exp.Expr]] = {
    "st_point": _point,
    "st_makepoint": _point,
    "st_makeenvelope": _envelope,
    "st_geomfromtext": _text_geometry,
    "st_geometryfromtext": _text_geometry,
    "st_pointfromtext": _text_geometry,
    "st_polygonfromtext": _text_geometry,
    "st_linefromtext": _text_geometry,
    "st_geomfromewkt": _text_geometry,
    "st_geogfromtext": _text_geography,
    "st_geographyfromtext": _text_geography,
    "st_setsrid": _set_srid,
    "st_transform": _transform,
    "st_srid": _srid,
}
"""By the name of the function."""


_SPHERE_NOTE = "<-> orders geographies by their distance on a sphere, as PostGIS does; ST_Distance is exact."


def nearest(node: exp.Distance, context: Context) -> exp.Expr:
    """`a <-> b`: planar distance of geometries, distance on the sphere of geographies."""
    distance = row_of("st_distance")
    sides = [node.this, node.expression]
    kind, geos = overload(distance, sides, context)
    if kind is Kind.GEOMETRY:
        return call("ST_Distance", *as_geometries(sides))
    context.note(_SPHERE_NOTE)
    points = all(geo is not None and geo.points for geo in geos)
    return call("mg_point_knn" if points else "mg_knn", *as_geometries(sides))


def boxes_overlap(node: exp.ArrayOverlaps, context: Context) -> exp.Expr | None:
    """`a && b`: the boxes of geometries; those of geographies lie in space, which DuckDB does not have."""
    sides = [node.this, node.expression]
    geos = [context.kinds.of(side) for side in sides]
    if all(geo is None for geo in geos):
        return None
    if any(geo is not None and geo.kind is Kind.GEOGRAPHY for geo in geos):
        raise refused(
            "&& on geography has no equal here.", "Use ST_Intersects, or cast both sides to ::geometry."
        )
    left, right = as_geometries(sides)
    return exp.ArrayOverlaps(this=left.copy(), expression=right.copy())


def spatial_cast(node: exp.Cast, context: Context) -> exp.Expr | None:
    """`x::geography` and `x::geometry` change what is measured, not the value."""
    kind = cast_kind(node)
    if kind is None:
        if context.kinds.of(node.this) is not None:
            raise refused(
                f"A geometry cannot be cast to {node.to.sql('postgres')} here.",
                "Use ST_AsText(x) for its text.",
            )
        return None
    if kind is Kind.GEOGRAPHY:
        check_edges(node.this)
    text = literal_text(node.this)
    if text is not None:
        return from_text(text, node.this)
    inner: exp.Expr = node.this
    if context.kinds.of(inner) is not None:
        return inner.copy()
    return exp.Cast(this=inner.copy(), to=exp.DataType.build("GEOMETRY"))


def extreme(node: exp.Func, context: Context) -> None:
    """PostGIS has no smallest or largest geometry; DuckDB would compare bytes."""
    if context.kinds.of(node.this) is not None:
        raise refused(
            "Geometries have no order.", "Take min or max of a measure: ST_Area(x), ST_Distance(a, b)."
        )


_OPERATORS = (
    Rule(exp.Min, extreme),
    Rule(exp.Max, extreme),
    Rule(exp.Cast, spatial_cast),
    Rule(exp.Distance, nearest),
    Rule(exp.ArrayOverlaps, boxes_overlap),
)


_OWN_RULES: Mapping[str, Callable[[list[exp.Expr], Context], exp.Expr]] = {
    **_CONSTRUCTORS,
    "st_dwithin": _dwithin,
    "st_azimuth": azimuth,
    "st_centroid": _centroid,
}


RULES = (
    *_OPERATORS,
    Rule(exp.Between, azimuth_between),
    Rule(exp.Or, azimuth_around_north),
    Rule(exp.Func, spatial_function),
)
