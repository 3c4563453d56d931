"""Constants in SQL: well-known texts, coordinate systems, and outlines that the plane would distort."""

import re

from sqlglot import exp

from map_tools.errors import QueryRefusedError
from map_tools.spatial_db.translate.functions import name_of

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
