"""Nominatim's search and lookup.

Parameters: https://nominatim.org/release-docs/latest/api/Search/; replies in the format jsonv2:
https://nominatim.org/release-docs/latest/api/Output/.
"""

from collections.abc import Mapping
from typing import Any

from map_tools.kinds.tag_categories import main_keys
from map_tools.maps.tags import CITY, HOUSE_NUMBER, POSTCODE, STREET, address_line, main_name
from map_tools.testing.emulate.osm.world import OsmWorld, Thing
from map_tools.types import LatLng

LICENCE = "Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright"
DEFAULT_LIMIT, MOST = 10, 40
_HALF_BOX_DEG = 0.0001
_NAMES = (
    "name",
    "alt_name",
    "old_name",
    "short_name",
    "official_name",
    "loc_name",
    "int_name",
    "brand",
    "ref",
)
_NAME_PREFIXES = ("name:", "alt_name:", "old_name:", "official_name:", "short_name:")
_ADDRESS = {HOUSE_NUMBER: "house_number", STREET: "road", POSTCODE: "postcode", CITY: "city"}
_TYPES = {"N": "node", "W": "way", "R": "relation"}


async def search(world: OsmWorld, query: Mapping[str, str]) -> list[dict[str, Any]]:
    """`/search`: what a text means; a viewbox draws the results towards its middle."""
    limit = min(int(query.get("limit", DEFAULT_LIMIT)), MOST)
    near = _middle(query["viewbox"]) if "viewbox" in query else None
    found = await world.provider.find_place(query["q"], near=near, limit=limit)
    hits = []
    for candidate in found:
        if not candidate.place.id.startswith("osm:"):
            continue
        letter, number = candidate.place.id.removeprefix("osm:")[0], candidate.place.id[5:]
        thing = world.of(_TYPES[letter.upper()], int(number))
        if thing is not None:
            hits.append(_hit(thing, query))
    return hits


async def lookup(world: OsmWorld, query: Mapping[str, str]) -> list[dict[str, Any]]:
    """`/lookup`: objects by kind and number ("N123,W456"); those that are not there are left out."""
    things = (world.of(_TYPES[each[0]], int(each[1:])) for each in query["osm_ids"].split(","))
    return [_hit(thing, query) for thing in things if thing is not None]


def _middle(viewbox: str) -> LatLng:
    west, south, east, north = map(float, viewbox.split(","))
    return LatLng(lat=(south + north) / 2, lng=(west + east) / 2)


def _hit(thing: Thing, query: Mapping[str, str]) -> dict[str, Any]:
    """A result. Numbers stand in quotes, as Nominatim writes them."""
    tags, at = thing.tags, thing.at
    key = next((key for key in main_keys() if key in tags), "place")
    name = main_name(tags)
    address = {part: tags[tag] for tag, part in _ADDRESS.items() if tag in tags}
    hit: dict[str, Any] = {
        "place_id": thing.row + 1,
        "licence": LICENCE,
        "osm_type": thing.kind,
        "osm_id": thing.number,
        "lat": f"{at.lat:.7f}",
        "lon": f"{at.lng:.7f}",
        "category": key,
        "type": tags.get(key, "house"),
        "place_rank": 30,
        "importance": 0.00001,
        "addresstype": key,
        "name": name,
        "display_name": ", ".join(filter(None, (name, address_line(tags)))),
        "boundingbox": [
            f"{at.lat - _HALF_BOX_DEG:.7f}",
            f"{at.lat + _HALF_BOX_DEG:.7f}",
            f"{at.lng - _HALF_BOX_DEG:.7f}",
            f"{at.lng + _HALF_BOX_DEG:.7f}",
        ],
    }
    if query.get("format") == "json":  # the older form of the same
        hit["class"] = hit.pop("category")
    if query.get("addressdetails") == "1":
        hit["address"] = {key: name} | address if name else address
    names = {tag for tag in tags if tag in _NAMES or tag.startswith(_NAME_PREFIXES)}
    if query.get("namedetails") == "1":
        hit["namedetails"] = {tag: tags[tag] for tag in sorted(names)} or None
    if query.get("extratags") == "1":
        rest = tags.keys() - names - _ADDRESS.keys() - {key}
        hit["extratags"] = {tag: tags[tag] for tag in sorted(rest)} or None
    return hit
