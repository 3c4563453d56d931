"""Rules for PostGIS's functions, operators and casts."""

import math
from collections.abc import Callable

from sqlglot import exp

from map_tools.spatial_db.duckdb_build import LAT, LON, REDUCED
from map_tools.spatial_db.translate.constants import (
    FLATTENING,
    WGS84,
    check_edges,
    is_wgs84,
    literal_text,
    point_of,
    without_srid,
)
from map_tools.spatial_db.translate.context import Context, Rule, between, both, call, refused
from map_tools.spatial_db.translate.functions import SpatialFunction, function_named, name_of
from map_tools.spatial_db.translate.kinds import Geo, Kind, cast_kind
from map_tools.spatial_db.translate.sources import BaseColumn

_RELATIONS = frozenset(
    {"st_intersects", "st_covers", "st_coveredby", "st_within", "st_contains", "st_equals"}
)
"""Relations that only hold where the boxes of both geometries meet."""
_MOST_LEVELS = 5
"""Inner queries that a constant is followed through."""
_COVERED = {"st_covers": 1, "st_coveredby": 0}
"""Which argument is the covered one."""
_SPHERE_NOTE = "<-> orders geographies by their distance on a sphere, as PostGIS does; ST_Distance is exact."


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
    kind, geos = _kind(function, arguments, context)
    if kind is Kind.GEOGRAPHY and function.name in _COVERED:
        _check_covered(function.name, geos)
    target = function.geometry if kind is Kind.GEOMETRY else function.geography
    if function.points is not None and all(geo is not None and geo.points for geo in geos):
        target = function.points if kind is Kind.GEOGRAPHY or function.geography is None else target
    if target is None:
        advice = f"{function.name} is not defined for geography here: cast its arguments with ::geometry."
        raise refused(f"The embedded database has no {function.name} for {kind}.", function.refusal or advice)
    found = call(target, *_geometries(arguments[: function.geometries]), *arguments[function.geometries :])
    return _boxed(function.name, found, arguments, geos) if function.name in _RELATIONS else found


def _check_covered(name: str, geos: list[Geo | None]) -> None:
    """PostGIS can tell of geographies whether an outline covers a point; of outlines it finds too few."""
    covered = geos[_COVERED[name]]
    covering = geos[1 - _COVERED[name]]
    if covered is None or not covered.points or covering is None or covering.points:
        raise refused(
            f"{name} of geographies works for a point in an outline only.",
            "Cast both arguments with ::geometry, or use ST_Intersects.",
        )


def _kind(
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


def _geometries(arguments: list[exp.Expr]) -> list[exp.Expr]:
    """Arguments with bare texts read as geometries."""
    return [
        _from_text(text, argument) if (text := literal_text(argument)) is not None else argument
        for argument in arguments
    ]


def _from_text(text: str, at: exp.Expr) -> exp.Expr:
    return exp.Cast(this=exp.Literal.string(without_srid(text, at)), to=exp.DataType.build("GEOMETRY"))


# --- boxes, which indexes and minima and maxima serve


def _boxed(name: str, found: exp.Expr, arguments: list[exp.Expr], geos: list[Geo | None]) -> exp.Expr:  # noqa: ARG001
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


def _in_box(base: BaseColumn, other: exp.Expr, metres: exp.Expr) -> tuple[exp.Expr, ...]:
    """A table's column lies in the box that holds everything within some metres of another geometry."""
    if not base.table.is_points:
        column = exp.column(base.name, table=base.alias)
        return (exp.ArrayOverlaps(this=column, expression=call("mg_box", other, metres)),)
    return (
        between(
            exp.column(LON, table=base.alias), call("mg_west", other, metres), call("mg_east", other, metres)
        ),
        between(
            exp.column(LAT, table=base.alias),
            call("mg_south", other, metres),
            call("mg_north", other, metres),
        ),
    )


# --- functions with a rule of their own


def _dwithin(arguments: list[exp.Expr], context: Context) -> exp.Expr:
    function = function_named("st_dwithin")
    distance = function_named("st_distance")
    assert function is not None  # noqa: S101 - rows of our own table
    assert distance is not None  # noqa: S101
    metres = arguments[2]
    if len(arguments) == 4 and not _is_true(arguments[3]):
        raise refused("ST_DWithin on a sphere has no equal here.", "Leave out the last argument.")
    kind, geos = _kind(function, arguments, context)
    if kind is Kind.GEOMETRY:
        return call("ST_DWithin", *_geometries(arguments[:2]), metres)
    sides = _geometries(arguments[:2])
    points = all(geo is not None and geo.points for geo in geos)
    exact = exp.LTE(
        this=call("mg_point_distance" if points else "mg_distance", *sides),
        expression=exp.Paren(this=metres.copy()),
    )
    for geo, other in zip(geos, reversed(sides), strict=True):
        if geo is not None and geo.base is not None:
            return both(*_in_box(geo.base, other, metres), exact)
    return exp.Paren(this=exact)


def _is_true(node: exp.Expr) -> bool:
    return isinstance(node, exp.Boolean) and bool(node.this)


def _azimuth(arguments: list[exp.Expr], context: Context) -> exp.Expr:
    function = function_named("st_azimuth")
    assert function is not None  # noqa: S101 - a row of our own table
    kind, geos = _kind(function, arguments, context)
    sides = _geometries(arguments)
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
    return call("mg_azimuth_reduced", *parts)


def _constant_point(side: exp.Expr, context: Context) -> tuple[float, float] | None:
    """A point that is written out, here or in the inner query without tables that the column comes from."""
    for _ in range(_MOST_LEVELS):
        if not isinstance(side, exp.Column):
            return point_of(side)
        origin = context.sources.of(side)
        if not isinstance(origin, exp.Expr):
            return None
        select = origin.find_ancestor(exp.Select)
        if select is None or select.args.get("from_") is not None:
            return None
        side = origin.unalias()
    return None


def _azimuth_of_constants(start: tuple[float, float], end: tuple[float, float]) -> exp.Expr:
    """The azimuth between two known points; spares the engine hundreds of small sums."""
    from geographiclib.geodesic import Geodesic

    if start == end:
        return exp.Null()
    degrees = Geodesic.WGS84.Inverse(start[1], start[0], end[1], end[0], Geodesic.AZIMUTH)["azi1"]
    return exp.Literal.number(math.radians(degrees % 360))


def _lon_and_reduced(
    geo: Geo | None, side: exp.Expr, point: tuple[float, float] | None
) -> tuple[exp.Expr, exp.Expr]:
    """Longitude and the tangent of the reduced latitude (see `macros.sql`) of a point."""
    if geo is not None and geo.base is not None and geo.base.table.is_points:
        return exp.column(LON, table=geo.base.alias), exp.column(REDUCED, table=geo.base.alias)
    if point is not None:
        reduced = (1 - FLATTENING) * math.tan(math.radians(point[1]))
        return exp.Literal.number(point[0]), exp.Literal.number(reduced)
    return call("ST_X", side), call("mg_reduced", call("ST_Y", side))


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
        return _from_text(text, arguments[0])
    return exp.Cast(this=arguments[0].copy(), to=exp.DataType.build("GEOMETRY"))


def _text_geography(arguments: list[exp.Expr], context: Context) -> exp.Expr:
    check_edges(arguments[0])
    return _text_geometry(arguments, context)


def _set_srid(arguments: list[exp.Expr], context: Context) -> exp.Expr:
    _kind_is_geometry("st_setsrid", arguments[:1], context)
    if not is_wgs84(arguments[1]):
        raise _other_srid()
    return arguments[0].copy()


def _transform(arguments: list[exp.Expr], context: Context) -> exp.Expr:
    _kind_is_geometry("st_transform", arguments[:1], context)
    if not is_wgs84(arguments[1]):
        raise refused(
            "The embedded database has no other coordinate system than 4326, and lengths and areas in 3857"
            " are no true metres.",
            "Measure on geography: ST_Area(x::geography), ST_Distance(a::geography, b::geography).",
        )
    return arguments[0].copy()


def _srid(arguments: list[exp.Expr], context: Context) -> exp.Expr:
    _kind_is_geometry("st_srid", arguments, context)
    return exp.Literal.number(WGS84)


def _centroid(arguments: list[exp.Expr], context: Context) -> exp.Expr:
    function = function_named("st_centroid")
    assert function is not None  # noqa: S101 - a row of our own table
    geo = context.kinds.of(arguments[0])
    if geo is not None and geo.kind is Kind.GEOGRAPHY and geo.points:
        return arguments[0].copy()
    return _by_table(function, arguments, context)


def _kind_is_geometry(name: str, arguments: list[exp.Expr], context: Context) -> None:
    function = function_named(name)
    assert function is not None  # noqa: S101 - a row of our own table
    kind, _ = _kind(function, arguments, context)
    if kind is Kind.GEOGRAPHY and function.refusal and literal_text(arguments[0]) is None:
        raise refused(f"{name} is given a geography.", function.refusal)


def _other_srid() -> Exception:
    return refused(
        "The embedded database has no other coordinate system than 4326 (longitude, latitude).", "Write 4326."
    )


_OWN_RULES: dict[str, Callable[[list[exp.Expr], Context], exp.Expr]] = {
    "st_dwithin": _dwithin,
    "st_azimuth": _azimuth,
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
    "st_centroid": _centroid,
}


# --- operators and casts


def nearest(node: exp.Distance, context: Context) -> exp.Expr:
    """`a <-> b`: planar distance of geometries, distance on the sphere of geographies."""
    distance = function_named("st_distance")
    assert distance is not None  # noqa: S101 - a row of our own table
    sides = [node.this, node.expression]
    kind, geos = _kind(distance, sides, context)
    if kind is Kind.GEOMETRY:
        return call("ST_Distance", *_geometries(sides))
    context.note(_SPHERE_NOTE)
    points = all(geo is not None and geo.points for geo in geos)
    return call("mg_point_knn" if points else "mg_knn", *_geometries(sides))


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
    left, right = _geometries(sides)
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
        return _from_text(text, node.this)
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


RULES = (
    Rule(exp.Min, extreme),
    Rule(exp.Max, extreme),
    Rule(exp.Cast, spatial_cast),
    Rule(exp.Func, spatial_function),
    Rule(exp.Distance, nearest),
    Rule(exp.ArrayOverlaps, boxes_overlap),
)
