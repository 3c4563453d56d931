"""The place behind a name: position and address as the tools' typed results have them."""

import re
from collections.abc import Iterable
from typing import Any

from evals.methods.geo_react.results import records
from map_tools.text import normalise
from map_tools.types import LatLng, Place

ADDRESS = ("addr_street", "addr_city", "addr_state", "addr_postcode")
"""Address columns, in the order an address is written."""
_POINT = re.compile(r"POINT\s*\(\s*(-?\d+(?:\.\d+)?)\s+(-?\d+(?:\.\d+)?)\s*\)", re.IGNORECASE)
_PAIR = re.compile(r"(-?\d{1,2}\.\d+)\s*,\s*(-?\d{1,3}\.\d+)")


def point_in(text: str) -> LatLng | None:
    """The first position in a text: "POINT (lng lat)" or "lat, lng" with decimals."""
    if match := _POINT.search(text):
        lng, lat = float(match[1]), float(match[2])
    elif match := _PAIR.search(text):
        lat, lng = float(match[1]), float(match[2])
    else:
        return None
    return LatLng(lat=lat, lng=lng) if abs(lat) <= 90 and abs(lng) <= 180 else None


def place_called(words: str, result: Any) -> Place | None:
    """The place of this name or address in a tool's result; None if it tells nothing more of it."""
    found = (_place(words, record) for record in records(result))
    return next((place for place in found if place is not None), None)


def _place(words: str, record: dict[str, Any]) -> Place | None:
    """The place of a record that has this name or address, and a position or an address."""
    parts = ", ".join(str(record[part]) for part in ADDRESS if record.get(part) is not None)
    texts = [value for value in record.values() if isinstance(value, str)]
    if normalise(words) not in map(normalise, (*texts, parts)):
        return None
    lat, lng = (_coordinate(record, names) for names in (("lat", "latitude"), ("lng", "lon", "longitude")))
    located = LatLng(lat=lat, lng=lng) if lat is not None and lng is not None else point_in(" ".join(texts))
    address = record.get("address") or parts
    if located is None and not address:
        return None
    return Place(id=str(record.get("id", "")), name=words.strip(), location=located, address=address or None)


def _coordinate(record: dict[str, Any], names: Iterable[str]) -> float | None:
    found = next((record[name] for name in names if isinstance(record.get(name), int | float)), None)
    return None if found is None else float(found)
