"""Makes places of what geocoders find.

They have no ids that geopy could ask for again. So an id holds what is known of the place, in the form of a
geo URI (RFC 5870) with a query: whoever has the id has the place.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, urlencode

from geopy.location import Location

from map_tools.kinds.tag_categories import categories_of
from map_tools.types import LatLng, Place

SCHEME = "geo:"
FACTS = frozenset({"location", "address", "categories"})
_NAMES = ("name", "title", "text", "label")
_NESTED = ("properties", "poi", "address")
"""Where services write a name: https://geopy.readthedocs.io/en/stable/#geopy.location.Location.raw"""
_TAGS = (("osm_key", "osm_value"), ("category", "type"), ("class", "type"))
"""Where services on OpenStreetMap's data write the main tag."""


def read_place(found: Location) -> Place:
    """The place of a result."""
    raw = found.raw if isinstance(found.raw, Mapping) else {}
    at = LatLng(lat=found.latitude, lng=found.longitude)
    address = str(found.address or "")
    name = _name(raw) or address.partition(",")[0].strip()
    return _place(at, name, address, _categories(raw))


def place_of(place_id: str) -> Place | None:
    """The place that an id holds; None for a foreign id."""
    position, _, query = place_id.removeprefix(SCHEME).partition("?")
    fields = parse_qs(query)
    try:
        lat, lng = map(float, position.split(","))
        at = LatLng(lat=lat, lng=lng)
        name, address = fields["q"][0], fields.get("address", [""])[0]
    except (ValueError, KeyError):
        return None
    return _place(at, name, address, tuple(fields.get("kind", ())))


def _place(at: LatLng, name: str, address: str, categories: tuple[str, ...]) -> Place:
    told = [("q", name), ("address", address), *(("kind", category) for category in categories)]
    return Place(
        id=f"{SCHEME}{at.lat:.7f},{at.lng:.7f}?{urlencode([pair for pair in told if pair[1]])}",
        name=name,
        location=LatLng(lat=round(at.lat, 7), lng=round(at.lng, 7)),
        categories=categories,
        address=address or None,
    )


def _name(raw: Mapping[str, Any]) -> str:
    inner = [raw[key] for key in _NESTED if isinstance(raw.get(key), Mapping)]
    for values in (raw, *inner):
        for key in _NAMES:
            if isinstance(values.get(key), str) and values[key]:
                return str(values[key])
    return ""


def _categories(raw: Mapping[str, Any]) -> tuple[str, ...]:
    properties = raw.get("properties")
    for values in (raw, properties if isinstance(properties, Mapping) else {}):
        for key, value in _TAGS:
            if isinstance(values.get(key), str) and isinstance(values.get(value), str):
                return categories_of({values[key]: values[value]})
    return ()
