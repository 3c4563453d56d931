"""Asks Nominatim: places by name or address, and by their objects.

https://nominatim.org/release-docs/latest/api/Search/, https://nominatim.org/release-docs/latest/api/Lookup/
"""

from collections.abc import Mapping
from typing import Final

from map_tools.providers.http_clients import HttpClients, error_body, host_of, reading, refusal
from map_tools.providers.likeness import candidates
from map_tools.providers.osm_web.places import Json, has_outline, read_hit
from map_tools.types import Candidate, LatLng, Place
from map_tools.wire import WireReply

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
