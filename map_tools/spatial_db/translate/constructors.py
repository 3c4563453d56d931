"""Rules for functions that make a geometry, or set and tell its coordinate system."""

from collections.abc import Callable, Mapping

from sqlglot import exp

from map_tools.errors import QueryRefusedError
from map_tools.spatial_db.translate.constants import WGS84, check_edges, is_wgs84, literal_text
from map_tools.spatial_db.translate.context import Context, call, refused
from map_tools.spatial_db.translate.overloads import check_geometry, from_text


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


RULES: Mapping[str, Callable[[list[exp.Expr], Context], exp.Expr]] = {
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
