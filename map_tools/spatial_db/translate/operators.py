"""Rules for PostGIS's operators and casts, and for aggregates that geometries have none of."""

from sqlglot import exp

from map_tools.spatial_db.translate.context import (
    Context,
    Rule,
    as_geometries,
    call,
    check_edges,
    from_text,
    literal_text,
    overload,
    refused,
)
from map_tools.spatial_db.translate.functions import row_of
from map_tools.spatial_db.translate.kinds import Kind, cast_kind

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


OPERATORS = (
    Rule(exp.Min, extreme),
    Rule(exp.Max, extreme),
    Rule(exp.Cast, spatial_cast),
    Rule(exp.Distance, nearest),
    Rule(exp.ArrayOverlaps, boxes_overlap),
)
