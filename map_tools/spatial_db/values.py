"""Plain values of a result from what a database library returns, the same for every engine."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from map_tools.spatial_db.port import Value

_DECIMALS = 6
"""Decimals of a degree in a shown point: a tenth of a metre."""
_MAX_DIGITS = 300
"""Of a whole number: a float has no more, and Python refuses to write one of 4,300."""
MAX_TEXT = 10_000
"""Characters of one value; what is longer is cut."""


def plain(value: Any) -> Value:
    """A value as text, number, truth value, list or None."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Decimal):
        return _number(value)
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    text = str(value)
    return text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]}... ({len(text)} characters)"


def _number(value: Decimal) -> Value:
    if not value.is_finite():
        return float(value)
    if value.adjusted() > _MAX_DIGITS:
        return f"{value:.6e}"
    return int(value) if value == value.to_integral_value() else float(value)


def shown_geometry(wkb: bytes | str | None) -> Value:
    """A geometry given in well-known binary, or that in hexadecimal digits.

    A point is written out; anything else is described by its type, its number of points and its bounding box:
    SQL refers to it by id, and thousands of coordinates help nobody.
    """
    if wkb is None:
        return None
    import shapely

    geometry = shapely.from_wkb(wkb)
    if geometry.geom_type == "Point":
        return str(shapely.to_wkt(geometry, rounding_precision=_DECIMALS))
    west, south, east, north = (round(float(bound), _DECIMALS) for bound in geometry.bounds)
    count = shapely.get_num_coordinates(geometry)
    return f"{geometry.geom_type.upper()} of {count} points within {west} {south}, {east} {north}"


def plain_rows(rows: Iterable[tuple[Any, ...]], geometries: frozenset[int]) -> tuple[tuple[Value, ...], ...]:
    """All values of all rows; `geometries` are the numbers of the columns that hold geometries."""
    return tuple(
        tuple(
            shown_geometry(value) if number in geometries else plain(value)
            for number, value in enumerate(row)
        )
        for row in rows
    )
