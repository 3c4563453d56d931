"""Positions and shapes as people and programs write them: degrees in many forms, GeoJSON, well-known text."""

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from map_tools.compute.shapes import shape_of
from map_tools.errors import PlaceNotFoundError
from map_tools.types import Geometry, LatLng

_NUMBER = r"\d{1,3}(?:[.,]\d+)?"
_SIGN = r"[-+−]?"
_SIDE = r"north|south|east|west|[nsew]"


def _angle(number: int, *, side_first: bool) -> str:
    """A pattern for degrees, perhaps with minutes and seconds, and the side of the Earth they are on."""
    side = rf"(?P<side{number}>{_SIDE})"
    return (
        (rf"{side}\s*" if side_first else "")
        + rf"(?P<degrees{number}>{_SIGN}{_NUMBER})\s*(?:°|º|˚|deg(?:rees?)?\b)?"
        + rf"(?:\s*(?P<minutes{number}>{_NUMBER})\s*(?:['’′]|min(?:utes?)?\b)"
        + rf"(?:\s*(?P<seconds{number}>{_NUMBER})\s*(?:[\"”″]|['’′]{{2}}|sec(?:onds?)?\b))?)?"
        + ("" if side_first else rf"\s*{side}")
    )


_SIDED = tuple(
    re.compile(
        rf"\(?\s*{_angle(1, side_first=first)}\s*[,;/]?\s*{_angle(2, side_first=first)}\s*\)?", re.IGNORECASE
    )
    for first in (False, True)
)
_DEGREES = r"[-+−]?\d{1,3}(?:\.\d+)?"
_SIGNED = re.compile(
    rf"(?:geo:)?\(?\s*(?:lat(?:itude)?[:=]?\s*)?(?P<lat>{_DEGREES})\s*°?"
    r"(?:\s*[,;]\s*|\s+(?=l|\S*\.\d))"
    rf"(?:(?:lng|lon(?:gitude)?)[:=]?\s*)?(?P<lng>{_DEGREES})\s*°?\s*\)?",
    re.IGNORECASE,
)
"""Latitude, then longitude; "geo:" is RFC 5870."""
_WKT = re.compile(
    r"(?:SRID=4326;)?\s*(?:(?:MULTI)?(?:POINT|LINESTRING|POLYGON)|GEOMETRYCOLLECTION)\s*(?:Z|M|ZM)?\s*\(",
    re.IGNORECASE,
)
_SRID = re.compile(r"^\s*SRID=4326;", re.IGNORECASE)
_NOT_A_PLACE = "Write latitude, then longitude, in degrees."


def parse_position(text: str) -> LatLng | None:
    """The position a whole text says; None if it says anything else.

    "41.15, -8.61", "41.15 N, 8.61 W", "8.61° W 41.15° N", "41°09'12″N 8°37'W", "geo:41.15,-8.61".

    Raises:
        PlaceNotFoundError: There are two angles, but no such position is on Earth.
    """
    plain = text.strip()
    signed = _SIGNED.fullmatch(plain)
    if signed:
        return _checked(plain, _number(signed["lat"]), _number(signed["lng"]))
    sided = next((match for pattern in _SIDED if (match := pattern.fullmatch(plain))), None)
    return _of_sides(plain, sided) if sided else None


def parse_shape(text: str) -> Geometry | None:
    """The position or shape a whole text says; None if it says anything else.

    As `parse_position`, as GeoJSON (a geometry, a feature, a collection of features) or as well-known text,
    both with the longitude first. Of a collection the areas count, if it has none the lines.

    Raises:
        PlaceNotFoundError: It is written as a position or shape, but there is none such on Earth.
    """
    plain = text.strip()
    if plain.startswith("{"):
        return _of_geojson(plain)
    if _WKT.match(plain):
        return _of_wkt(plain)
    return parse_position(plain)


def geometry_of_json(value: object) -> Geometry | None:
    """As `parse_shape`, of a GeoJSON object."""
    return _of_geojson(json.dumps(value))


def _of_sides(text: str, match: re.Match[str]) -> LatLng | None:
    """One of the two angles is north or south, the other east or west; a minus turns the side: "-0.12E" is west."""
    found: dict[bool, float] = {}
    for number in ("1", "2"):
        letter = match[f"side{number}"][0].casefold()
        parts = [match[f"{part}{number}"] for part in ("degrees", "minutes", "seconds")]
        degrees, minutes, seconds = (_number(part) if part else 0.0 for part in parts)
        if minutes >= 60 or seconds >= 60:
            raise _nowhere(text)
        value = math.copysign(abs(degrees) + minutes / 60 + seconds / 3600, degrees)
        found[letter in "ns"] = -value if letter in "sw" else value
    return _checked(text, found[True], found[False]) if len(found) == 2 else None


def _number(text: str) -> float:
    return float(text.replace(",", ".").replace("−", "-"))


def _checked(text: str, lat: float, lng: float) -> LatLng:
    if abs(lat) > 90 or abs(lng) > 180:
        raise _nowhere(text)
    return LatLng(lat=lat, lng=lng)


def _of_geojson(text: str) -> Geometry | None:
    import shapely

    try:
        value = json.loads(text)
    except ValueError:
        return None
    if not isinstance(value, dict) or "type" not in value:
        return None
    try:
        found = [shapely.from_geojson(json.dumps(each)) for each in _geometries(value)]
    except shapely.errors.GEOSException as error:
        raise _nowhere(text) from error
    return _of_geometry(text, shapely.GeometryCollection(found))


def _geometries(value: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The geometries of a GeoJSON object; a feature may be without (RFC 7946, section 3.2)."""
    features = value.get("features", ()) if value["type"] == "FeatureCollection" else (value,)
    for feature in features:
        geometry = feature.get("geometry") if feature.get("type") == "Feature" else feature
        if geometry:
            yield geometry


def _of_wkt(text: str) -> Geometry | None:
    import shapely

    try:
        geometry = shapely.from_wkt(_SRID.sub("", text))
    except shapely.errors.GEOSException as error:
        raise _nowhere(text) from error
    return _of_geometry(text, geometry)


def _of_geometry(text: str, geometry: Any) -> Geometry | None:
    import shapely

    if shapely.is_empty(geometry):
        raise _nowhere(text)
    west, south, east, north = geometry.bounds
    if not (-180 <= west <= east <= 180 and -90 <= south <= north <= 90):
        raise _nowhere(text)
    found = shape_of(geometry)
    if found is not None:
        return found
    point = shapely.get_parts(shapely.get_parts(geometry))[0]
    return LatLng(lat=point.y, lng=point.x)


def _nowhere(text: str) -> PlaceNotFoundError:
    shown = text if len(text) <= 80 else f"{text[:77]}..."
    return PlaceNotFoundError(f"'{shown}' is not a position on Earth.", _NOT_A_PLACE)
