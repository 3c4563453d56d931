"""Asks Nominatim for places, and reads its replies and Overpass's by way of OpenStreetMap's tags.

Both describe the same objects, and the embedded map reads the same tags: one place is the same place
everywhere, with the same id ("osm:n123").

Requests: https://nominatim.org/release-docs/latest/api/Search/ and
https://nominatim.org/release-docs/latest/api/Lookup/; replies:
https://nominatim.org/release-docs/latest/api/Output/ and https://wiki.openstreetmap.org/wiki/OSM_JSON.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from map_tools.clock import local_zone
from map_tools.kinds.concepts import AREA_KINDS
from map_tools.kinds.tag_categories import categories_of
from map_tools.maps.making.extract import kept_as
from map_tools.maps.places import place_of
from map_tools.maps.tags import CITY, HOUSE_NUMBER, POSTCODE, STREET
from map_tools.providers.http_clients import HttpClients, error_body, host_of, reading, refusal
from map_tools.providers.likeness import candidates
from map_tools.types import ADDRESS, Candidate, LatLng, Place
from map_tools.wire import WireReply

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


ASKED_FOR = 15
"""Results asked for whatever the limit: equal questions share a cached reply, the best are chosen here."""
MOST = 40
"""Nominatim gives no more (https://nominatim.org/release-docs/latest/api/Search/#result-restriction)."""
AROUND_DEG = 0.25
"""Half of the side of the box, some 28 km, whose places come before others."""
_DETAILS: Final[Mapping[str, str]] = {
    "format": "jsonv2",
    "addressdetails": "1",
    "extratags": "1",
    "namedetails": "1",
}


class Nominatim:
    """One server.

    Args:
        http_clients: The way to the network.
        url: The server's address up to `/search`.
        language: Language of addresses (BCP 47).
    """

    def __init__(self, http_clients: HttpClients, url: str, language: str) -> None:
        self._http_clients = http_clients
        self._url = url
        self._language = language

    async def named(self, text: str, near: LatLng | None, limit: int) -> tuple[Candidate, ...]:
        """Places that the text can mean, best first; see `Provider.find_place`."""
        words = " ".join(text.split())
        if not words:
            return ()
        params = {"q": words, "limit": str(min(max(limit, ASKED_FOR), MOST))}
        read = await self._ask("search", params | (_around(near) if near else {}))
        outlined = {place.id for place, hit in read if has_outline(hit)}
        places = {place.id: place for place, _ in read}
        return tuple(
            found.model_copy(update={"outlined": found.place.id in outlined})
            for found in candidates(words, list(places.values()), near=near, limit=limit)
        )

    async def of(self, kind: str, number: int) -> Place | None:
        """The place an object is ("way", 123); None if Nominatim does not index it."""
        read = await self._ask("lookup", {"osm_ids": f"{kind[0].upper()}{number}"})
        return read[0][0] if read else None

    async def _ask(self, call: str, params: Mapping[str, str]) -> list[tuple[Place, Json]]:
        """The places of a reply, each with what it was read from."""
        url = f"{self._url}/{call}"
        reply = await self._http_clients.get(url, {**_DETAILS, "accept-language": self._language, **params})
        if not reply.ok:
            raise refusal(url, reply.status, _said(reply))
        with reading(f"The server {host_of(url)}"):
            hits = map(dict, reply.json())
            return [(place, hit) for hit in hits if (place := read_hit(hit)) is not None]


def _around(near: LatLng) -> dict[str, str]:
    """A box whose places Nominatim prefers; at the edge of the map it is smaller."""
    west, east = max(near.lng - AROUND_DEG, -180.0), min(near.lng + AROUND_DEG, 180.0)
    south, north = max(near.lat - AROUND_DEG, -90.0), min(near.lat + AROUND_DEG, 90.0)
    return {"viewbox": f"{west:.4f},{south:.4f},{east:.4f},{north:.4f}"}


def _said(reply: WireReply) -> str:
    """The sentence in an error reply: `{"error": {"code", "message"}}`."""
    error = error_body(reply).get("error")
    return str(error.get("message", "")) if isinstance(error, Mapping) else str(error or "")
