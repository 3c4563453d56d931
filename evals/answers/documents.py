"""Replies that are JSON in GS-QA's answer schema (GS-QA, section 5.1), as its prompts ask for."""

from collections.abc import Callable, Mapping
from typing import Any

from evals.answers.amounts import areas_m2, azimuths_deg, lengths_m, numbers
from evals.answers.said import Said
from map_tools.types import LatLng

KEYS = frozenset(
    {
        "name",
        "address",
        "distance",
        "azimuth_angle",
        "count",
        "length",
        "area",
        "lat",
        "lon",
        "latitude",
        "longitude",
    }
)
"""The schema's keys, and those of a position."""


def said_by_document(found: Mapping[str, Any]) -> Said | None:
    """What a JSON object says; None if it has none of the schema's keys.

    Numbers without a unit are in the schema's units: metres, square metres, degrees.
    """
    if KEYS.isdisjoint(found):
        return None
    return Said(
        name=_text(found.get("name")),
        address=_text(found.get("address")),
        position=_position(found),
        distance_m=_number(found.get("distance"), lengths_m),
        azimuth_deg=_number(found.get("azimuth_angle"), azimuths_deg),
        count=_number(found.get("count"), numbers),
        length_m=_number(found.get("length"), lengths_m),
        area_m2=_number(found.get("area"), areas_m2),
    )


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


def _number(value: Any, read: Callable[[str], tuple[float, ...]]) -> float | None:
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return float(value)
    if not isinstance(value, str):
        return None
    found = read(value) or (numbers(value) if len(numbers(value)) == 1 else ())
    return float(found[0]) if found else None


def _position(found: Mapping[str, Any]) -> LatLng | None:
    lat, lon = found.get("lat", found.get("latitude")), found.get("lon", found.get("longitude"))
    if not isinstance(lat, int | float) or not isinstance(lon, int | float):
        return None
    if abs(lat) > 90 or abs(lon) > 180:
        return None
    return LatLng(lat=lat, lng=lon)
