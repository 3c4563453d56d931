"""Which of PostGIS's overloads a call means, and its arguments as DuckDB's geometries."""

from sqlglot import exp

from map_tools.spatial_db.translate.constants import literal_text, without_srid
from map_tools.spatial_db.translate.context import Context, refused
from map_tools.spatial_db.translate.functions import SpatialFunction, row_of
from map_tools.spatial_db.translate.kinds import Geo, Kind


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
