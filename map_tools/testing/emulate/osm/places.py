"""Nominatim's search and lookup, and Overpass' interpreter for the statements that searches are made of.

Nominatim's parameters: https://nominatim.org/release-docs/latest/api/Search/; replies in the format jsonv2:
https://nominatim.org/release-docs/latest/api/Output/.

Overpass' language: https://wiki.openstreetmap.org/wiki/Overpass_API/Overpass_QL; replies:
https://wiki.openstreetmap.org/wiki/OSM_JSON. Understood are `node|way|rel(ID)`, `map_to_area`, unions of
`nwr` with a circle or an area and tag filters, and `out`.
"""

import re
from collections.abc import Callable, Mapping
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


AREA_OF_RELATION, AREA_OF_WAY = 3_600_000_000, 2_400_000_000
"""Added to an object's number to make its area's
(https://wiki.openstreetmap.org/wiki/Overpass_API/Overpass_QL#By_element_id)."""
_KINDS = {"node": "node", "way": "way", "rel": "relation"}
_SETTINGS = re.compile(r"\[out:json\](?:\[timeout:\d+\])?;")
_BY_ID = re.compile(r"(node|way|rel)\((\d+)\);")
_TO_AREA = re.compile(r"map_to_area->\.a;\.a out ids;")
_UNION = re.compile(r'\((?P<parts>(?:nwr[^;"]*(?:"[^"]*"[^;"]*)*;)+)\);')
_PART = re.compile(r'nwr(\(around:[\d.]+,[-\d.]+,[-\d.]+\)|\(area\.a\))((?:\[(?:"[^"]*"|[^\]"])*\])+);')
_FILTER = re.compile(r'\[(?:"[^"]*"|[^\]"])*\]')
_CIRCLE = re.compile(r"\(around:([\d.]+),([-\d.]+),([-\d.]+)\)")
_HAS_KEY = re.compile(r'\["([^"]+)"\]')
_VALUE = re.compile(r'\["([^"]+)"~"([^"]+)"\]')
_KEY_AND_VALUE = re.compile(r'\[~"([^"]+)"~"([^"]+)"(,i)?\]')
_OUT = re.compile(r"out tags center(?: (\d+))?;")

type Fits = Callable[[Mapping[str, str]], bool]


class QueryTextError(Exception):
    """The text is no query that is understood."""


def interpret(world: OsmWorld, text: str) -> dict[str, Any]:
    """The reply to a query.

    Raises:
        QueryTextError: It is not understood.
    """
    reader = _Reader(text)
    reader.take(_SETTINGS)
    by_id = reader.maybe(_BY_ID)
    things: list[Thing] = []
    area: Thing | None = None
    shown: list[dict[str, Any]] = []
    if by_id is not None:
        found = world.of(_KINDS[by_id[1]], int(by_id[2]))
        things = [found] if found is not None else []
        if reader.maybe(_TO_AREA) is not None:
            area = next((thing for thing in things if world.has_outline(thing)), None)
            shown = [_area(area)] if area is not None else []
            things = []
    union = reader.maybe(_UNION)
    if union is not None:
        things = _united(world, union["parts"], area)
    out = reader.take(_OUT)
    reader.end()
    most = int(out[1]) if out[1] else None
    return _reply([*shown, *map(_element, things[:most])])


def _reply(elements: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "version": 0.6,
        "generator": "Overpass API emulator",
        "osm3s": {
            "timestamp_osm_base": "2026-01-01T00:00:00Z",
            "copyright": "The data included in this document is from www.openstreetmap.org. "
            "The data is made available under ODbL.",
        },
        "elements": elements,
    }


class _Reader:
    """A text read from the front."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def maybe(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self._text, self._at)
        if match is not None:
            self._at = match.end()
        return match

    def take(self, pattern: re.Pattern[str]) -> re.Match[str]:
        match = self.maybe(pattern)
        if match is None:
            rest = self._text[self._at : self._at + 20]
            raise QueryTextError(f"line 1: parse error: Unknown type '{rest}'")
        return match

    def end(self) -> None:
        if self._text[self._at :].strip():
            raise QueryTextError("line 1: parse error: end of input expected")


def _united(world: OsmWorld, parts: str, area: Thing | None) -> list[Thing]:
    """The objects that one of the parts finds, each once, by kind and number."""
    found: dict[tuple[str, int], Thing] = {}
    grounds: dict[str, list[Thing]] = {}
    end = 0
    for part in _PART.finditer(parts):
        if part.start() != end:
            break
        end = part.end()
        where = part[1]
        if where not in grounds:
            grounds[where] = _ground(world, where, area)
        filters = [_filter(text) for text in _FILTER.findall(part[2])]
        found |= {
            (thing.kind, thing.number): thing
            for thing in grounds[where]
            if all(fits(thing.tags) for fits in filters)
        }
    if end != len(parts):
        raise QueryTextError("line 1: parse error in a union")
    return [found[key] for key in sorted(found)]


def _ground(world: OsmWorld, where: str, area: Thing | None) -> list[Thing]:
    circle = _CIRCLE.fullmatch(where)
    if circle is None:
        return world.inside(area) if area is not None else []
    radius_m, lat, lng = map(float, circle.groups())
    return world.around(LatLng(lat=lat, lng=lng), radius_m)


def _filter(text: str) -> Fits:
    if has_key := _HAS_KEY.fullmatch(text):
        return lambda tags: has_key[1] in tags
    if value := _VALUE.fullmatch(text):
        pattern = re.compile(value[2])
        return lambda tags: value[1] in tags and pattern.search(tags[value[1]]) is not None
    if both := _KEY_AND_VALUE.fullmatch(text):
        key, value_pattern = re.compile(both[1]), re.compile(both[2], re.IGNORECASE if both[3] else 0)
        return lambda tags: any(key.search(name) and value_pattern.search(tags[name]) for name in tags)
    raise QueryTextError(f"line 1: parse error: a filter {text}")


def _element(thing: Thing) -> dict[str, Any]:
    at = {"lat": round(thing.at.lat, 7), "lon": round(thing.at.lng, 7)}
    where = at if thing.kind == "node" else {"center": at}
    return {"type": thing.kind, "id": thing.number, **where, "tags": dict(thing.tags)}


def _area(thing: Thing) -> dict[str, Any]:
    offset = AREA_OF_RELATION if thing.kind == "relation" else AREA_OF_WAY
    return {"type": "area", "id": offset + thing.number}


def error_page(error: QueryTextError) -> bytes:
    """The page that comes with status 400."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?><html><head><title>OSM3S Response</title></head><body>'
        f"<p><strong>Error</strong>: {error} </p></body></html>"
    ).encode()
