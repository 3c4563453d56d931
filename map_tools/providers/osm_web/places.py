"""Reads the replies of Nominatim and Overpass into places, by way of OpenStreetMap's tags.

Both describe the same objects, and the embedded map reads the same tags: one place is the same place
everywhere, with the same id ("osm:n123").

Replies: https://nominatim.org/release-docs/latest/api/Output/ and
https://wiki.openstreetmap.org/wiki/OSM_JSON.
"""

import re
from collections.abc import Mapping
from typing import Any

from map_tools.clock import local_zone
from map_tools.kinds.concepts import AREA_KINDS
from map_tools.kinds.tag_categories import categories_of
from map_tools.maps.making.extract import kept_as
from map_tools.maps.places import place_of
from map_tools.maps.tags import CITY, HOUSE_NUMBER, POSTCODE, STREET
from map_tools.types import ADDRESS, LatLng, Place

type Json = Mapping[str, Any]

KINDS = {"node": "n", "way": "w", "relation": "r"}
TYPES = {letter: kind for kind, letter in KINDS.items()}
_ID = re.compile(r"osm:([nwr])([0-9]{1,18})")
_STREETS = ("road", "pedestrian", "footway", "square")
_TOWNS = ("city", "town", "village", "municipality", "hamlet")
"""Parts of an address that stand for the street and the town, the best first."""
_LINES = frozenset({"highway", "railway", "waterway", "aerialway", "route"})
"""Main keys of long things, which have no outline."""


def object_of(place_id: str) -> tuple[str, int] | None:
    """The kind ("node", "way", "relation") and the number of a place's object; None for a foreign id."""
    match = _ID.fullmatch(place_id)
    return (TYPES[match[1]], int(match[2])) if match else None


def read_hit(hit: Json) -> Place | None:
    """A result of Nominatim; None for one that is no object of the map (an interpolated house number)."""
    if "osm_id" not in hit or hit.get("osm_type") not in KINDS:
        return None
    tags = _tags_of(hit)
    at = LatLng(lat=float(hit["lat"]), lng=float(hit["lon"]))
    return _place(hit["osm_type"], hit["osm_id"], tags, categories_of(tags) or (ADDRESS,), at)


def has_outline(hit: Json) -> bool:
    """True for a result of Nominatim that a search can be confined to: an area with a name."""
    return hit["osm_type"] != "node" and bool(hit.get("name")) and hit.get("category") not in _LINES


def read_element(element: Json) -> Place | None:
    """An element of Overpass; None for one that a map would not keep: without a position, or background."""
    center = element.get("center", element)
    tags = element.get("tags", {})
    categories = kept_as(tags)
    if "lat" not in center or not categories:
        return None
    at = LatLng(lat=center["lat"], lng=center["lon"])
    return _place(element["type"], element["id"], tags, categories, at)


def _place(kind: str, number: int, tags: Mapping[str, str], categories: tuple[str, ...], at: LatLng) -> Place:
    return place_of(f"osm:{KINDS[kind]}{number}", tags, categories, at, local_zone(at))


def _tags_of(hit: Json) -> dict[str, str]:
    """The object's tags, as far as Nominatim tells them: it spreads them over five fields."""
    tags = {hit["category"]: hit["type"], **(hit.get("extratags") or {}), **(hit.get("namedetails") or {})}
    if "name" not in tags and hit.get("name"):
        tags["name"] = hit["name"]
    if hit["category"] == "boundary" and hit.get("addresstype") in AREA_KINDS:
        tags.setdefault("place", hit["addresstype"])
    return tags | _address_of(hit.get("address") or {})


def _address_of(parts: Json) -> dict[str, str]:
    """The address as tags; without a house number it is where the thing lies, which is as good."""
    found = {
        STREET: _first(parts, _STREETS),
        HOUSE_NUMBER: parts.get("house_number"),
        POSTCODE: parts.get("postcode"),
        CITY: _first(parts, _TOWNS),
    }
    return {key: value for key, value in found.items() if value}


def _first(parts: Json, names: tuple[str, ...]) -> str | None:
    return next((parts[name] for name in names if parts.get(name)), None)
