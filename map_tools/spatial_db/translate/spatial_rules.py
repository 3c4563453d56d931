"""Rules for calls of PostGIS's functions: by their row in the table, or a rule of their own."""

from collections.abc import Callable, Mapping

from sqlglot import exp

from map_tools.spatial_db.translate import constructors, operators
from map_tools.spatial_db.translate.azimuths import azimuth, azimuth_around_north, azimuth_between
from map_tools.spatial_db.translate.boxes import boxed, in_box
from map_tools.spatial_db.translate.context import Context, Rule, both, call, refused
from map_tools.spatial_db.translate.functions import SpatialFunction, function_named, name_of, row_of
from map_tools.spatial_db.translate.kinds import Geo, Kind
from map_tools.spatial_db.translate.overloads import as_geometries, overload

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


_OWN_RULES: Mapping[str, Callable[[list[exp.Expr], Context], exp.Expr]] = {
    **constructors.RULES,
    "st_dwithin": _dwithin,
    "st_azimuth": azimuth,
    "st_centroid": _centroid,
}

RULES = (
    *operators.RULES,
    Rule(exp.Between, azimuth_between),
    Rule(exp.Or, azimuth_around_north),
    Rule(exp.Func, spatial_function),
)
